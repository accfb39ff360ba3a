"""Score hands that people hold at a real table: reading a hand, and its score sheet."""
