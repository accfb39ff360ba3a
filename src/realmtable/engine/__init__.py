"""What a game is: protocol, options, matches, records, chance. Pure: no clock, no global random, no I/O."""
