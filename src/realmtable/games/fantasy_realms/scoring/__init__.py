"""Score hands: compiled totals, the best choices and explanations."""
