"""The table and its cards as SVG, as terminal text and in words."""
