"""The parts of a game whose states are arrays."""

from __future__ import annotations

import importlib
from typing import Any

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, State
from realmtable.kit.evaluation import HasArrayRules
from realmtable.kit.rules import Position, Rules


def find_rules(game: AnyGame) -> Rules:
    """Return the kernels of a game, or say which games have some."""
    return _with_arrays(game).rules


def find_position(game: AnyGame, state: State) -> Position:
    """Return the array of a state."""
    return _with_arrays(game).position_of(state)


def find_layout(rules: Rules) -> Any:  # noqa: ANN401 - a module
    """Return the module that names the entries of a game's positions."""
    return importlib.import_module(f"{rules.module.rpartition('.')[0]}.layout")


def _with_arrays(game: AnyGame) -> HasArrayRules:
    if isinstance(game, HasArrayRules):
        return game
    known = [info.id for info in registry.infos() if info.compiled]
    raise BadInput(f"{game.info.title} has no kernels; the games that have some are {', '.join(known)}.")
