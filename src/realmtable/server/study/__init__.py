"""Learning tools: analyses of finished games, hints, puzzles, opening studies and the analysis board."""
