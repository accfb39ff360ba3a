"""Tests of Realm, the featured game."""
