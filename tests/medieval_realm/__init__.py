"""Tests of Medieval Realm."""
