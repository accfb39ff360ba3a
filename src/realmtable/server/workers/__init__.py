"""Worker processes: pools for bots, searches and replays, process start and exit, and compile warm-up."""
