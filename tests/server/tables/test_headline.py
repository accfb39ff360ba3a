"""The headline of a table, as players and spectators read it."""

from __future__ import annotations

import pytest

from realmtable.server.tables import actions
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.scenes.headline import describe_places, describe_result, headline
from realmtable.server.tables.table import Result
from tests.server.support.table_harness import start_table

NAMES = ("Ruby", "Jade", "Amber")


def test_the_acting_player_reads_their_colour_and_others_who_is_to_move() -> None:
    table = start_table().table
    assert [headline(table, you) for you in ((0,), (1,), (), (0, 1))] == [
        "Your turn (you're White)",
        *["White to move"] * 3,
    ]


def test_players_read_how_a_resignation_or_timeout_ended_for_them() -> None:
    resigned = start_table().act(actions.resign, (1,))
    assert [headline(resigned, you) for you in ((0,), (1,), ())] == [
        "You won: Black resigned.",
        "You lost by resignation.",
        "Black resigned; White wins.",
    ]
    timed = start_table(clock=ClockRule("move", 30))
    timed.now += 30
    late = timed.act(actions.check_clocks, timed.now)
    assert [headline(late, you) for you in ((0,), (1,))] == ["You lost on time.", "You won: White ran out of time."]


@pytest.mark.parametrize(
    ("ranking", "scores", "lines"),
    [
        (
            (3, 1, 2),
            (77.0, 195.0, 120.0),
            [
                "Jade wins with 195. You came 3rd with 77.",
                "You win with 195 points.",
                "Jade wins with 195. You came 2nd with 120.",
            ],
        ),
        (
            (2, 1, 2),
            (9.0, 10.0, 9.0),
            ["Jade wins with 10. You share 2nd place with 9.", "You win with 10 points."],
        ),
        # A tie-break, which the text explains.
        ((2, 1, 3), (9.0, 9.0, 1.0), ["The text. You came 2nd with 9.", "You win with 9 points."]),
        (
            (1, 1, 3),
            (9.0, 9.0, 1.0),
            [*["You share 1st place with 9 points."] * 2, "The text. You came 3rd with 1."],
        ),
        ((1, 2), (8.0, 7.0), ["You won. The text.", "You lost. The text."]),
        ((1, 1), (8.0, 8.0), ["The text."] * 2),
        ((1, 1), None, ["The text."] * 2),  # a draw by agreement
        ((1, 1, 3), None, [*["You share the win: Amber resigned."] * 2, "You resigned and came 3rd of 3."]),
        ((1,), (8.0,), ["The text."]),
        ((1,), None, ["You gave up."]),
    ],
)
def test_a_result_is_described_to_each_player(
    ranking: tuple[int, ...], scores: tuple[float, ...] | None, lines: list[str]
) -> None:
    result = Result(ranking, scores, "resignation", "The text.")
    assert [describe_result(result, seat, NAMES) for seat in range(len(lines))] == lines


def test_time_runs_out_for_one_or_several_players() -> None:
    late = [Result((1,), None, "time", "The text."), Result((1, 1, 3), None, "time", "The text.")]
    assert [describe_result(result, len(result.ranking) - 1, NAMES) for result in late] == [
        "You ran out of time.",
        "You ran out of time and came 3rd of 3.",
    ]


@pytest.mark.parametrize(
    ("ranking", "reached", "lines"),
    [
        ((1,), (True,), ["You reached your goal."]),
        ((1,), (False,), ["You fell short of your goal."]),
        (
            (1, 2, 2),
            (True, True, False),
            [
                "You reached your goal and won.",
                "You reached your goal and share 2nd place.",
                "You fell short of your goal and share 2nd place.",
            ],
        ),
        ((1, 2), (False, False), [f"You fell short of your goal and came {place} of 2." for place in ("1st", "2nd")]),
    ],
)
def test_players_read_whether_they_reached_their_goals(
    ranking: tuple[int, ...], reached: tuple[bool, ...], lines: list[str]
) -> None:
    result = Result(ranking, (5.0,) * len(ranking), "days", "The text.", reached)
    assert [describe_result(result, seat, NAMES) for seat in range(len(lines))] == lines
    assert describe_places(result, NAMES) == "The text."  # which says who reached what


@pytest.mark.parametrize(
    ("ranking", "scores", "line"),
    [
        ((2, 1, 3), (120.0, 195.0, 77.0), "Jade wins with 195. Ruby came 2nd with 120."),
        ((2, 1, 2), (7.0, 9.0, 7.0), "Jade wins with 9. Ruby and Amber share 2nd place with 7."),
        ((2, 1, 3), (9.0, 9.0, 8.0), "The text."),  # it explains the tie-break
        ((1, 2), (8.0, 7.0), "The text."),
        ((1, 1, 3), None, "The text."),
    ],
)
def test_spectators_read_the_first_two_places(
    ranking: tuple[int, ...], scores: tuple[float, ...] | None, line: str
) -> None:
    assert describe_places(Result(ranking, scores, "resignation", "The text."), NAMES) == line
