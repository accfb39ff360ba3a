"""What the acting seat is asked to do."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.modern_realm.helpers import TESTED, ending, legal, play, position, random_game, start


def test_the_phases() -> None:
    assert TESTED.prompt(start(counter_agent="choose")) == "Choose which of your pieces is the Counter-Agent."
    assert TESTED.prompt(start()) == (
        "Choose a Realm (a block of nine spaces) and move all your pieces out of it that can move."
    )
    captured = play(position("W:Aa5,Ab5,Ac5 B:Ab8,Ak11"), "Ab5b7")
    assert TESTED.prompt(captured) == "Move your next piece out of the Realm around b5."


def test_the_space_of_a_dislodged_agent() -> None:
    captured = play(position("W:Ab4,Ac9,Ca1 B:Ab8,Ck11"), "Ab4b7")
    assert TESTED.prompt(captured) == "Put the dislodged Agent on a free space of the Realm around b8."


@pytest.mark.parametrize("board", ["W:Aa4 B:Hb5,Ac4,Ak11 move=W", "W:Hb11,Ab12,Hk8 B:Ac12"])
def test_a_player_without_a_move_passes(board: str) -> None:
    assert TESTED.prompt(position(board)) == "Pass: you have no legal move."


def test_a_piece_cannot_leave_into_the_realm_of_the_enemy_counter_agent() -> None:
    for black, passes in (("Ab1,Ca5,Ak11", True), ("Ab1,Aa5,Ck11", False)):
        state = position(f"W:Aa1 B:{black}")
        assert TESTED.prompt(state).startswith("Pass") == (legal(state) == {"pass"}) == passes


@pytest.mark.parametrize("seed", range(4))
def test_a_prompt_says_pass_only_if_there_is_no_move(seed: int) -> None:
    for state, _ in islice(random_game(seed), 150):
        if ending(state) is None:
            assert TESTED.prompt(state).startswith("Pass") == (legal(state) == {"pass"})
