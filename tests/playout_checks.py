"""The tests of random games that every board game shares; a game's `test_playout.py` subclasses `PlayoutChecks`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pytest

from realmtable.kit.array_game import ArrayGame
from realmtable.kit.array_state import ArrayState
from realmtable.kit.compile import is_compiling
from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers

SEEDS = range(3)
PROGRAM = """
import json, sys, realmtable
game = realmtable.game(sys.argv[1])
starts = [game.decode(text) for text in sys.argv[2:]]
print(json.dumps([vars(game.playouts(start, range(4))) for start in starts]))
"""


class PlayoutChecks:
    """Whole random games inside the kernels: the same for the same seeds, compiled or not, and they add up."""

    game: ArrayGame[Any, Any]
    short: Callable[[], ArrayState[Any]]  # the start of a game that ends soon
    presets: Sequence[str]  # under which compiled and interpreted games are compared
    limits: Mapping[str, int] = MappingProxyType({})  # options that shorten those games

    def run(self, seeds: Sequence[int]) -> PlayoutNumbers:
        return self.game.playouts(type(self).short(), seeds)

    def test_the_same_seeds_play_the_same_games(self) -> None:
        assert self.run(SEEDS) == self.run(SEEDS)
        assert self.run(SEEDS) != self.run([seed + 100 for seed in SEEDS])

    def test_a_run_is_the_sum_of_its_games(self) -> None:
        total = PlayoutNumbers()
        for seed in SEEDS:
            total.add(self.run([seed]))
        assert total == self.run(SEEDS)
        assert total.games == total.winners.total() == total.reasons.total() == len(SEEDS)
        assert total.choices > total.steps > 0

    def test_any_seed_is_accepted(self) -> None:
        assert self.run([0, -1, 2**64 - 1, 2**64, 10**30]).games == 5
        assert self.run([]) == PlayoutNumbers()

    def test_playouts_do_not_modify_the_state(self) -> None:
        state = type(self).short()
        before = state.position.tobytes()
        self.game.playouts(state, SEEDS)
        assert state.position.tobytes() == before
        assert isinstance(self.game, HasPlayouts)

    @pytest.mark.compiled
    def test_compiled_and_interpreted_playouts_are_the_same(self) -> None:
        starts = [self.game.initial(2, self.game.options(preset, **self.limits)) for preset in self.presets]
        other = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", PROGRAM, self.game.info.id, *(self.game.encode(start) for start in starts)],
            env=os.environ | {"REALMTABLE_COMPILE": "0" if is_compiling() else "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        found = [vars(self.game.playouts(start, range(4))) for start in starts]
        assert json.loads(json.dumps(found)) == json.loads(other.stdout)
