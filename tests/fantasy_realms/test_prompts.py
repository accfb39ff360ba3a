"""What a player is asked to do."""

from __future__ import annotations

from realmtable.games.fantasy_realms.state import State
from tests.fantasy_realms.helpers import GAME, play, start, table


def prompt(state: State, seat: int | None = None) -> str:
    """Return what a seat, by default the acting one, is asked to do; nothing if it cannot act."""
    found = GAME.prompt(GAME.view(state, GAME.to_move(state)[0] if seat is None else seat))
    return "" if found is None else found.text


def test_a_turn() -> None:
    state = table()
    assert prompt(state) == "Draw a card from the deck."
    assert prompt(state, 1) == ""
    state = play(state, "deck", "King")
    assert prompt(state) == "Discard a card."
    state = play(state, "drop Cavern")
    assert prompt(state) == "Draw a card from the deck, or take one from the discard area."


def test_the_last_turns() -> None:
    state = table(3)
    asked = []
    for _ in range(10):
        asked.append(prompt(state))
        state = play(state, "deck")
        drawn = GAME.format_move(state, GAME.chance(state)[0].move)
        state = play(state, drawn)
        asked.append(prompt(state))
        state = play(state, f"drop {drawn}")
    assert asked[-4:] == [
        "Draw a card or take one from the discard area: this may be your last turn.",
        "Discard a card.",
        "Draw a card or take one from the discard area: this may be your last turn.",
        "Discard a card; the game then ends.",
    ]
    assert not any("last" in sentence or "ends" in sentence for sentence in asked[:-4])


def test_two_players_gather_their_cards() -> None:
    steps = ("first 1", "deck", "King", "Queen", "drop Queen", "take Queen", "deck", "Dragon", "Hydra")
    assert prompt(play(start(2), *steps[:1])) == "Draw two cards from the deck."
    assert prompt(play(start(2), *steps[:5])) == "Draw two cards from the deck, or take one from the discard area."
    assert prompt(play(start(2), *steps)) == "Discard one of the two cards you drew."
    assert prompt(play(start(2, free_first_discards=True), *steps)) == "Discard a card."


def test_trading() -> None:
    state = table(3, "chaos")
    assert prompt(state, 0) == "Offer a card, or press Ready."
    state = play(state, "1 offer Forest")
    assert prompt(state, 1) == "Offer a card, bid for one, or press Ready."
    state = play(state, "2 bid Island for Forest")
    assert prompt(state, 0) == "Answer a bid, offer a card, or press Ready."
    state = play(state, "1 ready")
    assert prompt(state, 0) == "Wait for the others, or press Trade again."


def test_the_necromancers_choice() -> None:
    state = play(table(4, "chaos"), "time")
    assert prompt(state) == "Draw three cards and keep one as your eighth, or stay at seven cards."
    assert prompt(state, 0) == ""
    assert prompt(play(state, "deck", "King", "Queen", "Dragon")) == "Keep one of the three cards you drew."
