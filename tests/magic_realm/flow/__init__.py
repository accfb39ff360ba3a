"""Tests of the set-up, the days and the score."""
