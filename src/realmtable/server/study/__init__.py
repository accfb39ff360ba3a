"""What people learn from: analyses of finished games, hints, and the analysis board."""
