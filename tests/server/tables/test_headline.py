"""The headline of a table, as players and spectators read it."""

from __future__ import annotations

import pytest

from realmtable.server.tables import actions
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.scenes.headline import describe_result, headline
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
                "Jade wins with 195 points. You came 3rd with 77.",
                "You won with 195 points.",
                "Jade wins with 195 points. You came 2nd with 120.",
            ],
        ),
        ((2, 1, 3), (9.0, 9.0, 8.0), ["The text. You came 2nd with 9.", "You won with 9 points."]),  # a tie-break
        ((1, 1, 3), (9.0, 9.0, 8.0), ["The text.", "The text.", "The text. You came 3rd with 8."]),
        ((1, 2), (8.0, 7.0), ["You won. The text.", "You lost. The text."]),
        ((1, 1), (8.0, 8.0), ["The text."] * 2),
        ((1, 1, 3), None, ["The text."] * 2),  # the third has resigned
    ],
)
def test_a_result_is_described_to_each_player(
    ranking: tuple[int, ...], scores: tuple[float, ...] | None, lines: list[str]
) -> None:
    result = Result(ranking, scores, "resignation", "The text.")
    assert [describe_result(result, seat, NAMES) for seat in range(len(lines))] == lines
