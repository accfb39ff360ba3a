"""Experiments: matches between bots, opening studies and puzzle mining, with error bars."""
