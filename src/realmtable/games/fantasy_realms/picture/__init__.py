"""Draw the table and its cards as SVG, and describe them as terminal text and in words."""
