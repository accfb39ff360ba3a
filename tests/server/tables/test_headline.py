"""The headline of a table, as players and spectators read it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.latest_turn import describe_latest
from realmtable.server.tables.scenes.headline import describe_places, describe_result, headline
from realmtable.server.tables.table import Occupant, Result
from tests.server.support.table_harness import TableHarness, register_toys, show, start_table

NAMES = ("Ruby", "Jade", "Amber")


def test_the_acting_player_reads_their_colour_and_others_who_is_to_move() -> None:
    table = start_table().table
    assert [headline(table, you) for you in ((0,), (1,), (), (0, 1))] == [
        "Your turn (you're White)",
        *["White to move"] * 3,
    ]


def test_where_all_act_at_once_nobody_is_said_to_be_to_move() -> None:
    table = TableHarness("fantasy_realms", seats=3, options=("variant=chaos",)).seat_players().table
    names = ("Scarlet", "Azure", "Olive")
    assert [headline(table, you, names) for you in ((0,), (2,), (), (0, 1))] == [
        "Trading (you're Scarlet)",
        "Trading (you're Olive)",
        *["Trading"] * 2,
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


THREE = ("Scarlet", "Azure", "Amber")
TWO = ("White", "Black")


def make_news(*steps: tuple[int | None, str], kind: str = "stepped") -> list[dict[str, Any]]:
    return [{"seat": seat, "kind": "drew" if seat is None else kind, "words": words} for seat, words in steps]


BEGUN = {"seat": None, "kind": "started", "words": "The game begins."}


@pytest.mark.parametrize(
    ("steps", "you", "line"),
    [
        ((), (0,), ""),
        (((0, "White: a"), (1, "Black: b"), (1, "Black: c")), (0,), "Black: b; c"),
        (((0, "White: a"), (0, "White: b")), (), "White: a; b"),
        (((0, "White: a"), (None, "Chance: 5"), (None, "Chance: 6")), (0,), "Chance: 5; 6"),
        (((0, "White: a"), (1, "Black: b"), (None, "Chance: 5")), (0,), "Black: b; Chance: 5"),
        (((0, "White: a"), (1, "Black: b"), (None, "Chance: 5")), (1,), "Chance: 5"),
        (
            ((0, "White: a"), (None, "Chance: 4"), (1, "Black: b"), (None, "Chance: 5"), (1, "Black: c")),
            (0,),
            "Black: b; Chance: 5; Black: c",
        ),
        (((0, "White: a"), (1, "Black: b"), (1, "Black: End turn")), (0,), "Black: b"),
        (((0, "White: a"), (0, "White: End turn; the game ends")), (1,), "White: a; End turn; the game ends"),
    ],
)
def test_with_two_players_it_is_the_latest_turn(steps: Any, you: tuple[int, ...], line: str) -> None:
    assert describe_latest(make_news(*steps), you, TWO) == line


ROUND = (
    (0, "You drop King"),
    (1, "Azure draws a card"),
    (None, ""),
    (1, "Azure drops Queen"),
    (2, "Amber takes Queen"),
    (2, "Amber drops Candle"),
)


@pytest.mark.parametrize(
    ("steps", "you", "line"),
    [
        (ROUND, (0,), "Azure draws a card, drops Queen; Amber takes Queen, drops Candle"),
        (ROUND, (), "Amber takes Queen, drops Candle"),
        (ROUND, (0, 1, 2), "Amber takes Queen, drops Candle"),
        (ROUND[:1], (0,), "You drop King"),
        ((*ROUND[:1], (None, "You draw Dragon")), (0,), "You draw Dragon"),
        (ROUND[1:], (0,), "Azure draws a card, drops Queen; Amber takes Queen, drops Candle"),
    ],
)
def test_with_more_players_it_is_everything_since_the_own_turn(steps: Any, you: tuple[int, ...], line: str) -> None:
    assert describe_latest(make_news(*steps), you, THREE) == line


def test_the_start_of_the_game_is_replaced_by_the_first_step() -> None:
    assert describe_latest([BEGUN], (0,), THREE) == "The game begins."
    assert describe_latest([BEGUN, *make_news((None, "You begin"))], (0,), THREE) == "You begin"


def test_a_request_for_a_hint_is_shown_alone() -> None:
    news = make_news((0, "White: a")) + make_news((0, "White asks for a hint."), kind="hinted")
    for others in ((1,), ()):
        assert describe_latest(news, others, TWO) == "White asks for a hint."


def test_your_own_request_for_a_hint_leaves_the_latest_turn_in_place() -> None:
    news = make_news((0, "White: a"), (1, "Black: b")) + make_news((0, "White asks for a hint."), kind="hinted")
    assert describe_latest(news, (0,), TWO) == describe_latest(news, (0, 1), TWO) == "Black: b"
    assert describe_latest(news[2:], (0,), TWO) == ""


def test_your_own_offer_leaves_the_latest_turn_in_place() -> None:
    words = "White asks to take back their last turn."
    news = make_news((0, "White: a")) + make_news((0, words), kind="offered")
    assert describe_latest(news, (0,), TWO) == "White: a"
    assert describe_latest(news, (1,), TWO) == describe_latest(news, (), TWO) == words


@pytest.mark.parametrize(
    ("game", "seats"),
    [("classic_realm", 2), ("dice_duel", 2), ("dice_duel", 3), ("secret_cards", 2), ("secret_cards", 3)],
)
def test_all_scenes_have_the_same_fields_and_each_its_viewers_line(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of a scene cannot remove a field."""
    register_toys(monkeypatch)
    played, rng, fields = start_table(game, seats=seats), Random(1), set[frozenset[str]]()
    for number in range(7):
        if number == 5:
            played.act(lambda _: [EventDraft("hinted", 0)])
        elif number == 6 and played.table.result is None:
            played.act(actions.resign, (0,), Occupant("p9", "level1"))
        elif 0 < number < 5:
            played.play(rng)
        for you in ((), (0,), (1,)):
            shown = show(played.table, you)
            names = [seat["name"] for seat in shown["seats"]]
            assert shown["latest"] == describe_latest(shown["news"], you, names)
            fields.add(frozenset(shown))
    assert len(fields) == 1


def test_what_the_own_step_led_to_is_kept_however_much_others_did_since() -> None:
    others = [(1, f"Azure takes step {number}") for number in range(40)]
    news = make_news((0, "You search"), (None, "You roll 4 and 2: nothing"), *others)
    line = describe_latest(news, (0,), THREE)
    assert line.startswith("You roll 4 and 2: nothing; Azure takes step 21, ")
    assert line.endswith(", takes step 39")
