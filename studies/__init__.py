"""Studies of the games and their bots, each in a folder with its data and its page."""
