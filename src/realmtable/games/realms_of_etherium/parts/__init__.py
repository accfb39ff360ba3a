"""What the page of a table shows beside the map: chips, steps of a turn, choices, news and how a tie was decided."""
