"""Checks of the notation of every board game: steps and turns are read and written; any other text is refused."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from realmtable.engine.errors import BadNotation, IllegalMove
from realmtable.kit.array_state import ArrayState
from tests.game_under_test import BoardGame

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")

FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def check_steps(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT]) -> None:
    """Check that every legal step has its own text and is read back from it."""
    if not tested.game.to_move(state):
        return
    steps = tested.steps(state)
    texts = [tested.game.format_move(state, step) for step in steps]
    assert len(set(texts)) == len(steps) == len(tested.legal(state))
    assert [tested.game.parse_move(state, text) for text in texts] == steps


def check_turn(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], text: str) -> list[StepT]:
    """Check that a turn is read without a warning, is complete and is written as it was; return its steps."""
    moves: list[StepT]
    moves, warnings, rest = tested.game.parse_turn(state, text)
    assert (tested.game.format_turn(state, moves), warnings, rest) == (text, [], "")
    after = tested.play_steps(state, moves)
    assert tested.ending(after) or tested.seat_of(after) != tested.seat_of(state)
    return moves


def check_turns(
    tested: BoardGame[OptionsT, StepT],
    turns: Iterable[tuple[ArrayState[OptionsT], list[StepT], ArrayState[OptionsT]]],
) -> None:
    """Check that every turn is read back from its text and leads to the same state."""
    for begin, steps, after in turns:
        text = tested.game.format_turn(begin, steps)
        assert tested.game.parse_turn(begin, text) == (steps, [], "")
        assert tested.play_steps(begin, steps) == after


def check_no_step(tested: BoardGame[OptionsT, StepT], text: str, words: str = "is not a step") -> None:
    """Check that a text is refused as a step, in a sentence with these words."""
    with pytest.raises(BadNotation) as caught:
        tested.game.parse_move(tested.start(), text)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


def check_no_turn(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], text: str, words: str) -> None:
    """Check that a text is refused as a turn, in a sentence with these words."""
    with pytest.raises(BadNotation) as caught:
        tested.game.parse_turn(state, text)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


def check_reading(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], text: str) -> None:
    """Read any text as a step and as a turn: it is read or refused, and nothing else is raised."""
    with suppress(BadNotation):
        tested.game.parse_move(state, text)
    with suppress(BadNotation, IllegalMove):
        moves = tested.game.parse_turn(state, text).moves
        assert moves
        is_only_closed = [tested.game.format_move(state, move) for move in moves] == ["end"]  # which is not written
        assert bool(tested.game.format_turn(state, moves)) != is_only_closed
