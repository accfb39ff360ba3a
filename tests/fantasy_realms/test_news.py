"""The news as viewers read it, and the deal as one line of the move list."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE, CLOCK, Seat
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms.helpers import GAME, card, play, split_seat, start, table

VIEWERS = (None, 0, 1)


def news_for_viewers(state: State, text: str) -> list[str]:
    """Return the news of a step for a spectator and the first two seats."""
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
def test_the_news_of_a_turn_shows_what_each_viewer_may_know(
    before: tuple[str, ...], text: str, sentences: list[str]
) -> None:
    assert news_for_viewers(play(table(), *before), text) == sentences


def test_the_first_player_is_announced_without_the_dealt_cards() -> None:
    assert news_for_viewers(start(3), "first 2") == ["Azure begins", "Azure begins", "You begin"]
    assert news_for_viewers(play(start(3), "first 2"), "King") == ["", "", ""]


def test_with_two_players_two_cards_are_drawn_at_once() -> None:
    assert news_for_viewers(table(2, "two_player"), "deck")[0] == "Scarlet draws two cards"


@pytest.mark.parametrize(
    ("text", "everybody", "second"),
    [
        ("1 offer Cavern", "Scarlet offers Cavern", "Scarlet offers Cavern"),
        ("1 withdraw Forest", "Scarlet withdraws Forest", "Scarlet withdraws Forest, which ends your bid for Forest"),
        ("2 bid Island for Forest", "", "You bid Island for Forest"),
        ("2 cancel Island for Forest", "", "You cancel the bid of Island for Forest"),
        ("1 refuse Island for Forest", "", "Scarlet refuses your bid of Island for Forest"),
        (
            "1 accept Island for Forest",
            "Scarlet accepts a card from Azure for Forest",
            "Scarlet accepts Island for Forest",
        ),
        ("2 ready", "Azure wants no more trades", "You want no more trades"),
        ("2 active", "Azure trades again", "You trade again"),
    ],
)
def test_the_news_of_trading_hides_what_concerns_only_two(text: str, everybody: str, second: str) -> None:
    state = play(table(3, "chaos"), "1 offer Forest", "2 bid Island for Forest")
    seat, move = split_seat(state, text)
    step = GAME.parse_move(state, move)
    assert GAME.news(state, seat, step, None) == everybody
    assert GAME.news(state, seat, step, 1) == second


def test_the_news_of_a_trade_say_which_bids_of_others_it_ends() -> None:
    steps = ("1 offer Forest", "2 bid Island for Forest", "3 bid Candle for Forest")
    state = play(table(3, "chaos"), *steps)
    step = GAME.parse_move(state, "accept Island for Forest")
    trade = "Scarlet accepts a card from Azure for Forest"
    assert GAME.news(state, 0, step, 2) == f"{trade}, which ends your bid for Forest"
    assert GAME.news(state, 0, step, 0) == "You accept Island for Forest"


@pytest.mark.parametrize(
    ("step", "viewer", "sentence"),
    [
        (Step("keep", card("King")), None, "Jade keeps a card"),
        (Step("keep", card("King")), 3, "You keep King"),
        (Step("leave"), 0, "Jade stays at seven cards"),
    ],
)
def test_the_news_of_the_necromancer(step: Step, viewer: Seat | None, sentence: str) -> None:
    state = play(table(4, "chaos"), "time")
    assert GAME.news(state, 3, Step("deck"), None) == "Jade draws three cards"
    assert GAME.news(play(state, "deck", "King", "Queen", "Dragon"), 3, step, viewer) == sentence


def test_the_end_of_trading_is_announced() -> None:
    assert GAME.news(table(3, "chaos"), CLOCK, Step("time"), 0) == "Time is up"


def test_the_deal_is_one_line_and_what_is_drawn_later_is_not_in_it() -> None:
    deal = play(start(3), "first 2")
    assert GAME.fold_label(start(3), Step("first", 1)) == "Azure begins"
    assert GAME.fold_label(deal, Step("draw", card("King"))) == "Each player is dealt seven cards"
    assert GAME.fold_label(start(3, "chaos"), Step("draw", card("King"))) == "Each player is dealt seven cards"
    assert GAME.fold_label(play(table(), "deck"), Step("draw", card("King"))) == ""
    assert GAME.to_move(deal) == (CHANCE,)
