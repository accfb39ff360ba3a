"""The public HTTP API, one router per module."""
