"""The table's clock as a seat: it acts only where a game allows it, and records include it."""

from __future__ import annotations

from random import Random

import pytest

import realmtable
from realmtable.engine.dice_verification import verify
from realmtable.engine.match import Match
from realmtable.engine.perft import divide, legal_steps
from realmtable.engine.protocol import CHANCE, CLOCK, player_seats
from realmtable.engine.record import Record, load_record, parse_record
from realmtable.search.mcts_policies import playout, random_step
from realmtable.search.playout_speed import play_out

GAME = realmtable.game("fantasy_realms")


def start_trading(seats: int = 3) -> Match:
    """Start a match of Chaos Realms and deal the cards."""
    return Match.start(GAME, GAME.initial(seats, GAME.options("chaos", max_steps=20)), seed="clock")


def step(match: Match, seat: int, text: str) -> Match:
    return match.play(seat, GAME.parse_move(match.state, text))


def test_the_clock_comes_after_the_seats_and_chance_acts_alone() -> None:
    match = start_trading()
    assert GAME.to_move(match.state) == (0, 1, 2, CLOCK)
    assert player_seats(GAME.to_move(match.state)) == (0, 1, 2)
    assert player_seats((CHANCE,)) == ()


def test_a_record_writes_the_clocks_step_and_plays_it_again() -> None:
    match = step(step(start_trading(), 1, "ready"), CLOCK, "time")
    text = Record.from_match(match, {"Seats": "3"}).text()
    assert "\nOptions: variant=chaos, max_steps=20\n" in text
    assert "@1:ready / *time\n" in text
    again = load_record(text, realmtable.game)
    assert again.replay().state == match.state
    assert again.text() == text


def test_the_clock_is_no_draw_that_has_to_follow_from_the_seed() -> None:
    match = step(start_trading(), CLOCK, "time")
    while GAME.to_move(match.state):
        match = step(match, GAME.to_move(match.state)[0], "leave")
    verdict = verify(load_record(Record.from_match(match).text(), realmtable.game))
    assert verdict.is_fair
    assert "all 21 draws" in verdict.text


def test_a_record_that_cannot_be_read_names_the_clock() -> None:
    text = Record.from_match(start_trading(), {"Seats": "3"}).text() + "1. *time / *time\n"
    fault = parse_record(text, realmtable.game).fault
    assert fault is not None
    text = Record.from_match(start_trading(), {"Seats": "3"}).text() + "1. @0:take King\n"
    fault = parse_record(text, realmtable.game).fault
    assert fault is not None
    assert fault.label == "1. Scarlet and Azure and Amber and the clock, @0:take King"


def test_a_record_without_a_number_of_seats_holds_its_first_state() -> None:
    match = step(start_trading(), 0, "ready")
    text = Record.from_match(match).text()
    assert "\nStart: hands=// phase=deal options=variant=chaos,max_steps=20\n" in text
    assert load_record(text, realmtable.game).replay().state == match.state


def test_counting_ways_counts_the_clocks_step() -> None:
    match = start_trading()
    assert (CLOCK, GAME.legal_moves(match.state, CLOCK)[0]) in legal_steps(GAME, match.state)
    ways = divide(GAME, match.state, 1)
    assert ways["*time"] == 1
    assert ways["@2:ready"] == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_driver_without_a_clock_never_lets_it_act(seed: int) -> None:
    reasons = play_out(GAME, start_trading().state, [seed]).reasons
    assert "time" not in reasons
    *_, last = playout(GAME, start_trading().state, random_step, Random(seed))
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert outcome.reason in ("all_ready", "max_steps")
