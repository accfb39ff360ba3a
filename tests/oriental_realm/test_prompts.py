"""What the acting seat is asked to do."""

from __future__ import annotations

import pytest
from hypothesis import given

from realmtable.games.oriental_realm.first_state import State
from tests.oriental_realm.helpers import TESTED, ending, legal, phase_of, play, position, start, states


def test_the_set_up() -> None:
    assert TESTED.prompt(start(emperor="choose")) == "Choose which of your pieces is the Emperor."
    state = start(free_setup=True)
    assert TESTED.prompt(state) == "Place a Mandarin or your Emperor in an empty Realm."
    state = play(state, "Eb2 Mb11")
    assert TESTED.prompt(state) == "Place a Mandarin in an empty Realm."
    state = play(state, "Me2 Me11 Mh2 Mh11 Mk2 Mk11 Mb5 Mb8 Me5 Me8 Mh5 Mh8 Mk5")
    assert TESTED.prompt(state) == "Place your Emperor in an empty Realm."


def test_a_turn() -> None:
    assert TESTED.prompt(start()) == "Move one or more of your pieces in one Realm (a block of nine spaces)."
    state = position("W:Ma1,Mb2 B:Mk11,Ek8")
    assert TESTED.prompt(play(state, "Ma1a2")) == "Move another piece from the Realm around b2, or end your turn."
    assert TESTED.prompt(play(start(), "Mb5b6")) == "End your turn: no other piece from the Realm around b5 can move."


@pytest.mark.parametrize("board", ["W:Mb2 B:Ma2,Mc2,Mk9", "W: B:"])
def test_a_player_without_a_move_passes(board: str) -> None:
    assert TESTED.prompt(position(board)) == "Pass: you have no legal move."


@given(states())
def test_a_prompt_fits_the_legal_steps(state: State) -> None:
    if ending(state) is None and phase_of(state) == "turn":
        steps, prompt = legal(state), TESTED.prompt(state)
        assert prompt.startswith("Pass") == (steps == {"pass"})
        assert prompt.startswith("End your turn: no other piece") == (steps == {"end"})
