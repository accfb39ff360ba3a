"""The game that `realmtable new-game` writes under another name: `my_game.py`, and what surrounds it as templates."""
