"""Checks of the refusals of every board game: each names a clause of RULES.md and gives its reason in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

import pytest

from realmtable.engine.errors import GameOver, IllegalMove, NotYourTurn
from realmtable.engine.options import OptionValue
from realmtable.kit.array_state import ArrayState
from tests.clause_checks import clauses_of
from tests.game_under_test import BoardGame
from tests.rules_document_checks import read_rules

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")


def check_sentence(error: IllegalMove) -> None:
    assert re.fullmatch(r"[A-Za-z][^.\n]*\.", error.sentence)
    assert str(error) == f"{error.sentence} ({error.clause})"


def check_refusal(
    tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], texts: str, clause: str, words: str
) -> None:
    """Check that the last of some steps is refused with this clause, in a sentence with these words."""
    *before, last = texts.split()
    error = tested.expect_refusal(tested.play(state, " ".join(before)), last)
    assert (error.clause, words in error.sentence) == (clause, True), error
    check_sentence(error)


def check_unknown_step(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], step: StepT) -> None:
    """Check that a step that exists on no board is refused with B1."""
    with pytest.raises(IllegalMove) as caught:
        tested.game.play(state, tested.seat_of(state), step)
    assert caught.value.clause == "B1"
    check_sentence(caught.value)


def check_reasons(
    tested: BoardGame[OptionsT, StepT], steps: Iterable[StepT], seeds: range, every: int, **fixed: OptionValue
) -> None:
    """Check that illegal steps are refused with a clause of RULES.md, in each `every`-th state of random games."""
    clauses = clauses_of(read_rules(tested.game))
    for seed in seeds:
        for state, _ in list(tested.random_game(seed, **fixed))[:-1:every]:
            for step in set(steps).difference(tested.steps(state)):
                error = tested.game.spec.grammar.refuse(state, step)
                assert error.clause in clauses
                check_sentence(error)


def check_only_the_acting_seat_plays(
    tested: BoardGame[OptionsT, StepT], step: StepT, over: ArrayState[OptionsT]
) -> None:
    """Check that Black cannot play in White's turn, nor White after the end."""
    start = tested.start()
    assert tested.game.legal_moves(start, 1) == []
    with pytest.raises(NotYourTurn, match="It is White's turn"):
        tested.game.play(start, 1, step)
    assert tested.game.legal_moves(over, 0) == []
    with pytest.raises(GameOver):
        tested.game.play(over, 0, step)


def check_no_turn_follows_the_end(
    tested: BoardGame[OptionsT, StepT], over: ArrayState[OptionsT], text: str, clause: str
) -> None:
    with pytest.raises(IllegalMove, match=rf"^The game is over\. \({clause}\)$"):
        tested.game.parse_turn(over, text)
