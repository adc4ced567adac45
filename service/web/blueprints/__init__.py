"""The calls, grouped by resource. Each reads: parse, call one use case, render."""
