"""What discarding a card would do to a hand's score, and the words for it; nothing says what to choose."""

from __future__ import annotations

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.prompts import describe_choice
from realmtable.games.fantasy_realms.scoring.choice_values import worth_without
from realmtable.games.fantasy_realms.scoring.score import best_worth
from tests.fantasy_realms.example_views import TRADING, View
from tests.fantasy_realms.helpers import GAME

HAND = ("Mountain", "Cavern", "Bell Tower", "Forest", "Basilisk", "Dragon", "Necromancer")
DISCARDS = ("Unicorn", "Enchantress", "Rainstorm")
OTHERS = (
    "King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth/Candle,Forge,Wildfire,Lightning,Smoke,Magic-Wand,Hydra"
)


def view_of(hand: tuple[str, ...] = HAND, phase: str = "draw") -> View:
    """The first player's view of a game in which three cards were discarded."""
    held, thrown = (",".join(card.replace(" ", "-") for card in cards) for cards in (hand, DISCARDS))
    discard = ",".join(f"{card}@2" for card in thrown.split(","))
    return GAME.view(GAME.decode(f"hands={held}/{OTHERS} phase={phase} first=1 turns=3 discard={discard}"), 0)


def worth(hand: tuple[str, ...], discards: tuple[str, ...]) -> int:
    return best_worth([BY_NAME[card].id for card in hand], [BY_NAME[card].id for card in discards])


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    return tuple(each for each in cards if each != card)


def test_discarding_is_worth_what_remains() -> None:
    hand = (*HAND, "Warhorse")
    view = view_of(hand, "discard")
    assert [worth_without(view, card) for card in hand] == [
        worth(without(hand, card), (*DISCARDS, card)) for card in hand
    ]
    assert worth_without(view, "Unicorn") is None  # not in the hand


@pytest.mark.parametrize("slow", [("Mirage", "Shapeshifter", "Doppelgänger", "Book of Changes", "Island")])
def test_hands_that_are_slow_to_score_have_no_values(slow: tuple[str, ...]) -> None:
    hand = (*HAND[: 7 - len(slow)], *slow)
    eight = view_of((*HAND, "Warhorse"), "discard")
    eight |= {"hand": [*hand, "Warhorse"], "moves": {"drop": [*hand, "Warhorse"]}}
    assert worth_without(eight, "Warhorse") is None
    unsure = view_of((*HAND, "Warhorse"), "discard")
    assert worth_without(unsure | {"worth": unsure["worth"] | {"exact": False}}, "Warhorse") is None


def test_every_card_that_can_be_discarded_has_a_note() -> None:
    hand = (*HAND, "Warhorse")
    view = view_of(hand, "discard")
    total = view["worth"]["total"]
    for card in hand:
        after = worth(without(hand, card), (*DISCARDS, card))
        change = f"{total} → {after}" if after != total else f"still {total}"
        assert GAME.note(view, f"hand:{card}") == f"Your realm without it: {change}."


@pytest.mark.parametrize("handle", ["deck", "discard:Unicorn", "hand:Mountain", "nonsense:King", ""])
def test_other_places_have_no_note(handle: str) -> None:
    """What to take or to bid is advice, which everyone sees being asked for."""
    assert describe_choice(view_of(), handle) == ""


def test_offers_have_no_note() -> None:
    view = TRADING | {"moves": {"bid": ["Hydra", "Candle"]}}
    assert describe_choice(view, "offer:Hydra") == ""
