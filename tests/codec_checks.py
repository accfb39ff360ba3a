"""What every board game's positions in one line are asked alike: they come back, or are refused; never a crash."""

from __future__ import annotations

import re
from random import Random
from typing import TypeVar

import pytest
from hypothesis import strategies as st

from realmtable.engine.errors import BadPosition
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.array_state import ArrayState
from tests.board_game import BoardGame

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")


def check_round_trip(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT]) -> ArrayState[OptionsT]:
    """Write a state and read it again: it is the same in everything."""
    text = tested.game.encode(state)
    back = tested.game.decode(text)
    assert (back, hash(back), back.options) == (state, hash(state), state.options)
    assert tested.game.encode(back) == text
    assert len(text.splitlines()) == 1
    assert tested.legal(back) == tested.legal(state)
    return back


def check_refusal(game: ArrayGame[OptionsT, StepT], text: str, words: str) -> None:
    with pytest.raises(BadPosition) as caught:
        game.decode(text)
    message = str(caught.value)
    assert words in message
    assert re.fullmatch(r"[^\n]{10,400}\.", message)


# ---- anything at all


def try_decode(game: ArrayGame[OptionsT, StepT], text: str) -> ArrayState[OptionsT] | None:
    """The state of a text, or None where it is refused; anything else is an error of ours."""
    try:
        return game.decode(text)
    except BadPosition:
        return None


def play_randomly(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], seed: int, steps: int) -> None:
    """Play random steps: each state has a step and comes back from its line."""
    rng = Random(seed)
    for _ in range(steps):
        assert tested.game.decode(tested.game.encode(state)) == state
        if not tested.game.to_move(state):
            assert tested.ending(state)
            return
        assert tested.steps(state)
        state = tested.game.play(state, tested.seat_of(state), tested.random_step(rng, state))


def overwrite_line(data: st.DataObject, text: str, alphabet: str) -> str:
    """A line with one to three places written over."""
    for _ in range(data.draw(st.integers(1, 3))):
        spot = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        text = text[:spot] + data.draw(st.text(alphabet=alphabet, max_size=3)) + text[spot + length :]
    return text


def draw_fields(groups: list[list[str]]) -> st.SearchStrategy[tuple[str, ...]]:
    """One field each of at most four groups."""
    return st.lists(st.sampled_from(groups), max_size=4, unique_by=id).flatmap(
        lambda chosen: st.tuples(*(st.sampled_from(group) for group in chosen))
    )


def check_damaged(tested: BoardGame[OptionsT, StepT], text: str, at: int, sign: str) -> None:
    """Overwrite, insert and cut off at one place: what is still read comes back and goes on, or is over."""
    cut = at % (len(text) + 1)
    for damaged in (text[:cut] + sign + text[cut + 1 :], text[:cut] + sign + text[cut:], text[:cut]):
        if (state := try_decode(tested.game, damaged)) is not None:
            assert tested.game.decode(tested.game.encode(state)) == state
            assert tested.legal(state) or tested.ending(state)
