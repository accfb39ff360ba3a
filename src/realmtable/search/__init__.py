"""Bots that play any game, and what they share."""
