"""The parts of a search: values of ends and evaluations, playouts, chance and time."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import AnyGame, Outcome, Seat, State
from realmtable.search import mcts_policies as standard
from realmtable.search.ismcts import IsMctsBot
from realmtable.search.mcts_policies import SearchUsage, Values
from realmtable.search.plain_mcts import search
from realmtable.search.search_result import SearchLimits
from tests.toys.gold_quest import GoldQuest, Quest
from tests.toys.solvable_games import PENNIES, THREE, TUG, Coins, Grid, Rope, ThreeInARow


@pytest.mark.parametrize(
    ("ranking", "values"),
    [
        ((1, 2), (1, 0)),
        ((1, 1), (0.5, 0.5)),
        ((3, 1, 2), (0, 1, 0.5)),
        ((1, 1, 3), (0.75, 0.75, 0)),
        ((2, 1, 2), (0.25, 1, 0.25)),
        ((1,), (0.75,)),
    ],
)
def test_values_of_an_end(ranking: tuple[int, ...], values: Values) -> None:
    assert standard.outcome_values(Outcome((1.0,) * len(ranking), ranking, "end", "It ended.")) == values


def test_playouts_follow_the_policy() -> None:
    def first(game: AnyGame, state: State, seat: Seat, rng: Random) -> State:  # noqa: ARG001 - the game's own
        return game.legal_moves(state, seat)[0]

    values = standard.evaluate_by_playout(THREE, Grid(), 2, first, Random(1))
    assert values == (1.0, 0.0), "cells in order: x has 0, 2, 4 and 6"


def test_what_is_likelier_happens_more_often() -> None:
    """Ann, who stays out, wins one time in four."""
    state, rng = Coins(("out", "head")), Random(1)
    wins = [standard.sample_chance(PENNIES, state, rng) for _ in range(400)].count("wins")
    assert 70 < wins < 130


def test_whichever_limit_comes_first() -> None:
    assert standard.is_within_limits(SearchLimits(seconds=2, nodes=5), SearchUsage(4, 1.9))
    assert not standard.is_within_limits(SearchLimits(seconds=2, nodes=5), SearchUsage(5, 0.1))
    assert not standard.is_within_limits(SearchLimits(seconds=2, nodes=5), SearchUsage(1, 2.0))


# ---- judging instead of playing to the end


class JudgedThreeInARow(ThreeInARow):
    """Three in a row with an evaluation: whoever holds the middle is ahead."""

    def evaluate(self, state: Grid, seat: Seat) -> float:
        return 40.0 * ((state.cells[4] == "xo"[seat]) - (state.cells[4] == "xo"[1 - seat]))


def test_a_game_with_a_judgement_is_judged_after_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = JudgedThreeInARow()
    monkeypatch.setattr(standard, "SHORT_PLAYOUT_STEPS", 0)
    values = standard.evaluate_by_playout(game, Grid("x...o...."), 2, standard.random_step, Random(1))
    assert values[0] < 0.25
    assert sum(values) == 1
    result = search(game, Grid(), limits=SearchLimits(nodes=60), rng=Random(1))
    assert result.steps()[0][0] == 4


def test_judgements_are_measured_in_units_of_the_game() -> None:
    class Quiet(JudgedThreeInARow):
        def evaluate(self, state: Grid, seat: Seat) -> float:
            return super().evaluate(state, seat) / 10_000

    loud, quiet = (
        standard.evaluate(game, Grid("x...o...."), 2) for game in (cast_game(JudgedThreeInARow()), cast_game(Quiet()))
    )
    assert loud == pytest.approx(quiet)


def cast_game(game: Any) -> AnyGame:  # noqa: ANN401 - rules without pictures
    assert hasattr(game, "legal_moves")
    return game  # type: ignore[no-any-return]


def test_an_endless_playout_is_called_even() -> None:
    def back_and_forth(game: AnyGame, state: Rope, seat: Seat, rng: Random) -> int:  # noqa: ARG001 - a policy
        return 1 if seat == 0 else -1

    assert standard.evaluate_by_playout(TUG, Rope(), 2, back_and_forth, Random(1)) == (0.5, 0.5)


# ---- solo games


def test_reaching_the_goal_of_a_solo_game_beats_any_points() -> None:
    poor, rich = (Outcome((points,), (1,), "days", "") for points in (1.0, 90.0))
    assert standard.outcome_values(poor) < standard.outcome_values(rich)
    verdicts = [(outcome, reached) for reached in (False, True) for outcome in (poor, rich)]
    values = [standard.outcome_values(replace(outcome, reached=(reached,))) for outcome, reached in verdicts]
    assert values == sorted(values)
    assert all(0 <= value <= 1 for (value,) in values)


class Climb(GoldQuest):
    """A quest whose states can be evaluated, with other numbers of seats."""

    def __init__(self, *seats: int) -> None:
        self.info = replace(GoldQuest.info, seats=seats)

    def evaluate(self, state: Quest, seat: Seat) -> float:
        return float(state.gold[seat])


@pytest.mark.parametrize("seats", [(1,), (1, 2)])
def test_a_solo_state_is_evaluated_by_itself(seats: tuple[int, ...]) -> None:
    game = Climb(*seats)
    states = [replace(game.initial(1), gold=(gold,)) for gold in (0, 3, 9)]
    values = [standard.evaluate(game, state, 1) for state in states]
    assert values == sorted(values)
    assert values[0] == (0.5,)
    assert values[-1] > (0.9,)


def test_a_search_finds_the_way_to_a_solo_goal() -> None:
    game = GoldQuest()
    state = replace(game.initial(1, game.options(rounds=2)), characters=("Elf",), gold=(1,), round=2)
    assert IsMctsBot(nodes=200).choose(game, state, 0, Random(1)) == "rest"  # a dig may find nothing


def test_a_state_that_knows_its_seats_is_not_played_to_count_them() -> None:
    game = registry.game("realms_of_etherium")
    rng = Random(1)
    before = rng.getstate()
    assert [standard.count_seats(game, game.initial(seats), rng) for seats in (2, 5)] == [2, 5]
    assert rng.getstate() == before
