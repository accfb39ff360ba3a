"""Tests of Oriental Realm."""
