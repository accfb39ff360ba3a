"""Playouts inside the kernels: the shared checks, and the counts of this game's ends."""

from __future__ import annotations

import pytest

from tests.modern_realm.helpers import GAME, SHORT, position
from tests.playout_checks import SEEDS, PlayoutChecks

LATE = "W:Ab2,Ce2,Ah2,Ak5,He8,Hh8 B:Ab8,Ch11,Ak11,Hb5,Hh5,Hk2 turns=14"


class TestPlayouts(PlayoutChecks):
    game = GAME
    short = staticmethod(lambda: position(LATE, **SHORT))
    presets = ("standard",)


def test_the_numbers_add_up() -> None:
    found = GAME.playouts(position(LATE, **SHORT), SEEDS)
    assert found.games == found.winners.total() == found.reasons.total() == len(SEEDS)
    assert found.choices > found.steps
    assert found.turns == 20 * found.games
    assert set(found.reasons) == {"max_turns"}


def test_complete_games_have_a_winner() -> None:
    found = GAME.playouts(position("W:Ab4,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al12,Ak12"), SEEDS)
    assert found.winners == {"0": 3}
    assert found.reasons == {"eight_headquarters": 3}


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1 move=W turns=7 end=eight_headquarters", "0"),
        ("W:Al12 B:Hb2,He2,Hh2,Hk2,Hb5,He5,Hh5,Hk5 move=B turns=7 end=eight_headquarters", "1"),
        ("W:Hb8 B:Al1 turns=7 passed end=two_passes", "draw"),
    ],
)
def test_a_game_that_is_over_is_counted_as_it_is(text: str, winner: str) -> None:
    found = GAME.playouts(position(text), [1, 2])
    assert (found.games, found.steps, found.turns, found.winners) == (2, 0, 14, {winner: 2})
