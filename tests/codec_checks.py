"""Checks of the one-line positions of every board game: a line is read back as it was written, or refused.

A game's `test_codec.py` subclasses `CodecChecks` or `HandmadeChecks`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from realmtable.engine.errors import BadPosition
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.array_state import ArrayState
from tests.game_under_test import BoardGame, seeds
from tests.seeds import list_seeds

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


def check_fields_are_written(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], fields: str) -> None:
    """Check that a line has these fields and is read back."""
    words = tested.game.encode(state).split()
    assert [field for field in fields.split() if field not in words] == []
    check_round_trip(tested, state)


def check_present_position_is_seen(game: ArrayGame[OptionsT, StepT], board: str) -> None:
    """Check that the position of a line counts as seen, unless the line says otherwise."""
    state = game.decode(board)
    assert "seen" not in game.encode(state)
    unseen = game.decode(board + " seen=")
    assert unseen != state
    assert game.decode(game.encode(unseen)) == unseen


# ---- anything at all


def try_decode(game: ArrayGame[OptionsT, StepT], text: str) -> ArrayState[OptionsT] | None:
    """The state of a text, or None where it is refused; anything else is an error of ours."""
    try:
        return game.decode(text)
    except BadPosition:
        return None


def play_randomly(tested: BoardGame[OptionsT, StepT], state: ArrayState[OptionsT], seed: int, steps: int) -> None:
    """Play random steps: each state has a step and comes back from its line, and the first can be drawn."""
    rng = Random(seed)
    assert tested.game.draw(tested.game.view(state, None))
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


# ---- the tests that every game shares

# Several games inherit these methods: an example that Hypothesis stored for one game is merely one more for another.
FUZZ = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
# Playing from an example takes longer than reading it: half as many as the profile has.
PLAYED = settings(FUZZ, max_examples=settings().max_examples // 2)


FAULTY_FIELDS = [  # behind a board of any game
    ("x" * 20_000, "A position may have at most"),
    ("hello", "hello is not a field"),
    ("W:Bh8", "The field W is given twice"),
    ("move=W move=W", "The field move is given twice"),
    ("colour=red", "has no field colour; it has W"),
    ("move=White", "move must be one of W, B"),
    ("move=", "move must be one of W, B"),
    ("turns=1001", "turns must be a number from 0 to"),
    ("turns=-1", "not -1"),
    ("turns=²", "turns must be a number"),
    ("turns=many", "turns must be a number"),
    ("turns=000001", "turns must be a number"),
    ("end=win", "end must be one of"),
    ("options=colour=red", "There is no option colour"),
]


class CodecChecks:
    """Lines from games are read back; any other line is a playable position or is refused."""

    tested: BoardGame[Any, Any]
    board: str  # of a line without other fields
    alphabet: str  # of made-up words
    refused: Sequence[tuple[str, str]]  # lines, with words of the sentence that refuses them
    steps_played: int = 20  # from each made-up position

    @pytest.mark.parametrize(("fields", "words"), FAULTY_FIELDS)
    def test_faulty_fields_are_refused_with_a_sentence(self, fields: str, words: str) -> None:
        check_refusal(self.tested.game, f"{self.board} {fields}", words)

    @pytest.mark.parametrize(
        ("piece", "words"), [("", "Nothing is not a "), ("Xb5", "Xb5 is not a "), ("Xm5", "Xm5 is not a ")]
    )
    def test_what_is_no_piece_is_refused_with_a_sentence(self, piece: str, words: str) -> None:
        check_refusal(self.tested.game, self.board.replace("W:", f"W:{piece},"), words)

    def test_two_pieces_on_a_space_are_refused_with_a_sentence(self) -> None:
        first = self.board.removeprefix("W:").partition(",")[0]
        check_refusal(self.tested.game, self.board.replace("W:", f"W:{first},"), "holds two ")
        check_refusal(self.tested.game, self.board.replace("B:", f"B:{first},"), "holds two ")

    def check_state(self, state: ArrayState[Any]) -> None:
        check_round_trip(self.tested, state)

    @pytest.mark.parametrize("seed", list_seeds(6, quick=3))
    def test_every_state_of_a_game_comes_back(self, seed: int) -> None:
        for state, _ in self.tested.random_game(seed, **self.tested.limits):
            self.check_state(state)

    @PLAYED
    @given(st.data())
    def test_any_state_comes_back(self, data: st.DataObject) -> None:
        self.check_state(data.draw(self.tested.states(**self.tested.limits)))

    @FUZZ
    @given(st.data())
    def test_any_text_is_a_position_or_refused(self, data: st.DataObject) -> None:
        text = data.draw(st.text(max_size=200) | st.text(alphabet=self.alphabet, max_size=60))
        try_decode(self.tested.game, text)

    @pytest.mark.parametrize("text", ["W:\x00 B:", "=\n=", "W:B:W:"])
    def test_odd_text_is_a_position_or_refused(self, text: str) -> None:
        try_decode(self.tested.game, text)

    @FUZZ
    @given(st.data())
    def test_any_fields_are_a_position_or_refused(self, data: st.DataObject) -> None:
        faulty = [f"{self.board} {fields}" for fields, _ in FAULTY_FIELDS]
        short = [text for text in (*faulty, *(text for text, _ in self.refused)) if len(text) < 300]
        texts = data.draw(st.lists(st.sampled_from(short), max_size=3))
        words = data.draw(st.lists(st.text(alphabet=self.alphabet, max_size=12), max_size=4))
        try_decode(self.tested.game, " ".join([*words, *texts]))

    @PLAYED
    @given(st.data())
    def test_a_changed_line_is_a_position_that_can_be_played_or_refused(self, data: st.DataObject) -> None:
        state = data.draw(self.tested.states(**self.tested.limits))
        text = overwrite_line(data, self.tested.game.encode(state), self.alphabet)
        if (changed := try_decode(self.tested.game, text)) is not None:
            play_randomly(self.tested, changed, data.draw(seeds), self.steps_played)


class HandmadeChecks(CodecChecks):
    """The same checks, and lines put together from parts."""

    handmade: st.SearchStrategy[str]

    @PLAYED
    @given(st.data())
    def test_what_is_put_together_by_hand_can_be_played_or_is_refused(self, data: st.DataObject) -> None:
        if (state := try_decode(self.tested.game, data.draw(self.handmade))) is not None:
            play_randomly(self.tested, state, data.draw(seeds), self.steps_played)


def put_together(boards: Sequence[str], fields: list[list[str]], options: str = "") -> st.SearchStrategy[str]:
    """Draw a board, one field from each of at most four groups, and at most two options."""
    chosen = st.lists(st.sampled_from(options.split() or [""]), max_size=2, unique=True)
    written = chosen.map(lambda pairs: f"options={','.join(pairs)}" if any(pairs) else "")
    parts = st.tuples(st.sampled_from(boards), draw_fields(fields), written)
    return parts.map(lambda found: " ".join([found[0], *found[1], found[2]]))
