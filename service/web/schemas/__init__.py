"""What a request body must look like; one module a subject, instances built once."""
