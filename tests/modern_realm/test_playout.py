"""Whole random games inside the kernels."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers
from tests.modern_realm.helpers import GAME, SHORT, position

SEEDS = list(range(3))
LATE = "W:Ab2,Ce2,Ah2,Ak5,He8,Hh8 B:Ab8,Ch11,Ak11,Hb5,Hh5,Hk2 turns=14"


def numbers(seeds: list[int], **options: str | bool | int) -> PlayoutNumbers:
    return GAME.playouts(position(LATE, **options), seeds)


def test_the_same_seeds_play_the_same_games() -> None:
    assert numbers(SEEDS, **SHORT) == numbers(SEEDS, **SHORT)
    assert numbers(SEEDS, **SHORT) != numbers([seed + 100 for seed in SEEDS], **SHORT)


def test_a_run_is_the_sum_of_its_games() -> None:
    total = PlayoutNumbers()
    for seed in SEEDS:
        total.add(numbers([seed], **SHORT))
    assert total == numbers(SEEDS, **SHORT)


def test_the_numbers_add_up() -> None:
    found = numbers(SEEDS, **SHORT)
    assert found.games == found.winners.total() == found.reasons.total() == len(SEEDS)
    assert found.choices > found.steps
    assert found.turns == 20 * found.games
    assert set(found.reasons) == {"max_turns"}


def test_whole_games_are_won_by_somebody() -> None:
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


def test_playouts_leave_the_state_alone() -> None:
    state = position(LATE, **SHORT)
    before = state.position.tobytes()
    GAME.playouts(state, SEEDS)
    assert state.position.tobytes() == before


def test_the_game_says_what_it_has() -> None:
    assert isinstance(GAME, HasPlayouts)


PROGRAM = """
import json, realmtable
game = realmtable.game("modern_realm")
starts = [game.initial(2, game.options(preset, max_turns=60)) for preset in game.info.presets]
runs = [game.playouts(start, range(3)) for start in starts]
print(json.dumps([vars(run) for run in runs]))
"""


@pytest.mark.compiled
def test_compiled_and_interpreted_playouts_are_the_same() -> None:
    outputs = []
    for switch in ("0", "1"):
        run = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", PROGRAM],
            env=os.environ | {"REALMTABLE_COMPILE": switch},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(json.loads(run.stdout))
    assert outputs[0] == outputs[1]
