"""Benchmarks behind our claims: `python -m bench` runs them all and writes docs/host/benchmarks.md."""
