"""Building blocks that games may use: base classes, boards, drawing and notation."""
