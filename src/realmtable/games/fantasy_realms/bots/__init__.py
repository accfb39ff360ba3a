"""Bots and advice. Both see only what a player may know."""
