"""Tests of Realmtable: suites over every game, then one folder per package."""
