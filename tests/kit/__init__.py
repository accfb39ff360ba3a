"""Tests of the shared parts a game may call."""
