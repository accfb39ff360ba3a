"""The count of a game's work for each step, view and picture."""

from __future__ import annotations

import sys
from random import Random
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from bench.game_call_counts import Cost, costs_of_games, main, table
from realmtable.conformance.call_counts import count_calls, leave_out_slipcover
from tests.toys.gold_quest import GoldQuest
from tests.toys.secret_cards import SecretCards


def test_calls_are_counted_python_and_builtin_ones() -> None:
    def add(left: int, right: int) -> int:
        return left + right

    assert count_calls(lambda: add(1, 2)) == (3, 2)
    assert count_calls(lambda: len([add(0, 1), abs(-1)]))[1] == 4
    assert count_calls(lambda: Random(1).random())[1] == count_calls(lambda: Random(1).random())[1]


def test_calls_of_slipcover_are_not_counted() -> None:
    counted: list[str] = []
    count = leave_out_slipcover(lambda _frame, event, _argument: counted.append(event))
    probe = SimpleNamespace(__module__="slipcover.probe")
    inner = [("c_call", probe), ("c_return", probe), ("call", None)]
    for event, argument in [("call", None), ("c_call", probe), *inner, ("c_return", probe), ("c_call", len)]:
        count(sys._getframe(), event, argument)
    assert counted == ["call", "c_call"]


def test_every_step_is_followed_by_the_views_and_pictures_of_all_viewers() -> None:
    game = GoldQuest()
    costs = costs_of_games(game, game.options(rounds=1), 2, 100)
    kinds = [cost.kind for cost in costs]
    assert kinds.count("view") == kinds.count("draw") == (max(game.info.seats) + 1) * kinds.count("play")
    assert all(cost.calls > 0 for cost in costs)


def test_a_game_stops_after_the_most_steps() -> None:
    game = SecretCards()
    costs = costs_of_games(game, game.options(), 1, 3)
    assert [cost.kind for cost in costs].count("play") == 3


def test_the_table_gives_median_and_worst() -> None:
    costs = [Cost(kind, calls, calls / 1000) for kind in ("play", "view", "draw") for calls in (1, 2, 6000)]
    assert "| view | 3 | 2 | 6,000 | 6,000 | 6,000 ms |" in table(costs)


@pytest.mark.parametrize("preset", [[], ["--preset", "chaos"]])
def test_the_command_lists_a_game(preset: list[str]) -> None:
    done = CliRunner().invoke(main, ["fantasy_realms", *preset, "--games", "1", "--steps", "2"])
    assert done.exit_code == 0, done.output
    assert done.output.count("| play | 2 |") == 1
