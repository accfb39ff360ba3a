"""Whole random games inside the kernels: the same for the same seeds, compiled or not, and they add up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from realmtable.engine.options import OptionValue
from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers
from tests.medieval_realm.helpers import GAME, position, start

SEEDS = list(range(6))


def numbers(seeds: list[int], **options: OptionValue) -> PlayoutNumbers:
    return GAME.playouts(start(**options), seeds)


def test_the_same_seeds_play_the_same_games() -> None:
    assert numbers(SEEDS) == numbers(SEEDS)
    assert numbers(SEEDS) != numbers([seed + 100 for seed in SEEDS])


def test_a_run_is_the_sum_of_its_games() -> None:
    total = PlayoutNumbers()
    for seed in SEEDS:
        total.add(numbers([seed]))
    assert total == numbers(SEEDS)


def test_the_numbers_add_up() -> None:
    found = numbers(SEEDS)
    assert found.games == found.winners.total() == found.reasons.total() == len(SEEDS)
    assert found.choices > found.steps == found.turns > 0  # a step is a whole turn
    assert found.winners["draw"] == found.games - found.reasons["borne_off"]


def test_any_seed_will_do() -> None:
    assert numbers([0, -1, 2**64 - 1, 2**64, 10**30], max_plies=20).games == 5
    assert numbers([]) == PlayoutNumbers()


def test_a_game_that_is_over_is_counted_as_it_is() -> None:
    found = GAME.playouts(position("W:Dk2 B: move=B turns=7 end=borne_off"), [1, 2])
    assert found == PlayoutNumbers(2, 0, 16, 0, found.winners, found.reasons)
    assert (found.winners, found.reasons) == ({"1": 2}, {"borne_off": 2})


def test_playouts_leave_the_state_alone() -> None:
    state = start()
    before = state.position.tobytes()
    GAME.playouts(state, SEEDS)
    assert state.position.tobytes() == before


def test_the_game_says_that_it_has_playouts() -> None:
    assert isinstance(GAME, HasPlayouts)


PROGRAM = """
import json, realmtable
game = realmtable.game("medieval_realm")
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
