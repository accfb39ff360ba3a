"""Views, the clicks that enter steps, and steps in words."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE, CLOCK
from realmtable.games.fantasy_realms.scoring.score import best_score, score_to_json
from realmtable.games.fantasy_realms.state import Step
from tests.fantasy_realms.helpers import GAME, card, hand, play, start, table

KING, QUEEN = card("King"), card("Queen")


def test_a_player_sees_the_table_and_their_own_hand() -> None:
    state = play(table(), "deck", "King", "drop Cavern", "take Cavern")
    view = GAME.view(state, 1)
    assert view["hand"] == hand(state, 1)
    assert view["drawn"] == ["Cavern"]
    assert {name: view[name] for name in ("viewer", "variant", "phase", "seats", "seat", "turn", "first")} == {
        "viewer": 1, "variant": "standard", "phase": "discard", "seats": 3, "seat": 1, "turn": 2, "first": 0,
    }  # fmt: skip
    assert view["counts"] == [7, 8, 7]
    assert (view["deck"], view["limit"], view["last_turns"]) == (31, 10, False)
    assert (view["offers"], view["bids"], view["ready"]) == ([], [], [False] * 3)
    assert (view["scores"], view["ranking"], view["options"]) == (None, None, [])


def test_a_player_sees_the_value_of_their_hand() -> None:
    state = table()
    score = score_to_json(best_score(state.hands[2], (), state.options))
    assert GAME.view(state, 2)["worth"] == {**score, "exact": True}
    assert GAME.view(state, None)["worth"] is None
    assert GAME.view(play(start(), "first 1", "King"), 0)["worth"] is None
    assert GAME.view(play(start(2), "first 1"), 0)["worth"]["total"] == 0


def test_x7_the_cards_that_the_necromancer_drew_do_not_count_yet() -> None:
    state = play(table(4, "chaos"), "time", "deck", "King", "Queen", "Dragon")
    view = GAME.view(state, 3)
    assert view["drawn"] == ["King", "Queen", "Dragon"]
    assert view["worth"]["total"] == best_score(state.hands[3][:7], (), state.options).total


def test_a_spectator_is_shown_no_hand_and_chance_no_more_than_a_spectator() -> None:
    view = GAME.view(table(), None)
    assert (view["hand"], view["viewer"], view["moves"], view["drawn"]) == (None, None, {}, [])
    assert GAME.view(table(), CHANCE) == GAME.view(table(), CLOCK) == view


def test_two_players_play_by_the_rules_for_two() -> None:
    view = GAME.view(start(2), None)
    assert (view["variant"], view["limit"], view["first"], view["seat"]) == ("two_player", 12, None, None)


def test_the_last_turns_are_announced_when_fewer_cards_are_missing_than_there_are_players() -> None:
    state = table(3)
    for missing in range(9, 0, -1):
        state = play(state, "deck")
        drawn = GAME.format_move(state, GAME.chance(state)[0].move)
        state = play(state, drawn, f"drop {drawn}")
        assert GAME.view(state, None)["last_turns"] == (missing < 3)
    assert not GAME.view(table(3, "chaos"), None)["last_turns"]


@pytest.mark.parametrize(
    ("steps", "viewer", "moves"),
    [
        ((), 0, {"deck": True, "take": [], "drop": []}),
        ((), 1, {}),
        (("deck", "King", "drop King"), 1, {"deck": True, "take": ["King"], "drop": []}),
    ],
)
def test_a_player_sees_their_possible_actions(steps: tuple[str, ...], viewer: int, moves: dict[str, object]) -> None:
    assert GAME.view(play(table(), *steps), viewer)["moves"] == moves


def test_a_trader_sees_their_possible_actions() -> None:
    state = play(
        table(3, "chaos"), "1 offer Forest", "3 offer Candle", "2 bid Island for Forest", "2 bid Smoke for Forest"
    )
    moves = GAME.view(state, 0)["moves"]
    assert (moves["withdraw"], moves["bid"], moves["ready"]) == (["Forest"], ["Candle"], True)
    assert moves["accept"] == moves["refuse"] == [["Island", "Forest"], ["Smoke", "Forest"]]
    assert "Forest" not in moves["offer"]
    assert GAME.view(state, 1)["moves"]["cancel"] == [["Island", "Forest"], ["Smoke", "Forest"]]
    assert GAME.view(play(state, "1 ready"), 0)["moves"] == {"deck": False, "take": [], "drop": [], "active": True}


@pytest.mark.parametrize(
    ("step", "path"),
    [
        (Step("deck"), ("deck",)),
        (Step("take", KING), ("discard:King", "discard:King")),
        (Step("drop", KING), ("hand:King", "hand:King")),
        (Step("keep", KING), ("hand:King", "hand:King")),
        (Step("offer", KING), ("hand:King", "hand:King")),
        (Step("withdraw", KING), ("offer:King",)),
        (Step("bid", KING, QUEEN), ("offer:Queen", "hand:King")),
        (Step("cancel", KING, QUEEN), ("your_bids", "bid:King:Queen")),
        (Step("accept", KING, QUEEN), ("bids", "accept:King:Queen")),
        (Step("refuse", KING, QUEEN), ("bids", "refuse:King:Queen")),
        (Step("ready"), ("ready",)),
        (Step("active"), ("active",)),
        (Step("leave"), ("leave",)),
        (Step("time"), ("time",)),
        (Step("draw", KING), ("card:King",)),
        (Step("first", 1), ("first:2",)),
    ],
)
def test_a_step_is_a_path_of_clicks_and_every_click_has_a_label(step: Step, path: tuple[str, ...]) -> None:
    assert GAME.handles(GAME.view(table(), 0), step) == path
    for handle in path:
        label = GAME.label(handle)
        assert label != handle
        assert label[0].isupper()


def test_a_bid_that_the_picture_shows_is_answered_with_one_click() -> None:
    state = play(table(3, "chaos"), "1 offer Forest", "2 bid Island for Forest")
    island, forest = (GAME.parse_move(state, f"take {name}").card for name in ("Island", "Forest"))
    answers = [GAME.handles(GAME.view(state, 0), Step(verb, island, forest)) for verb in ("accept", "refuse")]
    assert answers == [("accept:Island:Forest",), ("refuse:Island:Forest",)]
    assert GAME.handles(GAME.view(state, 1), Step("cancel", island, forest)) == ("bid:Island:Forest",)


def test_labels_say_what_a_click_means() -> None:
    assert GAME.label("bid:King:Queen") == "King, bid for Queen"
    assert GAME.label("discard:King") == "King, in the discard area"
    assert GAME.label("accept:King:Queen") == "Accept King for Queen"
    for nonsense in ("", "king", "bid:King", "accept:King", "hand:King:Queen", "place:King"):
        assert GAME.label(nonsense) == nonsense


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step("take", KING), "Take King"),
        (Step("bid", KING, QUEEN), "Bid King for Queen"),
        (Step("first", 1), "Azure begins"),
        (Step("draw", KING), "King"),
        (Step("ready"), "Ready: no more trades"),
    ],
)
def test_steps_are_described_in_words(step: Step, words: str) -> None:
    assert GAME.describe_move(table(), step) == words


def test_drawing_is_described_with_the_number_of_cards() -> None:
    assert GAME.describe_move(table(), Step("deck")) == "Draw a card from the deck"
    assert GAME.describe_move(play(start(2), "first 1"), Step("deck")) == "Draw two cards from the deck"
    assert GAME.describe_move(play(table(4, "chaos"), "time"), Step("deck")) == "Draw three cards from the deck"
