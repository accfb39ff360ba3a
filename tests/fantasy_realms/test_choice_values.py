"""What taking or discarding a card would do to a hand's score, and the words for it."""

from __future__ import annotations

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.prompts import describe_choice
from realmtable.games.fantasy_realms.scoring.choice_values import ChoiceValue, value_of_discarding, value_of_taking
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


def test_taking_a_discard_is_worth_what_the_best_discard_after_it_leaves() -> None:
    view = view_of()
    for card in DISCARDS:
        others = without(DISCARDS, card)
        worths = {drop: worth(without((*HAND, card), drop), (*others, drop)) for drop in (*HAND, card)}
        value = value_of_taking(view, card)
        assert value is not None
        assert value.worth == max(worths.values()) == worths[value.discard]


def test_discarding_is_worth_what_remains() -> None:
    hand = (*HAND, "Warhorse")
    view = view_of(hand, "discard")
    assert [value_of_discarding(view, card) for card in hand] == [
        ChoiceValue(worth(without(hand, card), (*DISCARDS, card))) for card in hand
    ]
    assert value_of_taking(view, "Unicorn") is None  # not now


def test_a_card_that_is_kept_needs_no_discard() -> None:
    view = view_of() | {"hand": ["Candle"]}
    assert value_of_taking(view, "Unicorn") == ChoiceValue(worth(("Candle", "Unicorn"), ()))


@pytest.mark.parametrize("slow", [("Mirage", "Shapeshifter", "Doppelgänger", "Book of Changes", "Island")])
def test_hands_that_are_slow_to_score_have_no_values(slow: tuple[str, ...]) -> None:
    hand = (*HAND[: 7 - len(slow)], *slow)
    view = view_of() | {"hand": list(hand)}
    assert value_of_taking(view, "Unicorn") is None
    eight = view_of((*HAND, "Warhorse"), "discard")
    eight |= {"hand": [*hand, "Warhorse"], "moves": {"drop": [*hand, "Warhorse"]}}
    assert value_of_discarding(eight, "Warhorse") is None
    unsure = view_of()
    assert value_of_taking(unsure | {"worth": unsure["worth"] | {"exact": False}}, "Unicorn") is None


def test_the_words_say_how_the_worth_changes() -> None:
    view = view_of()
    value = value_of_taking(view, "Unicorn")
    assert value is not None
    texts = {
        describe_choice(view | {"worth": view["worth"] | {"total": total}}, "discard:Unicorn") for total in (1, 999)
    }
    gain = f"Take it and discard {value.discard}. Your realm: 1 → {value.worth}."
    assert texts == {gain, "Taking it gains nothing now."}
    kept = view | {"hand": ["Candle"], "worth": {"total": 2, "exact": True}}
    assert describe_choice(kept, "discard:Unicorn") == f"Take it. Your realm: 2 → {worth(('Candle', 'Unicorn'), ())}."


def test_every_card_that_can_be_discarded_has_a_note() -> None:
    hand = (*HAND, "Warhorse")
    view = view_of(hand, "discard")
    total = view["worth"]["total"]
    for card in hand:
        after = worth(without(hand, card), (*DISCARDS, card))
        change = f"{total} → {after}" if after != total else f"still {total}"
        assert GAME.note(view, f"hand:{card}") == f"Your realm without it: {change}."


def test_an_offer_says_what_to_bid_for_it() -> None:
    view = TRADING | {"moves": {"bid": ["Hydra", "Candle"]}}
    total = TRADING["worth"]["total"]
    assert describe_choice(view, "offer:Hydra").startswith(f"Bid World Tree for it. Your realm: {total} → ")
    assert describe_choice(view, "offer:Candle") == "Bidding for it gains nothing now."
    assert describe_choice(TRADING, "offer:Hydra") == ""  # not now


@pytest.mark.parametrize("handle", ["deck", "discard:King", "hand:Mountain", "nonsense:King", ""])
def test_other_places_have_no_note(handle: str) -> None:
    assert describe_choice(view_of(), handle) == ""
    assert describe_choice(view_of() | {"worth": None}, "discard:Unicorn") == ""
