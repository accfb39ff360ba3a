"""The tiles: the manifest, changes to it, and tiles as players see them."""
