"""Words for boards: latest steps, results, and what a game's `BoardWords` makes of a view."""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.kit.realm_board.describe import (
    BoardWords,
    describe_phase,
    describe_result,
    describe_seat_result,
    is_active,
    latest_paths,
    pieces_by_cell,
)
from realmtable.kit.realm_board.geometry import Cell

WORDS = BoardWords(
    activity=lambda view: [describe_phase(view, {"turn": "to move"})],
    seat=lambda view, seat: f"seat {seat} has {view['discs'][seat]}",
    marks=lambda _: ["one space burns"],
    reasons={"last_base": "by the last Base"},
)
VIEW: dict[str, Any] = {"turn": {"number": 3}, "phase": "turn", "to_move": [1], "discs": [4, 5], "last": [["a1", "b1"]]}


def over_view(winner: int | None) -> dict[str, Any]:
    return {"to_move": [], "outcome": {"scores": [8, 7], "winner": winner, "reason": "last_base"}}


@pytest.mark.parametrize(
    ("last", "found"),
    [
        (None, []),
        ([], []),
        ([["end"], ["pass", "N"]], []),
        ([["a1", "b1"], ["sacrifice", "c1", "face:N"]], [[0, 1], [2]]),
    ],
)
def test_handles_that_are_no_spaces_are_no_path(last: Any, found: list[list[Cell]]) -> None:  # noqa: ANN401 - any JSON value
    assert latest_paths({"last": last}) == found


def test_the_end_in_words() -> None:
    ends = [over_view(winner)["outcome"] for winner in (0, 1, None)]
    assert [describe_result(end) for end in ends] == [
        "White won 8 to 7, last base",
        "Black won 7 to 8, last base",
        "drawn 8 to 7, last base",
    ]
    assert [describe_result(end, scored=False) for end in ends[1:]] == ["Black won, last base", "drawn, last base"]
    assert [describe_seat_result(end, 0) for end in ends] == [["won", "last base"], ["lost"], ["drew", "last base"]]


def test_limits_of_turns_are_named_alike() -> None:
    ends = [
        {"to_move": [], "outcome": over_view(None)["outcome"] | {"reason": f"max_{what}"}}
        for what in ("plies", "turns")
    ]
    assert [WORDS.status(end, 0) for end in ends] == [["drew", "turn limit"]] * 2


def test_the_acting_seat_is_active_and_at_the_end_the_winner() -> None:
    assert [is_active({"to_move": [1], "outcome": None}, seat) for seat in (0, 1)] == [False, True]
    assert [is_active({"to_move": [0]}, seat) for seat in (0, 1)] == [True, False]
    assert [is_active(over_view(1), seat) for seat in (0, 1)] == [False, True]
    assert not is_active(over_view(None), 0)


def test_pieces_are_found_by_their_space() -> None:
    view = {"pieces": [{"at": "b1", "kind": "disc"}, {"at": "tray", "kind": "ring"}]}
    assert pieces_by_cell(view, lambda piece: piece["kind"]) == {1: "disc"}


def test_a_phase_without_words_is_named() -> None:
    assert WORDS.headline({**VIEW, "phase": "burn"}) == "Black burn"


def test_the_board_in_words() -> None:
    assert WORDS.describe(VIEW) == (
        "Turn 3; Black to move; seat 0 has 4; seat 1 has 5; one space burns; last step a1 to b1."
    )
    assert WORDS.describe({**VIEW, "last": None}).endswith("one space burns.")
    assert [WORDS.status(VIEW, seat) for seat in (0, 1)] == [[], ["to move"]]


def test_the_result_in_the_games_own_words() -> None:
    assert WORDS.headline(over_view(0)) == "White won 8 to 7, by the last Base"
    assert [WORDS.status(over_view(0), seat) for seat in (0, 1)] == [["won", "by the last Base"], ["lost"]]
