"""The melee sheet: counters, plays and results of a fight."""
