"""Edge cases of the scorer that random hands rarely meet, each also scored by the slow twin."""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.score import score_with_choices
from tests.example_tables import read_table
from tests.fantasy_realms import twin_scoring as twin
from tests.fantasy_realms.helpers import choices_from_json, ids

BOOK = "Book of Changes"


def points(hand: list[str], chosen: dict[str, Any], options: dict[str, Any]) -> dict[str, int]:
    """The points of every card, which are the twin's, too."""
    found = score_with_choices(ids(*hand), choices_from_json(chosen), FantasyOptions(**options))
    book = tuple(chosen[BOOK]) if BOOK in chosen else None
    choices = twin.Choices(chosen.get("Doppelgänger"), chosen.get("Mirage"), book=book)
    theirs = twin.score(hand, choices, {**twin.SCORING_OPTIONS, **options})
    ours = {CARDS[card.card].name: card.points for card in found.cards}
    assert ours == theirs.per_card
    assert {CARDS[card.card].name for card in found.cards if card.blanked} == theirs.blanked
    return ours


# What is shown, the hand, the choices, the option, and the points of some cards or of all of them.
CASES = read_table("""
a ring blanks no others    | Basilisk, Doppelgänger, King | Doppelgänger=Basilisk | | all 8
a ring blanks others, too  | Basilisk, Doppelgänger, King | Doppelgänger=Basilisk | ring=together | all 0
a card that threatens itself is a ring alone | Great Flood, Knights, Book of Changes | Book of Changes=Great Flood:Flame | | all 15
such a ring blanks others, too | Great Flood, Knights, Book of Changes | Book of Changes=Great Flood:Flame | ring=together | all 3
a card that does not count itself is no ring | Great Flood, Knights, Book of Changes | Book of Changes=Great Flood:Flame | self_counts=no | Knights 0, Great Flood 32
conditions bind cards to each other | Smoke, War Dirigible, Knights, Book of Changes | Book of Changes=War Dirigible:Flame | | Smoke 0, War Dirigible 0
# Blizzard and Great Flood are a ring that awaits the ring of the two Basilisks, for Blizzard is an Army.
a ring that awaits another is blanked after it | Basilisk, Doppelgänger, Great Flood, Blizzard, Book of Changes | Doppelgänger=Basilisk; Book of Changes=Blizzard:Army | | all 3
the ring awaited saves the other | Basilisk, Doppelgänger, Great Flood, Blizzard, Book of Changes | Doppelgänger=Basilisk; Book of Changes=Blizzard:Army | ring=together | all 35
several runs count         | Gem of Order, Shield of Keth, Necromancer, Warhorse, Mountain, Elven Archers, Lightning | | | Gem of Order 45
or the best run            | Gem of Order, Shield of Keth, Necromancer, Warhorse, Mountain, Elven Archers, Lightning | | multi_runs=no | Gem of Order 35
several suits count        | Collector, Beastmaster, Enchantress, Unicorn, Warhorse, Dragon, Hydra | | | Collector 57
or the best suit           | Collector, Beastmaster, Enchantress, Unicorn, Warhorse, Dragon, Hydra | | multi_sets=no | Collector 47
Rangers lift the need of an Army | War Dirigible, Rangers, Wildfire | | | War Dirigible 35
unless the option is off   | War Dirigible, Rangers, Wildfire | | dirigible_army_word=no | War Dirigible 0
unused Wilds share a suit (S3) | World Tree, Collector, Mirage, Shapeshifter, Doppelgänger | | | World Tree 2, Collector 17
or have none (S3)          | World Tree, Collector, Mirage, Shapeshifter, Doppelgänger | | wild_is_suit=no | World Tree 52, Collector 7
Wildfire blanks unused Wilds | Wildfire, World Tree, Mirage, Shapeshifter | | | World Tree 52
or spares them             | Wildfire, World Tree, Mirage, Shapeshifter | | wildfire_blanks_wild=no | World Tree 2
Archers that are a Beast count once | Forest, Elven Archers, Book of Changes | Book of Changes=Elven Archers:Beast | | Forest 19
or twice                   | Forest, Elven Archers, Book of Changes | Book of Changes=Elven Archers:Beast | forest_once_per_card=no | Forest 31
a card is spared by name   | Great Flood, Lightning, Book of Changes | | | Lightning 11
but only in its suit       | Great Flood, Lightning, Book of Changes | Book of Changes=Lightning:Land | | Lightning 0
Smoke made a Flame meets its own condition | Smoke, Book of Changes, Rangers | Book of Changes=Smoke:Flame | | Smoke 27
not if it does not count itself | Smoke, Book of Changes, Rangers | Book of Changes=Smoke:Flame | self_counts=no | Smoke 0
so does Warship            | Warship, Book of Changes, Rangers | Book of Changes=Warship:Flood | | Warship 23
not then                   | Warship, Book of Changes, Rangers | Book of Changes=Warship:Flood | self_counts=no | Warship 0
War Dirigible is blanked by its own Weather | War Dirigible, Book of Changes, Rangers | Book of Changes=War Dirigible:Weather | | War Dirigible 0
but not then               | War Dirigible, Book of Changes, Rangers | Book of Changes=War Dirigible:Weather | self_counts=no | War Dirigible 35
# Smoke is blanked, Mirage of its name is not, and makes three of Weather for Collector.
a blanked card of the same name takes nothing from a set | Smoke, Mirage, Collector, Rainstorm, Air Elemental | Mirage=Smoke | | Collector 17
""")  # noqa: E501 - a row is one example


@pytest.mark.parametrize(("name", "cards", "chosen", "option", "expected"), CASES)
def test_s3_s6_s7_special_hands(name: str, cards: str, chosen: str, option: str, expected: str) -> None:
    """S2 to S7."""
    pairs = (text.split("=") for text in chosen.split("; ") if text)
    choices = {card: choice.split(":") if ":" in choice else choice for card, choice in pairs}
    key, _, value = option.partition("=")
    found = points(cards.split(", "), choices, {key: value if key == "ring" else False} if option else {})
    for text in expected.split(", "):
        card, _, number = text.rpartition(" ")
        assert (sum(found.values()) if card == "all" else found[card]) == int(number), name


def test_s6_only_a_card_that_is_not_blanked_is_said_to_blank() -> None:
    """S6: Great Flood would drown Forest, but Blizzard has blanked it, so Wildfire alone burns Forest."""
    forest = score_with_choices(ids("Blizzard, Great Flood, Wildfire, Forest")).cards[3]
    assert forest.blanked_by == ids("Wildfire")
    assert forest.sentence == "Blanked by Wildfire."


def test_s7_fountain_of_life_says_whose_strength_it_adds() -> None:
    found = score_with_choices(ids("Fountain of Life, Candle, Warship, Magic Wand"))
    assert found.cards[0].sentence == "Strength 1; +23 from Warship."
