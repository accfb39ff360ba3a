"""Realmtable: one table for every game called "Realm".

>>> import realmtable
>>> g = realmtable.game("realm")
>>> s = g.initial(seats=2, options=g.options(bases=13))
>>> move = g.legal_moves(s, 0)[0]
>>> g.format_move(s, move)
'Bb2'
>>> s = g.play(s, 0, move)
>>> g.to_move(s)
(1,)
"""

from __future__ import annotations

from realmtable.engine.errors import RealmtableError
from realmtable.engine.protocol import CHANCE, AnyGame, Game, GameInfo, Outcome, Turn
from realmtable.engine.registry import game, info, infos

__version__ = "0.1.0"

__all__ = ["CHANCE", "AnyGame", "Game", "GameInfo", "Outcome", "RealmtableError", "Turn", "game", "info", "infos"]
