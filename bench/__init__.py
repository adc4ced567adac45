"""Benchmarks: what the service costs, measured side by side with what cannot be beaten."""
