"""Finds the kernels, arrays and modules of games whose states are arrays, and how each runs best on a GPU."""

from __future__ import annotations

import importlib
from typing import Any, Final, Literal, NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, State
from realmtable.kit.rules import HasArrayRules, Position, Rules

MANY_PHASES: Final = 8  # with this many, ordering games by phase saves more time than it takes


def find_rules(game: AnyGame) -> Rules:
    """Return the kernels of a game; raise `BadInput` with the games that have kernels if it has none."""
    return _with_arrays(game).rules


def find_position(game: AnyGame, state: State) -> Position:
    """Return the array of a state."""
    return _with_arrays(game).position_of(state)


def find_planes(rules: Rules) -> Any:  # noqa: ANN401 - a module
    """Return the module that writes a game's positions as observations."""
    return importlib.import_module(f"{rules.module.rpartition('.')[0]}.planes")


class GpuTuning(NamedTuple):
    """How a game runs best on a GPU, as measured (docs/study/gpu.md)."""

    orders_games: bool  # whether games in the same phase are brought together
    layout: Literal["C", "F"]  # memory order of the positions


def choose_tuning(rules: Rules) -> GpuTuning:
    """Return how a game runs best: games with many phases are ordered by them.

    Where neighbouring threads do the same, they read neighbouring memory if the same entries of all games lie together.
    """
    return GpuTuning(True, "C") if len(rules.phases) >= MANY_PHASES else GpuTuning(False, "F")


def _with_arrays(game: AnyGame) -> HasArrayRules:
    if isinstance(game, HasArrayRules):
        return game
    known = [info.id for info in registry.infos() if info.compiled]
    raise BadInput(f"{game.info.title} has no kernels; the games with kernels are {', '.join(known)}.")
