"""Tests of the state and its secrets."""
