"""Tests of all five games on the Realm board: each file has one kind of check, with tables of cases by board."""
