"""The rules engine: the game protocol, options, matches, records and chance. Pure: no clock, global random or I/O."""
