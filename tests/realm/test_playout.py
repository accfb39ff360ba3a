"""Whole random games inside the kernels: the same for the same seeds, compiled or not, and they add up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from realmtable.games.realm.playout import winner_of
from realmtable.kit.playouts import DRAWS, HasPlayouts, PlayoutNumbers
from tests.realm.helpers import GAME, SHORT, position, start

SEEDS = list(range(6))


def numbers(seeds: list[int], **options: str | bool | int) -> PlayoutNumbers:
    return GAME.playouts(start(**options), seeds)


@pytest.mark.no_cover
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
    assert set(found.reasons) <= {"last_base", "no_progress", "max_turns", "repetition"}


def test_any_seed_will_do() -> None:
    assert numbers([0, -1, 2**64 - 1, 2**64, 10**30], **SHORT).games == 5
    assert numbers([], **SHORT) == PlayoutNumbers()


def test_a_game_that_is_over_is_counted_as_it_is() -> None:
    found = GAME.playouts(position("W:Bh11,Bh8 B:Bh2 turns=7 phase=over end=agreement"), [1, 2])
    assert found == PlayoutNumbers(2, 0, 14, 0, found.winners, found.reasons)
    assert (found.winners, found.reasons) == ({"0": 2}, {"agreement": 2})


def test_nobody_agrees_in_a_playout() -> None:
    assert "agreement" not in GAME.playouts(position("W:Bh11,Pg10 B:Bh2 offer=standing", **SHORT), SEEDS).reasons


@pytest.mark.parametrize(("board", "winner"), [("W:Bh11 B:", 0), ("W: B:Bh11", 1), ("W:Bh11 B:Bh2", DRAWS)])
def test_r13_who_has_won(board: str, winner: int) -> None:
    assert winner_of(position(board + " phase=over end=agreement").position) == winner


def test_playouts_leave_the_state_alone() -> None:
    state = start(**SHORT)
    before = state.position.tobytes()
    GAME.playouts(state, SEEDS)
    assert state.position.tobytes() == before


def test_the_game_says_that_it_has_playouts() -> None:
    assert isinstance(GAME, HasPlayouts)


PROGRAM = """
import json, realmtable
game = realmtable.game("realm")
starts = [game.initial(2, game.options(preset)) for preset in ("nestor", "original", "four_powers")]
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
    here = GAME.playouts(start(), range(4))
    assert json.loads(json.dumps(vars(here))) == outputs[0][0]
