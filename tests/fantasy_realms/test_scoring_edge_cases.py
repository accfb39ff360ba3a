"""Edge cases of the scorer that random hands rarely meet, checked against the slow twin."""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.score import score_with_choices
from tests.fantasy_realms import twin_scoring as twin
from tests.fantasy_realms.helpers import choices_from_json

BOOK = "Book of Changes"


def points(hand: list[str], chosen: dict[str, Any], options: dict[str, Any]) -> dict[str, int]:
    """The points of every card, which are the twin's, too."""
    found = score_with_choices(
        [BY_NAME[name].id for name in hand], choices_from_json(chosen), FantasyOptions(**options)
    )
    book = tuple(chosen[BOOK]) if BOOK in chosen else None
    choices = twin.Choices(mirage=chosen.get("Mirage"), book=book)
    theirs = twin.score(hand, choices, {**twin.SCORING_OPTIONS, **options})
    ours = {CARDS[card.card].name: card.points for card in found.cards}
    assert ours == theirs.per_card
    assert {CARDS[card.card].name for card in found.cards if card.blanked} == theirs.blanked
    return ours


@pytest.mark.parametrize(
    ("card", "suit", "gives", "without_itself"),
    [("Smoke", "Flame", 27, 0), ("Warship", "Flood", 23, 0), ("War Dirigible", "Weather", 0, 35)],
)
def test_s6_a_card_made_what_it_asks_for_meets_its_own_condition(
    card: str, suit: str, gives: int, without_itself: int
) -> None:
    """S6, S7: unless cards never count themselves."""
    hand, chosen = [card, BOOK, "Rangers"], {BOOK: [card, suit]}
    assert points(hand, chosen, {})[card] == gives
    assert points(hand, chosen, {"self_counts": False})[card] == without_itself


def test_s7_a_blanked_card_of_the_same_name_takes_nothing_from_a_set() -> None:
    """S7: Smoke is blanked, Mirage of its name is not, and makes three of Weather for Collector."""
    hand = ["Smoke", "Mirage", "Collector", "Rainstorm", "Air Elemental"]
    assert points(hand, {"Mirage": "Smoke"}, {})["Collector"] == 7 + 10


def test_s6_only_a_card_that_is_not_blanked_is_said_to_blank() -> None:
    """S6: Great Flood would drown Forest, but Blizzard has blanked it, so Wildfire alone burns Forest."""
    hand = ["Blizzard", "Great Flood", "Wildfire", "Forest"]
    forest = score_with_choices([BY_NAME[name].id for name in hand]).cards[3]
    assert forest.blanked_by == (BY_NAME["Wildfire"].id,)
    assert forest.sentence == "Blanked by Wildfire."


def test_s7_fountain_of_life_says_whose_strength_it_adds() -> None:
    hand = ["Fountain of Life", "Candle", "Warship", "Magic Wand"]
    assert score_with_choices([BY_NAME[name].id for name in hand]).cards[0].sentence == "Strength 1; +23 from Warship."


def test_s3_cards_without_a_suit_share_none() -> None:
    """S3, S7: two unused Wilds keep World Tree from its bonus only where Wild is a suit."""
    hand = ["World Tree", "Mirage", "Shapeshifter", "King"]
    assert points(hand, {}, {})["World Tree"] == 2
    assert points(hand, {}, {"wild_is_suit": False})["World Tree"] == 2 + 50
