"""Experiments: matches between bots, balance of rules, the opening study and puzzle mining, with error bars."""
