"""Benchmarks behind our claims: `python -m bench` measures speed and writes docs/host/benchmarks.md."""
