"""Steps as text and as numbers, and turns as text: what is written is read or refused, and never crashes."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.errors import BadNotation, GameOver, IllegalMove, RealmtableError
from realmtable.games.fantasy_realms.actions import ACTION_COUNT, action_of, move_of
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.notation import BARE_VERBS, BID_VERBS, CARD_VERBS, MAX_TURN, VERBS
from realmtable.games.fantasy_realms.state import Step
from tests.fantasy_realms.helpers import GAME, card, patch_quick_scores, play, random_game, start, table

KING, QUEEN = card("King"), card("Queen")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)


def test_every_step_of_every_card_is_its_text() -> None:
    steps = [Step(word) for word in BARE_VERBS] + [Step("first", seat) for seat in range(7)]
    steps += [Step(verb, one.id) for verb in (*CARD_VERBS, "draw") for one in CARDS]
    steps += [Step(verb, one.id, other.id) for verb in BID_VERBS for one in CARDS[::5] for other in CARDS[::7]]
    for step in steps:
        assert GAME.parse_move(start(), GAME.format_move(start(), step)) == step
    texts = {GAME.format_move(start(), step) for step in steps}
    assert len(texts) == len(steps)


def test_numbers_and_steps_belong_to_each_other() -> None:
    steps = [move_of(action) for action in range(ACTION_COUNT)]
    assert len({*steps}) == ACTION_COUNT == 11505
    assert [action_of(step) for step in steps] == [*range(ACTION_COUNT)]
    assert {step.verb for step in steps} == {*VERBS} - {"time"}, "only the clock says time"


def test_numbers_stay_the_same() -> None:
    steps = (Step("deck"), Step("leave"), Step("take", 52), Step("refuse", 52, 52))
    assert [action_of(step) for step in steps] == [0, 3, 56, 11504]


def test_discard_is_read_as_drop() -> None:
    assert GAME.parse_move(table(), "Discard King") == GAME.parse_move(table(), "drop King")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Write a step"),
        ("   ", "Write a step"),
        ("take " + "x" * 300, "Write a step"),
        ("first", "first 2"),
        ("first 8", "first 2"),
        ("first ²", "first 2"),
        ("take", "Name the card, like take King"),
        ("take Emperor", "no card Emperor"),
        ("bid King", "bid King for Queen"),
        ("bid for Queen", "Name the card"),
        ("bid King for", "Name the card"),
        ("accept King for Emperor", "no card Emperor"),
        ("deck King", "Write deck alone"),
        ("pass", "A step begins with one of active, deck"),
        ("draw King", "no card draw King"),
    ],
)
def test_what_is_no_step_is_refused_with_what_to_write(text: str, words: str) -> None:
    with pytest.raises(BadNotation) as caught:
        GAME.parse_move(table(), text)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_turn_is_read_as_far_as_it_goes() -> None:
    state = play(table(), "deck", "King", "drop King")
    turn = [Step("take", KING), Step("drop", card("Island"))]
    assert GAME.parse_turn(state, "take King, drop Island, deck") == (turn, [], "deck")
    assert GAME.parse_turn(state, "take King", running=True) == (turn[:1], [], "")
    assert GAME.parse_turn(state, "deck") == ([Step("deck")], [], "")
    two = play(start(2), "first 1", "deck", "King", "Queen", "drop King")
    assert GAME.parse_turn(two, "take King, deck") == ([Step("take", KING)], [], "deck")


def test_the_turn_that_ends_the_game_is_read_too() -> None:
    moments = list(random_game(start(3), 1))
    last = next(moment.state for moment in reversed(moments) if moment.seat >= 0 and moment.state.phase == "draw")
    text = f"take {GAME.view(last, None)['discard'][0]['card']}, drop {GAME.view(last, last.seat)['hand'][0]}, deck"
    assert GAME.parse_turn(last, text).rest == "deck"
    final = next(moment.state for moment in reversed(moments) if moment.state.phase == "discard")
    step = moments[-2].step
    assert step is not None
    assert GAME.parse_turn(final, f"{GAME.format_move(final, step)}, deck") == ([step], [], "deck")


def test_after_deck_the_cards_come_first() -> None:
    with pytest.raises(BadNotation, match="wait for the cards"):
        GAME.parse_turn(table(), "deck, drop Cavern")


def test_a_turn_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(IllegalMove, match="P2"):
        GAME.parse_turn(table(), "take King, drop Cavern")
    with pytest.raises(BadNotation):
        GAME.parse_turn(table(), "deck" + ", deck" * MAX_TURN)
    with pytest.raises(GameOver):
        GAME.parse_turn(play(table(3, "chaos"), "time"), "ready")


def test_steps_of_trading_are_read_for_every_seat() -> None:
    steps = [Step("offer", KING), Step("bid", KING, QUEEN), Step("ready")]
    assert GAME.parse_turn(table(3, "chaos"), "offer King, bid King for Queen, ready") == (steps, [], "")


@given(st.text(max_size=40), st.sampled_from((*VERBS, "first", "")), st.sampled_from(["", " for ", ", ", " King"]))
def test_any_text_is_read_or_refused(text: str, verb: str, middle: str) -> None:
    for state in (table(), table(3, "chaos"), play(start(2), "first 1")):
        with suppress(BadNotation):
            GAME.parse_move(state, f"{verb} {text}{middle}{text}")
        with suppress(RealmtableError):
            GAME.parse_turn(state, f"{verb} {text}{middle}{text}")
