"""Finding cards by typed names (N3), and the effect language of the card file (C1)."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadInput
from realmtable.games.fantasy_realms.cards import CARDS, SUITS, WILD, find_card
from realmtable.games.fantasy_realms.effect_parser import ALL_SUITS, parse_line, parse_selector
from realmtable.games.fantasy_realms.scoring.card_arrays import ScoringRules, card_arrays


def test_c1_there_are_53_different_cards_of_ten_suits_and_three_wild() -> None:
    assert len(CARDS) == len({card.name for card in CARDS}) == 53
    assert {suit: sum(card.suit == suit for card in CARDS) for suit in ALL_SUITS} == {
        **dict.fromkeys(SUITS, 5),
        WILD: 3,
    }
    assert all(0 <= card.strength <= 40 and (card.bonus or card.penalty) for card in CARDS)
    assert all(bool(card.bonus) == bool(card.bonus_text) for card in CARDS)
    assert all(bool(card.penalty) == bool(card.penalty_text) for card in CARDS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("king", "King"),
        ("DOPPELGANGER", "Doppelgänger"),
        (" book  of changes ", "Book of Changes"),
        ("Underground Caverns", "Cavern"),
        ("elemental ench", "Enchantress"),
        ("prot", "Protection Rune"),
    ],
)
def test_n3_names_are_read_forgivingly(text: str, name: str) -> None:
    """Case, accents, older names and unambiguous beginnings do not matter."""
    assert find_card(text).name == name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("warlo", "Warlock Lord or Warlord"),
        ("Dragn", "did you mean Dragon"),
        ("zzz", "There is no card zzz."),
        ("", "without a name"),
        ("x" * 999, "x" * 60),
    ],
)
def test_n3_what_is_no_card_is_refused_by_name(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        find_card(text)


def test_the_file_can_name_only_what_there_is() -> None:
    with pytest.raises(ValueError, match="neither a suit nor a card"):
        parse_selector("Army or Jester")
    with pytest.raises(ValueError, match="no known effect"):
        parse_line({"juggle": 3})


def test_tables_are_made_once_for_each_reading() -> None:
    assert card_arrays() is card_arrays(ScoringRules())
    assert card_arrays(ScoringRules(ring="together")) is not card_arrays()
