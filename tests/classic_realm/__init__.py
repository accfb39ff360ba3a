"""Tests of Classic Realm."""
