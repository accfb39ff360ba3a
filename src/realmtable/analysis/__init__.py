"""Analysis of played games, in words: mistakes, reasons, lines of play and puzzles."""
