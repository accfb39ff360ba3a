"""Tests of the board that the five Realm games share."""
