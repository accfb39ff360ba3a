"""Bots and searches that work for any game."""
