"""What the service tells its operators: figures and log lines."""
