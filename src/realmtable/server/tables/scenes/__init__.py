"""What each viewer of a table sees: scenes, headlines, choices and the list of moves."""
