"""Which games have a compiled search."""

from __future__ import annotations

from typing import Any

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.rules import HasArrayRules


def has_several_seats(game: AnyGame) -> bool:
    """Whether a game is searched as one for several seats."""
    return isinstance(game, HasArrayRules) and game.rules.has_several_seats


def require_array_rules(game: AnyGame) -> HasArrayRules:
    """Return the game; raise `BadInput` if it has no compiled search."""
    if not isinstance(game, HasArrayRules):
        raise BadInput(f"{game.info.title} has no compiled search.")
    return game


def require_array_game(game: AnyGame) -> ArrayGame[Any, Any]:
    """Return the game; raise `BadInput` if it is none of the board games for two."""
    if not isinstance(game, ArrayGame):
        raise BadInput(f"{game.info.title} has no compiled search.")
    return game
