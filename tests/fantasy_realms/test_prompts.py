"""What a player is asked to do."""

from __future__ import annotations

import pytest

from realmtable.games.fantasy_realms.state import State
from tests.fantasy_realms.helpers import GAME, play, start, table

TWO = ("first 1", "deck", "King", "Queen", "drop Queen", "take Queen", "deck", "Dragon", "Hydra")


def prompt(state: State, seat: int | None = None) -> str:
    """Return what a seat, by default the acting one, is asked to do; nothing if it cannot act."""
    found = GAME.prompt(GAME.view(state, GAME.to_move(state)[0] if seat is None else seat))
    return "" if found is None else found.text


@pytest.mark.parametrize(
    ("state", "steps", "seat", "words"),
    [
        (table(), (), None, "Draw a card from the deck."),
        (table(), (), 1, ""),
        (table(), ("deck", "King"), None, "Discard a card."),
        (table(), ("deck", "King", "drop Cavern"), 1, "Draw a card from the deck, or take one from the discard area."),
        (start(2), TWO[:1], None, "Draw two cards from the deck."),
        (start(2), TWO[:5], None, "Draw two cards from the deck, or take one from the discard area."),
        (start(2), TWO, None, "Discard one of the two cards you drew."),
        (start(2, free_first_discards=True), TWO, None, "Discard a card."),
        (table(3, "chaos"), (), 0, "Offer a card, or press Ready."),
        (table(3, "chaos"), ("1 offer Forest",), 1, "Offer a card, bid for one, or press Ready."),
        (
            table(3, "chaos"),
            ("1 offer Forest", "2 bid Island for Forest"),
            0,
            "Answer a bid, offer a card, or press Ready.",
        ),
        (table(3, "chaos"), ("1 ready",), 0, "Wait for the others, or press Trade again."),
        (
            table(4, "chaos"),
            ("time",),
            3,
            "Draw three cards and keep one as your eighth, or stay at seven cards.",
        ),
        (table(4, "chaos"), ("time",), 0, ""),
        (table(4, "chaos"), ("time", "deck", "King", "Queen", "Dragon"), 3, "Keep one of the three cards you drew."),
    ],
)
def test_what_a_player_is_asked(state: State, steps: tuple[str, ...], seat: int | None, words: str) -> None:
    assert prompt(play(state, *steps), seat) == words


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
