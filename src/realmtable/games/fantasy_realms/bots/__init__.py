"""Bots and advice: both see only what a player may know."""
