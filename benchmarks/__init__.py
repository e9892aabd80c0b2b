"""Benchmarks of the engine and the arbiter; `python -m benchmarks --help`."""
