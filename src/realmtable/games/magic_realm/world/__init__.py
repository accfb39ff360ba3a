"""The state of a game: its records, what is still undecided, who knows what, and its text form."""
