"""Tests of the commands and what they print."""
