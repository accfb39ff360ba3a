"""The parts of a view: the map, the heroes, and what is being asked."""
