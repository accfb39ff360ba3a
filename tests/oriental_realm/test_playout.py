"""Playouts inside the kernels: the shared checks, and the counts of this game's ends."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from tests.oriental_realm.helpers import GAME, SHORT, position, start
from tests.playout_checks import SEEDS, PlayoutChecks


class TestPlayouts(PlayoutChecks):
    game = GAME
    short = staticmethod(lambda: start(**SHORT))
    presets = ("standard", "free_setup", "open_choice")
    limits = MappingProxyType({"max_turns": 40})


def test_the_numbers_add_up() -> None:
    found = GAME.playouts(start(**SHORT), SEEDS)
    assert found.games == found.winners.total() == found.reasons.total() == len(SEEDS)
    assert found.choices > found.steps > found.turns > 0
    assert found.turns <= 20 * found.games


@pytest.mark.parametrize(
    ("board", "reason", "winner"),
    [("end=surrounded won=B", "surrounded", "1"), ("end=repetition", "repetition", "draw")],
)
def test_a_game_that_is_over_is_counted_as_it_is(board: str, reason: str, winner: str) -> None:
    state = position(f"W:Ma1 B:Ma2,Mb1 turns=7 phase=over {board}")
    before = state.position.tobytes()
    found = GAME.playouts(state, [1, 2])
    assert (found.games, found.steps, found.turns) == (2, 0, 14)
    assert (found.winners, found.reasons) == ({winner: 2}, {reason: 2})
    assert state.position.tobytes() == before
