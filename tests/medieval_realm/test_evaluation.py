"""The static evaluation: symmetric between White and Black, and independent of earlier positions."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.medieval_realm.evaluation import is_path_independent
from realmtable.kit.evaluation import WIN
from realmtable.search.bot_levels import GreedyBot
from tests.medieval_realm.helpers import GAME, play, position, random_game
from tests.medieval_realm.test_symmetry import MIRROR, SYMMETRIES, state_after

NAMES = [feature.name for feature in GAME.features()]


def nonzero_features(text: str) -> dict[str, float]:
    """The features of a position that are not nothing, but for the move."""
    found = dict(zip(NAMES, GAME.measures(position(text)), strict=True))
    return {name: amount for name, amount in found.items() if amount and name != "to_move"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # The Man of b5 has come one row and the Duke of e8 two; Black's Duke has come none.
        ("W:Mb5,De8 B:Dk11 move=W", {"off": -1, "men_1": 1, "dukes_rows": 2}),
        ("W:Dh2,Me8 B:Dh11,Mk8 move=W", {"men_1": -1, "men_2": 1}),
        # Two Men of White's lie in the Realm of e8, one above the other, each two rows from home; one rises when
        # Black's Man in the second row leaves.
        (
            "W:Dh2,Md7,Me7 B:Me8,Dh11 move=W",
            {"off": -1, "lying": 2, "buried": 1, "lying_rows": 4, "men_1": -1, "men_above": -2},
        ),
        # The same below a Duke.
        ("W:Dh2,Md7 B:De8,Mh11 move=W", {"lying": 1, "lying_rows": 2, "dukes_rows": -1, "dukes_above": -1}),
        # Each Man can dislodge the other, but only the acting seat can do so this turn.
        ("W:Dh2,Mb5 B:Dh11,Mb8 move=W", {"prey_now": 1}),
        ("W:Dh2,Mb5 B:Dh11,Mb8 move=B", {"prey_now": -1}),
        # A Duke cannot be dislodged, and the Man in front of it cannot advance, only move sideways.
        ("W:Dh2,Mb5 B:Dh11,Db8 move=B", {"dukes_rows": -1, "men_1": 1, "stuck": 1, "prey_now": -1}),
        # Over an adjacent friend it can.
        ("W:Dh2,Mb5,Me5 B:Dh11,Db8,Mk11 move=W", {"dukes_rows": -1, "men_1": 2}),
        # A Man in the far row can leave, and so can a Man that jumps over it.
        ("W:Dh2,Me8,Me11 B:Dk11 move=W", {"off": -2, "men_2": 1, "men_3": 1, "exits": 2}),
        ("W:Dh2 B:Dh11 move=W dukes=2/1", {}),
    ],
)
def test_features_count_what_they_say(text: str, found: dict[str, float]) -> None:
    assert nonzero_features(text) == found


def test_m7_a_realm_of_nine_keeps_a_man_from_coming_forward() -> None:
    crowded = "W:Mb5,Dh2,Ma7,Ma8,Ma9,Mb7,Mc7 B:Mb8,Mb9,Mc8,Mc9,Dh11 move=W"
    assert nonzero_features(crowded)["stuck"] == 1
    assert "stuck" not in nonzero_features(crowded.replace(",Mc9", ""))


def test_the_seat_to_move_is_a_feature() -> None:
    white, black = (GAME.measures(position(f"W:Dh2 B:Dh11 move={seat}")) for seat in "WB")
    assert (white[NAMES.index("to_move")], black[NAMES.index("to_move")]) == (1.0, -1.0)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_mirrored_board_measures_the_same_and_a_swapped_one_the_opposite(symmetry: str) -> None:
    sign = 1 if symmetry == MIRROR else -1
    for seed in range(3):
        for state, step in list(random_game(seed))[::5]:
            if step is not None:
                found = GAME.measures(state_after(state, symmetry))
                assert found == tuple(sign * amount for amount in GAME.measures(state))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("W:Dh2 B:Dh11,Mb8", "W:Dh2,Mb5 B:Dh11,Mb8"),  # a piece borne off
        ("W:Dh2,Me8 B:Dh11,Mk5", "W:Dh2,Me5 B:Dh11,Mk5"),  # a row further
        ("W:Dh2,Mb5 B:Dh11,Mk5", "W:Dh2,Ma4 B:Dh11,Mb5"),  # a Man on a Center
        ("W:Dh2,Mb5 B:Dh11,Mb11,Ma4", "W:Dh2,Mb5 B:Dh11,Mb11,Mb8"),  # a dislodged enemy, although it may rise later
    ],
)
def test_what_is_worth_more(better: str, worse: str) -> None:
    assert GAME.evaluate(position(f"{better} move=W"), 0) > GAME.evaluate(position(f"{worse} move=W"), 0)


def test_a_game_that_is_over_is_won_lost_or_drawn() -> None:
    won = play(position("W:Dh11 B:Mk5,Me8 move=W turns=50"), "Dh11off")
    assert (GAME.evaluate(won, 0), GAME.evaluate(won, 1)) == (WIN, -WIN)
    assert is_path_independent(won.position)
    drawn = position("W:Dh2 B:Dh11 move=W end=repetition")
    assert (GAME.evaluate(drawn, 0), GAME.rules.is_over(drawn.position), is_path_independent(drawn.position)) == (
        0.0,
        True,
        False,
    )


def test_no_state_is_worth_more_than_a_win() -> None:
    for state, step in list(random_game(1))[::7]:
        assert step is None or abs(GAME.evaluate(state, 0)) < WIN


def test_the_greedy_bot_bears_the_last_piece_off_and_wins() -> None:
    state = position("W:Db11 B:Dh11,Me5 move=W")
    assert GAME.format_move(state, GreedyBot().choose(GAME, state, 0, Random(1))) == "Db11off"
