"""The notation of steps, draws and turns, clause by clause (N)."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadNotation
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, CLOCK
from realmtable.engine.record import Record
from realmtable.games.fantasy_realms.state import Step
from tests.fantasy_realms.helpers import GAME, card, play, start, table

KING, QUEEN = card("King"), card("Queen")


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("deck", Step("deck")),
        ("take King", Step("take", KING)),
        ("drop King", Step("drop", KING)),
        ("offer King", Step("offer", KING)),
        ("withdraw King", Step("withdraw", KING)),
        ("bid King for Queen", Step("bid", KING, QUEEN)),
        ("cancel King for Queen", Step("cancel", KING, QUEEN)),
        ("accept King for Queen", Step("accept", KING, QUEEN)),
        ("refuse King for Queen", Step("refuse", KING, QUEEN)),
        ("ready", Step("ready")),
        ("active", Step("active")),
        ("keep King", Step("keep", KING)),
        ("leave", Step("leave")),
    ],
)
def test_n1_a_step_is_a_word_and_perhaps_cards(text: str, step: Step) -> None:
    assert GAME.parse_move(table(), text) == step
    assert GAME.format_move(table(), step) == text


def test_n2_chance_and_the_clock_write_theirs() -> None:
    for text, step in (("first 2", Step("first", 1)), ("King", Step("draw", KING)), ("time", Step("time"))):
        assert GAME.parse_move(start(), text) == step
        assert GAME.format_move(start(), step) == text
    state = play(table(3, "chaos"), "1 offer Forest")
    text = Record.from_match(Match.start(GAME, state).play(1, Step("ready")).play(CLOCK, Step("time"))).text()
    assert text.endswith("1. @1:ready / *time\n")


def test_n2_the_deal_goes_round_from_the_starting_player() -> None:
    state = play(start(3), "first 3", "King", "Queen", "Dragon", "Hydra")
    assert state.hands == ((QUEEN,), (card("Dragon"),), (KING, card("Hydra")))


def test_n2_one_card_is_drawn_two_in_the_set_up_of_two_three_by_the_necromancer() -> None:
    for state, cards in (
        (play(table(), "deck"), 1),
        (play(start(2), "first 1", "deck"), 2),
        (play(table(4, "chaos"), "time", "deck"), 3),
    ):
        drawn = 0
        while GAME.to_move(state) == (CHANCE,):
            state = GAME.play(state, CHANCE, GAME.chance(state)[0].move)  # noqa: PLW2901 - to its end
            drawn += 1
        assert drawn == cards


@pytest.mark.parametrize("text", ["TAKE doppelganger", "take  Doppelgänger ", "Take dopp", "take DOPPELGÄNGER"])
def test_n3_names_are_read_forgivingly(text: str) -> None:
    assert GAME.parse_move(table(), text) == Step("take", card("Doppelgänger"))


def test_n3_what_is_not_clear_is_asked_for() -> None:
    with pytest.raises(BadNotation, match="Warhorse, Warlock Lord, Warlord or Warship"):
        GAME.parse_move(table(), "take War")


def test_n4_steps_of_a_turn_have_commas_between_them() -> None:
    state = play(table(), "deck", "King", "drop King")
    steps = [Step("take", KING), Step("drop", card("Island"))]
    assert GAME.format_turn(state, steps) == "take King, drop Island"
    assert GAME.parse_turn(state, "take King,drop Island") == (steps, [], "")


def test_n4_turns_are_counted_the_deal_is_before_the_first() -> None:
    assert GAME.turn(start()) == (0, CHANCE)
    assert GAME.turn(table()) == (1, 0)
    assert GAME.turn(play(table(), "deck", "King", "drop King")) == (2, 1)
    two = play(start(2), "first 2", "deck", "King", "Queen", "drop King")
    assert GAME.turn(two) == (2, 0)
    assert GAME.turn(play(two, "take King")) == (3, 1)


def test_n4_a_turn_of_the_set_up_for_two_is_a_take_or_a_draw_with_its_drop() -> None:
    state = play(start(2), "first 1")
    drawn = [Step("deck"), Step("drop", KING)]
    assert GAME.format_turn(state, drawn) == "deck, drop King"
    state = play(state, "deck", "King", "Queen", "drop King")
    assert GAME.turn(state) == (2, 1)
    taken = [Step("take", KING)]
    assert GAME.format_turn(state, taken) == "take King"
    assert GAME.parse_turn(state, "take King") == (taken, [], "")
    assert GAME.turn(play(state, "take King")) == (3, 0)


def test_n4_turns_of_the_set_up_are_written_so_in_a_record() -> None:
    match = Match.start(GAME, play(start(2), "first 1"))
    for seat, text in ((0, "deck"), (CHANCE, "King"), (CHANCE, "Queen"), (0, "drop King"), (1, "take King")):
        match = match.play(seat, GAME.parse_move(match.state, text))
    lines = Record.from_match(match).text().splitlines()
    assert lines[-2:] == ["1. deck / *King / *Queen / drop King", "2. take King"]


def test_n4_the_choice_of_the_necromancer_is_a_separate_turn() -> None:
    state = play(table(4, "chaos"), "time")
    assert GAME.turn(state) == (2, 3)
    assert GAME.format_turn(state, [Step("leave")]) == "leave"


def test_n4_all_of_trading_is_one_turn_of_no_seat() -> None:
    state = table(4, "chaos")
    turns = {GAME.turn(state), GAME.turn(play(state, "1 offer Forest")), GAME.turn(play(state, "2 ready"))}
    assert turns == {(1, CHANCE)}
    assert GAME.turn(play(state, "time")) == (2, 3)
