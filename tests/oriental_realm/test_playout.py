"""Whole random games inside the kernels: the same for the same seeds, compiled or not, and they add up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from realmtable.engine.options import OptionValue
from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers
from tests.oriental_realm.helpers import GAME, SHORT, position, start

SEEDS = list(range(6))


def numbers(seeds: list[int], **options: OptionValue) -> PlayoutNumbers:
    return GAME.playouts(start(**options), seeds)


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


def test_the_game_says_that_it_has_playouts() -> None:
    assert isinstance(GAME, HasPlayouts)


PROGRAM = """
import json, realmtable
game = realmtable.game("oriental_realm")
starts = [game.initial(2, game.options(preset, max_turns=40)) for preset in ("standard", "free_setup", "open_choice")]
runs = [game.playouts(start, range(4)) for start in starts]
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
    here = GAME.playouts(start(max_turns=40), range(4))
    assert json.loads(json.dumps(vars(here))) == outputs[0][0]
