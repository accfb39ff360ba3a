"""Tests of what people install."""
