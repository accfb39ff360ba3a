"""The exact chances of a round."""

from __future__ import annotations

from fractions import Fraction

from realmtable.games.magic_realm.combat_flow.odds import find_odds, list_chance_outcomes
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from tests.magic_realm.helpers.fight_helpers import MONSTER, clash, go, warrior

THIRD = Fraction(1, 3)


def test_a_bow_kills_a_giant_with_two_of_six_rolls() -> None:
    elf = warrior("Elf", 0, "Light Bow-1!", dice={"missile": DiceRule(1, 0)})
    fight = go(clash(elf, monsters=["Giant-1"]), "pass", "done", "next Elf", "aim Giant-1")
    fight = go(fight, "strike thrust Fight M4", "evade duck Move L2*", "ready")
    odds = find_odds(fight)
    giant = MONSTER["Giant-1"]
    assert odds.kills == {giant: THIRD}
    # Otherwise the body or the club comes to lie in smash in two of three cases, and harm H kills an Elf.
    assert odds.deaths == {0: Fraction(2, 3) * Fraction(2, 3)}
    assert odds.wounds == {0: 0}


def test_wounds_are_counted_on_average() -> None:
    amazon = warrior("Amazon", 0, "Silver Breastplate")
    fight = go(clash(amazon, monsters=["Giant Bat-1"]), "pass", "done", "next Amazon", "aim none", "ready")
    odds = find_odds(fight)
    assert odds.wounds == {0: Fraction(2, 3)}  # M on heavy armour against thrust and swing
    assert odds.deaths == {0: THIRD}  # nothing against smash
    assert odds.kills == {MONSTER["Giant Bat-1"]: 0}


def test_chances_add_up() -> None:
    fight = go(clash(warrior("Amazon", 0), monsters=["Wolf-1"]), "pass", "done", "next Amazon", "aim none", "ready")
    spread = list_chance_outcomes(fight)
    assert sum(spread.values()) == 1
    assert len(spread) > 1
    question = clash(warrior("Amazon", 0))
    assert list_chance_outcomes(question) == {question: 1}


def test_before_the_melee_nothing_is_counted() -> None:
    odds = find_odds(clash(warrior("Amazon", 0)))
    assert odds.deaths == odds.wounds == {0: 0}
    assert not odds.kills
