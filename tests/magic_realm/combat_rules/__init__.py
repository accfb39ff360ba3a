"""Tests of the rules of a melee."""
