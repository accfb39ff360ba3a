"""Building blocks that games may use: boards, drawing, notation and the compile switch. No base classes."""
