"""Worker processes: pools, process start and exit, compile warm-up, and the analysis queue."""
