"""Pictures of the map, the counters on it and the action chits, drawn from the view alone."""
