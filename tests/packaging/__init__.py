"""Tests of the installable package."""
