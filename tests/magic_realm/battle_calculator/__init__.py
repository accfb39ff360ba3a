"""Tests of the battle calculator."""
