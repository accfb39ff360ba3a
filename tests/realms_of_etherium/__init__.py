"""Tests of Realms of Etherium."""
