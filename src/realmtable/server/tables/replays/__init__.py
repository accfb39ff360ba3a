"""Replays of tables and records, and "what if" lines."""
