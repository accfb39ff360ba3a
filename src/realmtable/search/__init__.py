"""Bots, searches and analysis that work for any game."""
