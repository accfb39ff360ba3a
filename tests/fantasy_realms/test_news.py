"""What people are told as it happens, and the deal as one line of the list of moves."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE, CLOCK, Seat
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms.helpers import GAME, card, play, split_seat, start, table

VIEWERS = (None, 0, 1)


def news_for_viewers(state: State, text: str) -> list[str]:
    """What a spectator and the first two seats are told of a step."""
    seat, move = split_seat(state, text)
    return [GAME.news(state, seat, GAME.parse_move(state, move), viewer) for viewer in VIEWERS]


@pytest.mark.parametrize(
    ("before", "text", "sentences"),
    [
        ((), "deck", ["Scarlet draws a card", "", "Scarlet draws a card"]),
        (("deck",), "King", ["", "You draw King", ""]),
        (("deck", "King"), "drop King", ["Scarlet discards King", "You discard King", "Scarlet discards King"]),
        (
            ("deck", "King", "drop King"),
            "take King",
            ["Azure takes King", "Azure takes King", "You take King"],
        ),
    ],
)
def test_a_turn_is_told_as_each_may_know_it(before: tuple[str, ...], text: str, sentences: list[str]) -> None:
    assert news_for_viewers(play(table(), *before), text) == sentences


def test_who_begins_is_told_and_the_cards_of_the_deal_are_not() -> None:
    assert news_for_viewers(start(3), "first 2") == ["Azure begins", "Azure begins", "You begin"]
    assert news_for_viewers(play(start(3), "first 2"), "King") == ["", "", ""]


def test_two_who_gather_their_cards_draw_two_at_once() -> None:
    assert news_for_viewers(table(2, "two_player"), "deck")[0] == "Scarlet draws two cards"


@pytest.mark.parametrize(
    ("text", "everybody", "second"),
    [
        ("1 offer Cavern", "Scarlet offers Cavern", "Scarlet offers Cavern"),
        ("1 withdraw Forest", "Scarlet withdraws Forest", "Scarlet withdraws Forest"),
        ("2 bid Island for Forest", "", "You bid Island for Forest"),
        ("2 cancel Island for Forest", "", "You cancel the bid of Island for Forest"),
        ("1 refuse Island for Forest", "", "Scarlet refuses Island for Forest"),
        (
            "1 accept Island for Forest",
            "Scarlet accepts a card from Azure for Forest",
            "Scarlet accepts Island for Forest",
        ),
        ("2 ready", "Azure wants no more trades", "You want no more trades"),
        ("2 active", "Azure trades again", "You trade again"),
    ],
)
def test_trading_is_told_but_for_what_is_between_two(text: str, everybody: str, second: str) -> None:
    state = play(table(3, "chaos"), "1 offer Forest", "2 bid Island for Forest")
    seat, move = split_seat(state, text)
    step = GAME.parse_move(state, move)
    assert GAME.news(state, seat, step, None) == everybody
    assert GAME.news(state, seat, step, 1) == second


@pytest.mark.parametrize(
    ("step", "viewer", "sentence"),
    [
        (Step("keep", card("King")), None, "Jade keeps a card"),
        (Step("keep", card("King")), 3, "You keep King"),
        (Step("leave"), 0, "Jade stays at seven cards"),
    ],
)
def test_the_necromancer_is_told_of(step: Step, viewer: Seat | None, sentence: str) -> None:
    state = play(table(4, "chaos"), "time")
    assert GAME.news(state, 3, Step("deck"), None) == "Jade draws three cards"
    assert GAME.news(play(state, "deck", "King", "Queen", "Dragon"), 3, step, viewer) == sentence


def test_the_end_of_trading_is_told() -> None:
    assert GAME.news(table(3, "chaos"), CLOCK, Step("time"), 0) == "Time is up"


def test_the_deal_is_one_line_and_what_is_drawn_later_is_not_in_it() -> None:
    deal = play(start(3), "first 2")
    assert GAME.fold_label(start(3), Step("first", 1)) == "Azure begins"
    assert GAME.fold_label(deal, Step("draw", card("King"))) == "Each player is dealt seven cards"
    assert GAME.fold_label(start(3, "chaos"), Step("draw", card("King"))) == "Each player is dealt seven cards"
    assert GAME.fold_label(play(table(), "deck"), Step("draw", card("King"))) == ""
    assert GAME.to_move(deal) == (CHANCE,)
