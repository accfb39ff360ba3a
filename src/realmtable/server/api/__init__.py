"""The public HTTP API: one router a file."""
