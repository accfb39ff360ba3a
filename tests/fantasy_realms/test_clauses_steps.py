"""The notation of steps, draws and turns, clause by clause (N)."""

from __future__ import annotations

import pytest

from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, CLOCK
from realmtable.engine.record import Record
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms.helpers import GAME, card, play, start, table

KING, QUEEN = card("King"), card("Queen")
TAKE = Step("take", KING)


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


def test_n4_turns_of_the_set_up_are_written_so_in_a_record() -> None:
    match = Match.start(GAME, play(start(2), "first 1"))
    for seat, text in ((0, "deck"), (CHANCE, "King"), (CHANCE, "Queen"), (0, "drop King"), (1, "take King")):
        match = match.play(seat, GAME.parse_move(match.state, text))
    lines = Record.from_match(match).text().splitlines()
    assert lines[-2:] == ["1. deck / *King / *Queen / drop King", "2. take King"]


@pytest.mark.parametrize(
    ("state", "steps", "text"),
    [
        (play(table(), "deck", "King", "drop King"), [TAKE, Step("drop", card("Island"))], "take King, drop Island"),
        (play(start(2), "first 1", "deck", "King", "Queen", "drop King"), [TAKE], "take King"),
        (play(table(4, "chaos"), "time"), [Step("leave")], "leave"),
    ],
    ids=["turn", "set-up", "Necromancer"],
)
def test_n4_steps_of_a_turn_have_commas_between_them(state: State, steps: list[Step], text: str) -> None:
    assert GAME.format_turn(state, steps) == text
    for written in (text, text.replace(", ", ","), text.replace(", ", " , ")):
        assert GAME.parse_turn(state, written) == (steps, [], "")
