"""Tests of Fantasy Realms."""
