"""The 53 cards of Fantasy Realms as the slow twin knows them: entered by hand, read from no file of the product.

A *word* is the name of a suit or of a card; no suit is named like a card, so one word never means both.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SUITS: Final = ("Army", "Artifact", "Beast", "Flame", "Flood", "Land", "Leader", "Weapon", "Weather", "Wizard")
WILD: Final = "Wild"
EVERY: Final = (*SUITS, WILD)

DOPPELGANGER: Final = "Doppelgänger"
MIRAGE: Final = "Mirage"
SHAPESHIFTER: Final = "Shapeshifter"
BOOK: Final = "Book of Changes"
ISLAND: Final = "Island"
NECROMANCER: Final = "Necromancer"
MIRAGE_SUITS: Final = ("Army", "Land", "Weather", "Flood", "Flame")
SHAPESHIFTER_SUITS: Final = ("Artifact", "Leader", "Wizard", "Weapon", "Beast")
ISLAND_SUITS: Final = ("Flood", "Flame")
NECROMANCER_SUITS: Final = ("Army", "Leader", "Wizard", "Beast")
FOUNTAIN_SUITS: Final = ("Weapon", "Flood", "Flame", "Land", "Weather")

# How many in a row, or of one suit, give how much; more than the last number give what the last gives.
RUN_POINTS: Final = {3: 10, 4: 30, 5: 60, 6: 100, 7: 150}
SET_POINTS: Final = {3: 10, 4: 40, 5: 100}


class EffectLine(NamedTuple):
    """Points, once or for each card that is counted, if what is needed is held and what is to be lacking is not."""

    points: int
    each: tuple[str, ...] = ()  # words: the cards that are counted
    others: tuple[str, ...] = ()  # suits: cards that are counted too, but never the card itself
    needs: tuple[tuple[str, ...], ...] = ()  # of each of these groups one word must be held
    lacks: str = ""  # a suit that must not be held


class Penalty(NamedTuple):
    """Everything that clearing takes away."""

    lines: tuple[EffectLine, ...] = ()
    blanks: tuple[tuple[str, str], ...] = ()  # suits that are blanked, each with the name of the one card spared or ""
    blanks_others: tuple[str, ...] = ()  # suits that are blanked, but never the card itself
    blanks_all_but: tuple[str, ...] = ()  # words: where there are any, all cards that are none of these are blanked
    unless: str = ""  # the suit without which the card is blanked
    if_held: str = ""  # the suit with which the card is blanked


class Card(NamedTuple):
    name: str
    suit: str
    strength: int
    bonus: tuple[EffectLine, ...] = ()  # the best of these
    penalty: Penalty | None = None
    clears: tuple[str, ...] = ()  # suits whose penalties it clears
    strikes: tuple[str, ...] = ()  # suits out of whose penalties it strikes the word Army
    special: str = ""  # a bonus that has its own sentence in S7


def bonus_with(points: int, *groups: tuple[str, ...]) -> EffectLine:
    return EffectLine(points, needs=groups)


LAND: Final = (
    Card("Mountain", "Land", 9, bonus=(bonus_with(50, ("Smoke",), ("Wildfire",)),), clears=("Flood",)),
    Card("Cavern", "Land", 6, bonus=(bonus_with(25, ("Dwarvish Infantry", "Dragon")),), clears=("Weather",)),
    Card("Bell Tower", "Land", 8, bonus=(bonus_with(15, ("Wizard",)),)),
    Card("Forest", "Land", 7, bonus=(EffectLine(12, each=("Beast", "Elven Archers")),)),
    Card("Earth Elemental", "Land", 4, bonus=(EffectLine(15, others=("Land",)),)),
)
FLOOD: Final = (
    Card("Fountain of Life", "Flood", 1, special="fountain"),
    Card("Swamp", "Flood", 18, penalty=Penalty(lines=(EffectLine(-3, each=("Army", "Flame")),))),
    Card(
        "Great Flood",
        "Flood",
        32,
        penalty=Penalty(blanks=(("Army", ""), ("Land", "Mountain"), ("Flame", "Lightning"))),
    ),
    Card("Island", "Flood", 14),
    Card("Water Elemental", "Flood", 4, bonus=(EffectLine(15, others=("Flood",)),)),
)
WEATHER: Final = (
    Card(
        "Rainstorm",
        "Weather",
        8,
        bonus=(EffectLine(10, each=("Flood",)),),
        penalty=Penalty(blanks=(("Flame", "Lightning"),)),
    ),
    Card(
        "Blizzard",
        "Weather",
        30,
        penalty=Penalty(lines=(EffectLine(-5, each=("Army", "Leader", "Beast", "Flame")),), blanks=(("Flood", ""),)),
    ),
    Card("Smoke", "Weather", 27, penalty=Penalty(unless="Flame")),
    Card("Whirlwind", "Weather", 13, bonus=(bonus_with(40, ("Rainstorm",), ("Blizzard", "Great Flood")),)),
    Card("Air Elemental", "Weather", 4, bonus=(EffectLine(15, others=("Weather",)),)),
)
FLAME: Final = (
    Card(
        "Wildfire",
        "Flame",
        40,
        penalty=Penalty(
            blanks_all_but=(
                *("Flame", "Wizard", "Weather", "Weapon", "Artifact"),
                *("Mountain", "Great Flood", "Island", "Unicorn", "Dragon"),
            ),
        ),
    ),
    Card("Candle", "Flame", 2, bonus=(bonus_with(100, ("Book of Changes",), ("Bell Tower",), ("Wizard",)),)),
    Card("Forge", "Flame", 9, bonus=(EffectLine(9, each=("Weapon", "Artifact")),)),
    Card("Lightning", "Flame", 11, bonus=(bonus_with(30, ("Rainstorm",)),)),
    Card("Fire Elemental", "Flame", 4, bonus=(EffectLine(15, others=("Flame",)),)),
)
ARMY: Final = (
    Card("Knights", "Army", 20, penalty=Penalty(lines=(EffectLine(-8, lacks="Leader"),))),
    Card("Elven Archers", "Army", 10, bonus=(EffectLine(5, lacks="Weather"),)),
    Card("Light Cavalry", "Army", 17, penalty=Penalty(lines=(EffectLine(-2, each=("Land",)),))),
    Card("Dwarvish Infantry", "Army", 15, penalty=Penalty(lines=(EffectLine(-2, others=("Army",)),))),
    Card("Rangers", "Army", 5, bonus=(EffectLine(10, each=("Land",)),), strikes=EVERY),
)
WIZARD: Final = (
    Card("Collector", "Wizard", 7, special="collector"),
    Card("Beastmaster", "Wizard", 9, bonus=(EffectLine(9, each=("Beast",)),), clears=("Beast",)),
    Card("Necromancer", "Wizard", 3),
    Card("Warlock Lord", "Wizard", 25, penalty=Penalty(lines=(EffectLine(-10, each=("Leader",), others=("Wizard",)),))),
    Card("Enchantress", "Wizard", 5, bonus=(EffectLine(5, each=("Land", "Weather", "Flood", "Flame")),)),
)
LEADER: Final = (
    Card(
        "King", "Leader", 8, bonus=(EffectLine(5, each=("Army",)), EffectLine(20, each=("Army",), needs=(("Queen",),)))
    ),
    Card(
        "Queen", "Leader", 6, bonus=(EffectLine(5, each=("Army",)), EffectLine(20, each=("Army",), needs=(("King",),)))
    ),
    Card("Princess", "Leader", 2, bonus=(EffectLine(8, each=("Army", "Wizard"), others=("Leader",)),)),
    Card("Warlord", "Leader", 4, special="warlord"),
    Card(
        "Empress",
        "Leader",
        15,
        bonus=(EffectLine(10, each=("Army",)),),
        penalty=Penalty(lines=(EffectLine(-5, others=("Leader",)),)),
    ),
)
BEAST: Final = (
    Card(
        "Unicorn",
        "Beast",
        9,
        bonus=(bonus_with(30, ("Princess",)), bonus_with(15, ("Empress", "Queen", "Enchantress"))),
    ),
    Card("Basilisk", "Beast", 35, penalty=Penalty(blanks=(("Army", ""), ("Leader", "")), blanks_others=("Beast",))),
    Card("Warhorse", "Beast", 6, bonus=(bonus_with(14, ("Leader", "Wizard")),)),
    Card("Dragon", "Beast", 30, penalty=Penalty(lines=(EffectLine(-40, lacks="Wizard"),))),
    Card("Hydra", "Beast", 12, bonus=(bonus_with(28, ("Swamp",)),)),
)
WEAPON: Final = (
    Card("Warship", "Weapon", 23, penalty=Penalty(unless="Flood"), strikes=("Flood",)),
    Card("Magic Wand", "Weapon", 1, bonus=(bonus_with(25, ("Wizard",)),)),
    Card(
        "Sword of Keth",
        "Weapon",
        7,
        bonus=(bonus_with(10, ("Leader",)), bonus_with(40, ("Leader",), ("Shield of Keth",))),
    ),
    Card("Elven Longbow", "Weapon", 3, bonus=(bonus_with(30, ("Elven Archers", "Warlord", "Beastmaster")),)),
    Card("War Dirigible", "Weapon", 35, penalty=Penalty(unless="Army", if_held="Weather")),
)
ARTIFACT: Final = (
    Card(
        "Shield of Keth",
        "Artifact",
        4,
        bonus=(bonus_with(15, ("Leader",)), bonus_with(40, ("Leader",), ("Sword of Keth",))),
    ),
    Card("Gem of Order", "Artifact", 5, special="gem"),
    Card("World Tree", "Artifact", 2, special="tree"),
    Card("Book of Changes", "Artifact", 3),
    Card("Protection Rune", "Artifact", 1, clears=EVERY),
)
WILDS: Final = (Card(SHAPESHIFTER, WILD, 0), Card(MIRAGE, WILD, 0), Card(DOPPELGANGER, WILD, 0))

CARDS: Final = {
    card.name: card
    for suit in (LAND, FLOOD, WEATHER, FLAME, ARMY, WIZARD, LEADER, BEAST, WEAPON, ARTIFACT, WILDS)
    for card in suit
}


def of_suits(suits: tuple[str, ...]) -> list[str]:
    """The names of all cards that are printed with one of these suits."""
    return [name for name, card in CARDS.items() if card.suit in suits]
