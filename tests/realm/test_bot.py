"""What bots and counters ask of Realm: the worth of a state, steps about agreement, sequences counted in kernels."""

from __future__ import annotations

import pytest

from realmtable.games.realm.bot import WIN, evaluate
from realmtable.games.realm.state import State
from tests.realm.helpers import GAME, legal, position, random_game, start

EVEN = "W:Bh11{} B:Bh2{}"
AGREED = " phase=over end=agreement"


def worth(white: str = "", black: str = "", seat: int = 0, rest: str = "") -> float:
    return GAME.evaluate(position(EVEN.format(white, black) + rest), seat)


# ---- worth


@pytest.mark.parametrize(
    ("white", "black", "values"),
    [("", "", (0, 0)), (",Bh8", "", (WIN, -WIN)), ("", ",Bh5", (-WIN, WIN)), (",Ea1x", "", (-WIN, WIN))],
)
def test_a_game_that_is_over_is_won_lost_or_drawn(white: str, black: str, values: tuple[float, float]) -> None:
    assert (worth(white, black, 0, AGREED), worth(white, black, 1, AGREED)) == values


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ((",Bh8", ""), ("", "")),  # a Realm more
        (("", ""), ("", ",Bh8")),
        ((",Ea1N", ""), (",Ea1x", "")),  # a mobile Enforcer
        ((",Eg12S", ""), (",Ea1N", "")),  # one that guards a Realm
        ((",Pg1,Ea1N", ""), (",Pa3,Ea1N", "")),  # a Power that threatens a Base
        ((",Pg1", ""), (",Pg1", ",Pg3")),  # unless a Power is there
        ((",Pg1", ",Ea1N"), (",Pg1", ",Eg3N")),  # or a guard
    ],
)
def test_what_is_worth_more(better: tuple[str, str], worse: tuple[str, str]) -> None:
    assert worth(*better) > worth(*worse)


def test_who_leads_wants_the_end() -> None:
    assert worth(",Bh8", "", 0, " left=2/8") > worth(",Bh8", "", 0, " left=9/8")
    assert worth("", ",Bh8", 0, " left=2/8") < worth("", ",Bh8", 0, " left=9/8")


def test_no_state_is_worth_more_than_a_win() -> None:
    for seed in range(3):
        for state, step in list(random_game(seed, max_turns=40))[::9]:
            assert all(abs(evaluate(state, seat)) < WIN or step is None for seat in range(2))


def test_t1_agreement_is_a_proposal() -> None:
    state = position(EVEN.format(",Pg10", "") + " offer=standing")
    words = {text for text in legal(state) if GAME.is_proposal(GAME.parse_move(state, text))}
    assert words == {"offer", "accept"}


# ---- counting


def count(state: State, depth: int) -> int:
    """The number of sequences, step by step."""
    if depth == 0:
        return 1
    return sum(count(state.after(code), depth - 1) for code in state.codes())


@pytest.mark.parametrize("seed", range(4))
def test_perft_counts_every_sequence_of_steps(seed: int) -> None:
    for state, _ in list(random_game(seed, max_turns=40))[::60]:
        assert [GAME.perft(state, depth) for depth in range(3)] == [count(state, depth) for depth in range(3)]


def test_perft_of_the_first_steps_and_the_last() -> None:
    assert [GAME.perft(start(), depth) for depth in range(4)] == [1, 16, 240, 2016]
    over = position(EVEN.format("", "") + AGREED)
    assert [GAME.perft(over, depth) for depth in range(3)] == [1, 0, 0]
