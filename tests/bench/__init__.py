"""What the benchmarks compute and how they listen."""
