"""Whole random games inside the kernels: the same for the same seeds, compiled or not, and they add up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from realmtable.engine.options import OptionValue
from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers
from tests.classic_realm.helpers import GAME, position, start
from tests.classic_realm.test_codec import WON
from tests.classic_realm.test_rules import FAR

SEEDS = list(range(6))
SHORT: dict[str, OptionValue] = {"max_plies": 40, "double_moves": True}


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
    assert total.games == total.winners.total() == total.reasons.total() == len(SEEDS)
    assert total.choices > total.steps > total.turns > 0


def test_any_seed_will_do() -> None:
    assert numbers([0, -1, 2**64 - 1, 2**64, 10**30], **SHORT).games == 5
    assert numbers([], **SHORT) == PlayoutNumbers()


def test_a_game_that_is_over_is_counted_as_it_is() -> None:
    found = GAME.playouts(position(WON + " turns=7"), [1, 2])
    assert (found.games, found.steps, found.turns, found.winners, found.reasons) == (
        2, 0, 16, {"0": 2}, {"all_in_water": 2}
    )  # fmt: skip
    drawn = GAME.playouts(position(FAR + " turns=7 phase=over end=repetition"), [1])
    assert (drawn.turns, drawn.winners, drawn.reasons) == (7, {"draw": 1}, {"repetition": 1})


def test_playouts_leave_the_state_alone() -> None:
    state = start(**SHORT)
    before = state.position.tobytes()
    GAME.playouts(state, SEEDS)
    assert state.position.tobytes() == before
    assert isinstance(GAME, HasPlayouts)


PROGRAM = """
import json, realmtable
game = realmtable.game("classic_realm")
starts = [game.initial(2, game.options(preset)) for preset in game.info.presets]
runs = [game.playouts(start, range(8)) for start in starts]
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
    here = GAME.playouts(start(), range(8))
    assert json.loads(json.dumps(vars(here))) == outputs[0][0]
