"""The games, one folder each. The registry finds them; adding one edits nothing outside its folder."""
