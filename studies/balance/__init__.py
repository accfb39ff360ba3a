"""The balance of all games."""
