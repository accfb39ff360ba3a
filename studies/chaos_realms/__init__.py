"""Chaos Realms with seven players, and the value of trading to seven bots."""
