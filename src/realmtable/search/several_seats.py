"""Which games are searched as games for several seats."""

from __future__ import annotations

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame
from realmtable.kit.rules import HasArrayRules


def has_several_seats(game: AnyGame) -> bool:
    """Whether a game is searched as one for several seats."""
    return isinstance(game, HasArrayRules) and game.rules.has_several_seats


def require_several_seats(game: AnyGame) -> HasArrayRules:
    """Return the game; raise `BadInput` if it has no search for several seats."""
    if not isinstance(game, HasArrayRules) or not game.rules.has_several_seats:
        raise BadInput(f"{game.info.title} has no search for several seats.")
    return game
