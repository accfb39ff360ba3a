"""Tests of the data."""
