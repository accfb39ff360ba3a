"""Tests of the shared parts of games."""
