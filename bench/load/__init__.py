"""The load test: `python -m bench.load`."""
