"""Tests of who is asked in combat, and what follows."""
