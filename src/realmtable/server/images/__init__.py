"""Pictures as PNG and GIF files, for sharing."""
