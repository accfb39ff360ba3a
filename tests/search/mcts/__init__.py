"""Tests of bots and playouts, over every game."""
