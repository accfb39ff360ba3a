"""Experiments: matches between bots, and what they show with how much certainty."""
