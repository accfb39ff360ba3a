"""What a player is asked to do."""

from __future__ import annotations

import pytest

from realmtable.games.fantasy_realms.state import State
from tests.example_tables import read_table
from tests.fantasy_realms.helpers import GAME, play, set_up, table

# A game, the steps before, the seat, and what it is asked; nothing if it cannot act.
PROMPTS = read_table("""
dealt 3 | | 1 | Draw a card from the deck.
dealt 3 | | 2 |
dealt 3 | deck; King | 1 | Discard a card.
dealt 3 | deck; King; drop Cavern | 2 | Draw a card from the deck, or take one from the discard area.
new 2 | first 1 | 1 | Draw two cards from the deck.
new 2 | first 1; deck; King; Queen; drop Queen | 2 | Draw two cards from the deck, or take one from the discard area.
new 2 | first 1; deck; King; Queen; drop Queen; take Queen; deck; Dragon; Hydra | 1 | Discard one of the two cards you drew.
new 2 standard free_first_discards=on | first 1; deck; King; Queen; drop Queen; take Queen; deck; Dragon; Hydra | 1 | Discard a card.
dealt 3 chaos | | 1 | Offer a card, or press Ready.
dealt 3 chaos | 1 offer Forest | 2 | Offer a card, bid for one, or press Ready.
dealt 3 chaos | 1 offer Forest; 2 bid Island for Forest | 1 | Answer a bid, offer a card, or press Ready.
dealt 3 chaos | 1 ready | 1 | Wait for the others, or press Trade again.
dealt 4 chaos | time | 4 | Draw three cards and keep one as your eighth, or stay at seven cards.
dealt 4 chaos | time | 1 |
dealt 4 chaos | time; deck; King; Queen; Dragon | 4 | Keep one of the three cards you drew.
""")  # noqa: E501 - a row is one example


def prompt(state: State, seat: int) -> str:
    found = GAME.prompt(GAME.view(state, seat))
    return "" if found is None else found.text


@pytest.mark.parametrize(("before", "steps", "seat", "words"), PROMPTS)
def test_what_a_player_is_asked(before: str, steps: str, seat: str, words: str) -> None:
    assert prompt(play(set_up(before), *filter(None, steps.split("; "))), int(seat) - 1) == words


def test_the_last_turns() -> None:
    state = table(3)
    asked = []
    for turn in range(10):
        asked.append(prompt(state, turn % 3))
        state = play(state, "deck")
        drawn = GAME.format_move(state, GAME.chance(state)[0].move)
        state = play(state, drawn)
        asked.append(prompt(state, turn % 3))
        state = play(state, f"drop {drawn}")
    assert asked[-4:] == [
        "Draw a card or take one from the discard area: this may be your last turn.",
        "Discard a card.",
        "Draw a card or take one from the discard area: this may be your last turn.",
        "Discard a card; the game then ends.",
    ]
    assert not any("last" in sentence or "ends" in sentence for sentence in asked[:-4])
