"""The course of a game: the agenda machine, and the frames of the set-up and of the day."""
