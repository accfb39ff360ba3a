"""Arrays of a fixed shape from views: a game's own numbers, or a hash of the whole view for games without them.

Everything here is a function of the view alone, so an observation cannot tell more than a player may know. This is the
source; `Observer.convert` makes the smaller arrays of vector environments from it.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import AnyGame, HasObservations, View
from realmtable.gpu.array_games import find_planes, find_rules
from realmtable.kit.observations import hash_view

BOUND: Final = 16.0  # observations lie between minus this and this; most numbers are much smaller


class Observations(NamedTuple):
    """What a seat sees, as vector environments have it; there, all arrays have a dimension for the games in front."""

    planes: Any  # [planes, rows, columns], uint8
    numbers: Any  # [numbers], int16


class Observer:
    """Turns the views of one game with a fixed number of seats into arrays; `names` says what they contain."""

    def __init__(self, game: AnyGame, view: View) -> None:
        self._game = game
        self._grid = game.observation_grid() if isinstance(game, HasObservations) else None
        parts = game.observe(view) if isinstance(game, HasObservations) else {"hash": hash_view(view)}
        self.names = tuple(parts)
        self.lengths = tuple(len(part) if isinstance(part, Sequence) else 1 for part in parts.values())
        self.shape: tuple[int, ...] = (sum(self.lengths),) if self._grid is None else (len(self.names), *self._grid)

    def observe(self, view: View) -> NDArray[np.float32]:
        if not isinstance(self._game, HasObservations):
            return _limit(np.array(hash_view(view), dtype=np.float32))
        parts = self._game.observe(view).values()
        if self._grid is None:
            numbers: list[float] = []
            for part in parts:
                numbers += part if isinstance(part, Sequence) else (part,)
            return _limit(np.fromiter(numbers, np.float32, len(numbers)))
        planes = np.empty((len(self.names), math.prod(self._grid)), dtype=np.float32)
        for index, part in enumerate(parts):
            planes[index] = part
        return _limit(planes.reshape(self.shape))

    def convert(self, observation: NDArray[np.float32]) -> Observations:
        """Return an acting seat's observation as a vector environment would; raise `BadInput` for games without one."""
        module = find_planes(find_rules(self._game))
        if self._grid is None:
            parts = dict(zip(self.names, np.split(observation, np.cumsum(self.lengths)[:-1]), strict=True))
        else:
            parts = dict(zip(self.names, observation, strict=True))
        package = module.__name__.rpartition(".")[0]
        found = importlib.import_module(f"{package}.observation").convert(parts)
        planes = np.array([found[name] for name in module.PLANES])
        numbers = np.array([found[name] for name in module.NUMBERS], dtype=np.int16)
        return Observations(np.rint(planes).astype(np.uint8), numbers)


def _limit(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.clip(numbers, -BOUND, BOUND, out=numbers)
