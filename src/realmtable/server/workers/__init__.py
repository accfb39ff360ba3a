"""Worker processes: pools, their start and end, compile warm-up and the queue of analyses."""
