"""The strengths that break ties, and the choice among equally good ones (P6, S6, S8)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.hand_scorer.score_sheet import sheet
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.fixed_choices import best_score_with_fixed_choices
from realmtable.games.fantasy_realms.scoring.hand_text import read
from realmtable.games.fantasy_realms.scoring.score import best_score, score_to_json, score_with_choices
from realmtable.games.fantasy_realms.state import State
from tests.fantasy_realms import twin_scoring as twin
from tests.fantasy_realms.helpers import GAME, ids, start

# Both realms are worth 84. Elven Archers, Smoke and War Dirigible are blanked: 42 of 114 are left. WHOLE has none.
BLANKED = "Elven Archers, Smoke, Enchantress, Fountain of Life, Shield of Keth, Great Flood, War Dirigible"
WHOLE = "Collector, Queen, Unicorn, Protection Rune, Elven Longbow, Warship, Warhorse"
THIRD = "Candle, Magic Wand, Air Elemental, Princess, World Tree, Lightning, King"


def final_state(*hands: str, tie_break: str) -> State:
    state = start(len(hands), tie_break=tie_break)
    return replace(state, hands=tuple(map(ids, hands)), phase="over", reason="full_discard")


# ---- what is summed


@pytest.mark.parametrize(("tie_break", "winner"), [("counted", "Scarlet"), ("printed", "Azure")])
def test_p6_a_blanked_card_has_no_strength_in_a_tie_unless_the_option_says_so(tie_break: str, winner: str) -> None:
    """P6, S6: the two readings rank the same two realms differently."""
    state = final_state(BLANKED, WHOLE, THIRD, tie_break=tie_break)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores[:2] == (84, 84)
    assert outcome.ranking.index(1) == ("Scarlet", "Azure").index(winner)
    assert "on lower strengths" in outcome.text
    assert [score["strength"] for score in GAME.view(state, None)["scores"][:2]] == (
        [42, 55] if tie_break == "counted" else [114, 55]
    )


def test_p6_a_doppelganger_has_the_strength_it_copied_unless_printed_ones_count() -> None:
    """P6, S2: 35 twice and 9, or once."""
    hand = ids("Basilisk, Doppelgänger, Beastmaster")
    assert best_score(hand).strength == 35 + 35 + 9
    assert best_score(hand, options=FantasyOptions(tie_break="printed")).strength == 35 + 9


@pytest.mark.parametrize("tie_break", ["counted", "printed"])
def test_p6_an_eighth_card_is_part_of_the_realm(tie_break: str) -> None:
    found = best_score(ids("Necromancer, King"), ids("Queen"), FantasyOptions(tie_break=tie_break))
    assert (score_to_json(found)["eighth"], found.strength) == ("Queen", 3 + 8 + 6)


def test_the_scoring_page_shows_the_same_sum() -> None:
    """The sheet has the option among its rulings and the sum that it means."""
    assert sheet(read(BLANKED))["strength"] == 42
    assert sheet(read(BLANKED, options=["tie_break=printed"]))["strength"] == 114
    assert score_with_choices(ids(BLANKED)).strength == 42


# ---- choices that are worth the same


def test_p6_of_equal_choices_the_one_that_wins_ties_is_made() -> None:
    """P6: a copy of Knights or of Hydra is worth the same, and Hydra is the weaker."""
    hand = ids("Doppelgänger, Sword of Keth, Knights, Enchantress, Hydra")
    for order in (hand, hand[::-1]):
        found = best_score(order)
        assert (found.total, found.strength) == (48, 56)
        assert score_to_json(found)["choices"] == {"Doppelgänger": "Hydra"}


def test_of_equal_choices_the_first_with_the_fewest_changes_is_made_where_ties_hang_on_nothing_chosen() -> None:
    """P6: printed strengths are the same whatever Doppelgänger copies, so the order of the hand decides."""
    options = FantasyOptions(tie_break="printed")
    for names, copied in (("Doppelgänger, Knights, Hydra", "Knights"), ("Doppelgänger, Hydra, Knights", "Hydra")):
        found = best_score(ids(f"{names}, Sword of Keth, Enchantress"), options=options)
        assert score_to_json(found)["choices"] == {"Doppelgänger": copied}


@pytest.mark.parametrize("tie_break", ["counted", "printed"])
@pytest.mark.parametrize(
    ("hand", "discard", "taken"),
    [
        # Basilisk blanks what is taken, so that none is better than any.
        ("Necromancer, Basilisk", "King, Knights, Queen", None),
        ("Necromancer, Basilisk", "Queen", None),
        # Knights lose 8 without a Leader and are worth 12 like Hydra, which is the weaker.
        ("Necromancer, Magic Wand", "Knights, Hydra", "Hydra"),
        ("Necromancer, Magic Wand", "Hydra, Knights", "Hydra"),
    ],
)
def test_s8_the_weakest_of_equal_eighth_cards_is_taken_or_none(
    tie_break: str, hand: str, discard: str, taken: str | None
) -> None:
    """S8: under both readings of P6, in whatever order the cards lie, and with another choice fixed by hand."""
    options = FantasyOptions(tie_break=tie_break)
    assert score_to_json(best_score(ids(hand), ids(discard), options))["eighth"] == taken
    wished = read(f"{hand}, Island", discard, ["Island=none"], [f"tie_break={tie_break}"])
    assert score_to_json(best_score_with_fixed_choices(wished))["eighth"] == taken


@pytest.mark.parametrize(("tie_break", "taken"), [("counted", "Basilisk"), ("printed", None)])
def test_s8_an_eighth_card_that_adds_nothing_is_taken_where_it_wins_ties(tie_break: str, taken: str | None) -> None:
    """P6 before S8: with Basilisk the realm is worth 57 as without, but with less strength, for Knights are blanked."""
    hand, discard = "Necromancer, War Dirigible, Knights, Forest", "Basilisk"
    found = best_score(ids(hand), ids(discard), FantasyOptions(tie_break=tie_break))
    assert (found.total, score_to_json(found)["eighth"]) == (57, taken)
    wished = read(f"{hand}, Island", discard, ["Island=none"], [f"tie_break={tie_break}"])
    assert score_to_json(best_score_with_fixed_choices(wished))["eighth"] == taken


@pytest.mark.parametrize(
    "hand", ["Mirage, Warhorse", "Doppelgänger, Mirage", "Book of Changes, Candle", "Island, Great Flood, Warhorse"]
)
def test_nothing_is_chosen_where_it_makes_no_difference(hand: str) -> None:
    assert score_to_json(best_score(ids(hand)))["choices"] == {}


def changes(chosen: twin.Choices) -> int:
    return sum(each is not None for each in chosen)


@pytest.mark.long
def test_the_fewest_changes_are_made_that_do_it() -> None:
    """P6, then the fewest copies, changes and clearings, against all choices of the twin."""
    rng = Random("fewest")
    many = 0
    for number in range(60):
        choosers = rng.sample(["Doppelgänger", "Book of Changes", "Island"], 2) if number % 6 else ["Mirage", "Island"]
        others = [card.name for card in CARDS if card.suit != "Wild" and card.name not in {*choosers, "Island"}]
        hand = [*choosers, *rng.sample(others, 3)]
        tried = [(twin.score(hand, chosen), chosen) for chosen in twin.all_choices(hand)]
        fewest = min((-scored.total, scored.strength, changes(chosen)) for scored, chosen in tried)
        found = best_score(ids(*hand))
        made = score_to_json(found)["choices"]
        assert (-found.total, found.strength, len(made)) == fewest, (hand, made)
        many += len(made) > 1
    assert many > 5
