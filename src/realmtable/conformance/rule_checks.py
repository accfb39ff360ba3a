"""Checks of a game's rules: legal moves, refusals, turns, outcomes, and a bounded cost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random
from statistics import median
from typing import TypeVar

import pytest

from realmtable.conformance.call_counts import count_calls
from realmtable.conformance.random_games import RandomGame, moves_of, rules_of, viewers
from realmtable.engine.errors import GameOver, IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, CLOCK, HasDefaultSteps, HasSeatCount, HasUndo, player_seats
from realmtable.kit.compile import is_compiling

ResultT = TypeVar("ResultT")


def play_leaves_the_old_state_alone(play: RandomGame) -> None:
    for step in play.steps:
        before = play.game.encode(step.state)
        for move in moves_of(play.game, step.state, step.seat):
            play.game.play(step.state, step.seat, move)
        assert play.game.encode(step.state) == before


def legal_moves_are_sorted_and_unique(play: RandomGame) -> None:
    for state in play.states:
        for seat in play.seats:
            moves = play.game.legal_moves(state, seat)
            assert moves == sorted(set(moves))
            acting = play.game.to_move(state)
            assert bool(moves) == (seat in acting) or CLOCK in acting  # a seat that is ready may come back


def seats_act_alone_together_or_chance_does(play: RandomGame) -> None:
    for state in play.states:
        acting = play.game.to_move(state)
        people = player_seats(acting)
        assert acting in ((CHANCE,), people, (*people, CLOCK))
        assert list(people) == sorted(set(people))
        assert set(people) <= set(play.seats)
        assert people or CLOCK not in acting
        assert len(play.game.legal_moves(state, CLOCK)) == (CLOCK in acting)


def seats_that_may_not_act_are_refused(play: RandomGame) -> None:
    for step in play.steps:
        acting = play.game.to_move(step.state)
        for seat in {CHANCE, CLOCK, *play.seats} - set(acting):
            if play.game.legal_moves(step.state, seat):
                assert CLOCK in acting  # a seat that is ready may come back
                continue
            with pytest.raises(NotYourTurn):
                play.game.play(step.state, seat, step.move)


def nothing_is_played_after_the_end(play: RandomGame) -> None:
    if play.game.to_move(play.last):
        return
    for step in play.steps[-5:]:
        for seat in {CHANCE, CLOCK, *play.seats}:
            assert play.game.legal_moves(play.last, seat) == []
            assert play.game.chance(play.last) == []
            with pytest.raises(GameOver):
                play.game.play(play.last, seat, step.move)


def illegal_moves_are_refused_with_a_clause(play: RandomGame) -> None:
    rules = rules_of(play.game)
    rng = Random(len(play.steps))
    for step in play.steps:
        if step.seat == CHANCE:
            continue
        legal = play.game.legal_moves(step.state, step.seat)
        for move in (rng.choice(play.steps).move for _ in range(4)):
            if move in legal:
                continue
            with pytest.raises(IllegalMove) as caught:
                play.game.play(step.state, step.seat, move)
            assert rules is None or f"**{caught.value.clause}**" in rules
            assert caught.value.sentence.endswith(".")


def a_changed_state_is_another(play: RandomGame) -> None:
    for step in play.steps:
        assert step.after != step.state


def a_state_knows_its_options(play: RandomGame) -> None:
    assert {play.game.options_of(state) for state in play.states} == {play.game.options_of(play.start)}


def a_state_knows_its_number_of_seats(play: RandomGame) -> None:
    if isinstance(play.game, HasSeatCount):
        assert {play.game.count_seats(state) for state in play.states} == {len(play.seats)}


def chance_has_positive_weights(play: RandomGame) -> None:
    for state in play.states:
        outcomes = play.game.chance(state)
        assert bool(outcomes) == (play.game.to_move(state) == (CHANCE,))
        assert all(outcome.weight > 0 for outcome in outcomes)
        assert not outcomes or play.game.info.chance


def a_step_that_may_be_undone_has_told_nobody_anything(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasUndo):
        return
    for step in play.steps:
        if step.seat >= 0 and game.can_undo(step.state, step.seat, step.move):
            assert CHANCE not in game.to_move(step.after)
            assert game.can_undo(step.state, step.seat, step.move)


def a_default_step_is_legal_and_follows_from_what_the_seat_knows(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasDefaultSteps):
        return
    for state in play.states:
        for seat in player_seats(game.to_move(state)):
            if game.to_move(state) == (seat,) and game.turn(state).seat not in (seat, CHANCE):
                default = game.default_step(state, seat)
                assert default in game.legal_moves(state, seat)
                assert default == game.default_step(game.resample(state, seat, Random(1)), seat)


# The most calls of functions for one step, view or picture, and how many are usual. Tables wait while one is made.
MAX_CALLS = {"play": 10_000, "view": 50_000, "draw": 120_000}
USUAL_CALLS = {"play": 1_000, "view": 4_000, "draw": 20_000}


def work_is_bounded(play: RandomGame) -> None:
    """Work is counted in calls, which are the same on every machine, however busy.

    The end of a game is exempt: it happens once, and its scores must be exact.
    """
    game, calls = play.game, {kind: [0] for kind in MAX_CALLS}

    def count(kind: str, work: Callable[[], ResultT]) -> ResultT:
        result, number = count_calls(work)
        if number > MAX_CALLS[kind] and is_compiling():  # the first call of a kernel loads its machine code
            result, number = count_calls(work)
        calls[kind].append(number)
        return result

    for step in [step for step in play.steps[::8] if game.to_move(step.after)]:
        count("play", partial(game.play, step.state, step.seat, step.move))
        for viewer in viewers(play):
            view = count("view", partial(game.view, step.after, viewer))
            count("draw", partial(game.draw, view))
    for kind, counts in calls.items():
        assert max(counts) <= MAX_CALLS[kind], kind
        assert median(counts) <= USUAL_CALLS[kind], kind


def there_is_an_outcome_when_no_seat_acts(play: RandomGame) -> None:
    for state in play.states:
        outcome = play.game.outcome(state)
        assert (outcome is None) == bool(play.game.to_move(state))
        if outcome is not None:
            assert len(outcome.scores) == len(outcome.ranking) == len(play.seats)
            assert min(outcome.ranking) == 1
            assert sorted(outcome.ranking) == sorted(
                1 + sum(other < rank for other in outcome.ranking) for rank in outcome.ranking
            )
            assert outcome.reason.isidentifier()
            assert outcome.text.endswith(".")
            assert len(outcome.reached) in (0, len(play.seats))


def turns_go_forward(play: RandomGame) -> None:
    numbers = [play.game.turn(state).number for state in play.states]
    assert all(first <= second for first, second in pairwise(numbers))
    assert numbers[0] >= 0
