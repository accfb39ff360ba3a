"""What the acting seat is asked to do."""

from __future__ import annotations

import pytest
from hypothesis import given

from realmtable.games.medieval_realm.first_state import State
from tests.medieval_realm.helpers import TESTED, ending, legal, position, start, states


@pytest.mark.parametrize("board", ["W:Mb11 B:Dk11", "W:Mk11,Mb5 B:Db8 move=W"])
def test_a_piece_in_the_far_row_may_be_borne_off(board: str) -> None:
    assert TESTED.prompt(position(board)) == "Move one of your pieces, or bear one off the board."


def test_other_turns() -> None:
    assert TESTED.prompt(start()) == "Move one of your pieces."
    assert TESTED.prompt(position("W:Mb5,De2 B:Mc6 move=B")) == "Pass: you have no legal move."


@given(states())
def test_a_prompt_fits_the_legal_steps(state: State) -> None:
    if ending(state) is None:
        steps, prompt = legal(state), TESTED.prompt(state)
        assert ("bear one off" in prompt) == any(text.endswith("off") for text in steps)
        assert prompt.startswith("Pass") == (steps == {"pass"})
