"""Tests of the engine alone, with the toys for features that Realm lacks."""
