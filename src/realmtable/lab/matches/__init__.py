"""Matches between bots: the plan, the games, the result, and its text and page."""
