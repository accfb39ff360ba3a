"""Bots and bulk playing, over every game."""
