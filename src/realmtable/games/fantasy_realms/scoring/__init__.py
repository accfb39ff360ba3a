"""Scoring a hand: compiled totals, the best choices, and explanations."""
