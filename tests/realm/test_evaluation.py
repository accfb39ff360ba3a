"""The static evaluation of Realm, proposals, and sequences counted in the kernels."""

from __future__ import annotations

import pytest

from realmtable.games.realm.evaluation import is_path_independent
from realmtable.games.realm.first_state import State
from realmtable.kit.evaluation import WIN
from tests.realm.helpers import GAME, legal, play, position, random_game, start

EVEN = "W:Bh11{} B:Bh2{}"
AGREED = " phase=over end=agreement"


def worth(white: str = "", black: str = "", seat: int = 0, rest: str = "") -> float:
    return GAME.evaluate(position(EVEN.format(white, black) + rest), seat)


def nonzero_features(text: str) -> dict[str, float]:
    """The features of a position that are not nothing, but for those that follow from the others."""
    names = [feature.name for feature in GAME.features()]
    found = dict(zip(names, GAME.measures(position(text)), strict=True))
    return {name: amount for name, amount in found.items() if amount and name not in DERIVED}


DERIVED = {"late_realms", "standing", "to_move", "reach", "uncreated"}

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
        ((",Pg1,Ea1E", ""), (",Pg1", "")),  # one that can capture
        ((",Pg1,Ea1E", ""), (",Pg1,Ea1E", ",Pg3")),  # unless a Power is there
    ],
)
def test_what_is_worth_more(better: tuple[str, str], worse: tuple[str, str]) -> None:
    assert worth(*better) > worth(*worse)


def test_the_leader_values_a_near_end() -> None:
    assert worth(",Bh8", "", 0, " left=2/8") > worth(",Bh8", "", 0, " left=9/8")
    assert worth("", ",Bh8", 0, " left=2/8") < worth("", ",Bh8", 0, " left=9/8")


def test_no_state_is_worth_more_than_a_win() -> None:
    for seed in range(3):
        for state, step in list(random_game(seed, max_turns=40))[::9]:
            assert all(abs(GAME.evaluate(state, seat)) < WIN or step is None for seat in range(2))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("W:Bh11,Bh8 B:Bb2 move=W", {"realms": 1, "central": 1}),
        ("W:Bh11,Eg12S B:Bb2 move=W", {"mobile": 1, "guarded": 1}),
        # A Power on a1 gets to the Realms along rank 1 and file a; b2 is its own.
        ("W:Pa1,Bb2 B:Bk11 move=B", {"claims": 6}),
        ("W:Pa1,Bb2 B:Bk11 move=W", {"claims": 6, "claims_now": 6}),
        # The Power of Black in e2 keeps White from claiming it, as White's in b2 keeps Black.
        ("W:Pa1,Bb11 B:Pf1,Bk11 move=W", {"claims": -3, "claims_now": 2}),
        # Two Powers to none in Black's Realm, no Enforcer near to capture; then one that gets there.
        ("W:Bb2,Pg10 B:Bh11 move=B left=1/1", {"majorities": 1}),
        ("W:Bb2,Pg10,Ei3N B:Bh11 move=W", {"mobile": 1, "majorities": 1, "captures": 1, "captures_now": 1}),
        ("W:Bb2,Pg10,Ei3N B:Bh11 move=B", {"mobile": 1, "majorities": 1, "captures": 1}),
        ("W:Bb2,Pg10,Ei3N B:Bh11,Ei12W move=W", {"guarded": -1}),
        # Two Powers and an Enforcer in one Realm.
        ("W:Bb2,Pd1,Pf1,Ee1N B:Bk11 move=B", {"mobile": 1, "juggernauts": 1}),
    ],
)
def test_features_count_what_they_say(text: str, found: dict[str, float]) -> None:
    counted = nonzero_features(text)
    assert {name: counted.get(name, 0.0) for name in found} == found


def test_a_guard_and_a_power_of_the_enemy_keep_a_realm_from_being_a_prize() -> None:
    assert "majorities" not in nonzero_features("W:Bb2,Pg10,Ei3N B:Bh11,Ei12W move=W")
    assert "majorities" not in nonzero_features("W:Bb2,Pg10,Ei3N B:Bh11,Pi11 move=W")


def test_an_own_realm_without_a_guard_can_be_given_one() -> None:
    assert nonzero_features("W:Bb2,Bh2,Pa6 B:Bk11 move=W")["recruits"] == 1
    assert "recruits" not in nonzero_features("W:Bb2,Bh2,Pa6,Ea1N B:Bk11 move=W")
    assert "recruits" not in nonzero_features("W:Bb2,Bh2,Pa6 B:Bk11 move=W stock=0/8")


def test_within_a_turn_the_next_is_the_other_players() -> None:
    begun = play(position("W:Bb2,Pa1 B:Bk11,Pl12 move=W"), "Pa1a6")
    fresh = play(begun, "end")
    assert GAME.measures(begun) == GAME.measures(fresh)


def test_an_enforcer_about_to_be_placed_counts_as_placed() -> None:
    state = play(position("W:Bb2,Pa6,Bh8 B:Bk11,Pl12 move=W"), "Pa6a1")
    names = [feature.name for feature in GAME.features()]
    pending = dict(zip(names, GAME.measures(state), strict=True))
    assert (pending["mobile"], pending["uncreated"]) == (1.0, -1.0)


def test_the_nearer_the_end_the_more_a_lead_counts() -> None:
    names = [feature.name for feature in GAME.features()]
    late = dict(zip(names, GAME.measures(position("W:Bh11,Bh8 B:Bb2 left=1/5 move=W")), strict=True))
    early = dict(zip(names, GAME.measures(position("W:Bh11,Bh8 B:Bb2 left=9/9 move=W")), strict=True))
    assert 0 == early["late_realms"] < late["late_realms"] < 1
    assert 0 == early["standing"] < late["standing"] < 1
    behind = dict(zip(names, GAME.measures(position("W:Bh11 B:Bb2,Be2 left=1/5 move=W")), strict=True))
    assert behind["standing"] == -late["standing"]
    level = dict(zip(names, GAME.measures(position("W:Bh11 B:Bb2 left=1/5 move=W")), strict=True))
    assert level["standing"] == 0.0


def test_what_is_certain_does_not_rest_on_what_came_before() -> None:
    assert is_path_independent(position(EVEN.format("", "") + " phase=over end=last_base").position)
    assert is_path_independent(position(EVEN.format("", "") + " phase=over end=dead_position").position)
    assert not is_path_independent(position(EVEN.format("", "") + " phase=over end=repetition").position)


def test_t1_agreement_is_a_proposal() -> None:
    state = position(EVEN.format(",Pg10", "") + " offer=standing")
    words = {text for text in legal(state) if GAME.is_proposal(GAME.parse_move(state, text))}
    assert words == {"offer", "accept"}


# ---- counting


def count(state: State, depth: int) -> int:
    """The number of sequences, step by step."""
    if depth == 0:
        return 1
    return sum(count(state.after(code), depth - 1) for code in state.legal_codes())


@pytest.mark.parametrize("seed", range(4))
def test_perft_counts_every_sequence_of_steps(seed: int) -> None:
    for state, _ in list(random_game(seed, max_turns=40))[::60]:
        assert [GAME.perft(state, depth) for depth in range(3)] == [count(state, depth) for depth in range(3)]


def test_perft_of_the_first_steps_and_the_last() -> None:
    assert [GAME.perft(start(), depth) for depth in range(4)] == [1, 16, 240, 2016]
    over = position(EVEN.format("", "") + AGREED)
    assert [GAME.perft(over, depth) for depth in range(3)] == [1, 0, 0]
