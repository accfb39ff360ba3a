"""The chances of one round are exact: those of small cases are counted by hand, others against all plays."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.magic_realm.battle_calculator.battle_text import read_battle
from realmtable.games.magic_realm.battle_calculator.duel import hand_of, list_targets, sort_alike
from realmtable.games.magic_realm.battle_calculator.odds import (
    find_roll_chances,
    list_monster_arrangements,
    list_results,
)
from realmtable.games.magic_realm.battle_calculator.play_choices import Choice, find_best_choice, rank_choices
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.plays import list_plays
from tests.magic_realm.helpers.catalog_helpers import CATALOG, character


def test_an_elf_with_an_alerted_bow_against_a_giant() -> None:
    """Time 1 undercuts 5 (C15). One die (G3): 1 or 2 bring H to T (C18). The bow is longer: it strikes first (C17).

    The Giant and its club lie in two of three boxes, and neither undercuts: two of three manoeuvres are hit.
    """
    best = find_best_choice(read_battle("Elf, Light Bow alerted : Giant"))
    assert best.kill == pytest.approx(1 / 3)
    assert best.death == pytest.approx(2 / 3 * 2 / 3)
    assert best.wound == 0


def test_an_elf_with_an_alerted_bow_against_a_goblin() -> None:
    """Example 17: M kills it, so that one die must show 4 or less (C18); time 1 undercuts both its sides."""
    assert find_best_choice(read_battle("Elf, Light Bow alerted : Axe Goblin")).kill == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("name", "chances"),
    [
        ("Elf", [1 / 6] * 6),  # rolls one die
        ("Swordsman", [(2 * roll - 1) / 36 for roll in range(1, 7)]),  # the higher of two
        ("Amazon", [4 / 36, 5 / 36, 7 / 36, 9 / 36, 11 / 36]),  # and 1 less
    ],
)
def test_g3_the_missile_table_is_rolled_as_the_character_rolls(name: str, chances: list[float]) -> None:
    found = find_roll_chances(character(name), "missile")
    assert [*found.values()] == pytest.approx(chances)
    assert [*found] == list(range(1, len(chances) + 1))


def test_c13_c14_situations_cover_all_dice() -> None:
    for names, dark in (("Giant", False), ("Wolf", True), ("2 Wolf, Giant", False)):
        duel = read_battle(f"Elf : {names}{' dark' * dark}")
        situations = list_monster_arrangements(duel.monsters, duel.dark)
        assert sum(situation.chance for situation in situations) == pytest.approx(1)
    (wolf,) = read_battle("Elf : Wolf").monsters
    turned = sum(one.chance for one in list_monster_arrangements((wolf,), frozenset()) if Counter(wolf) in one.dark)
    assert turned == pytest.approx(11 / 36)


GEAR = (
    "",
    ", no armour, no weapon",
    ", Suit of Armor damaged",
    ", Helmet",
    ", Shield, Golden Crown",
    ", Warhorse-1",
    ", Quick Boots",
    ", Spear alerted, no armour",
)


@pytest.mark.long
def test_the_best_play_is_best_among_all_plays() -> None:
    rng = Random(3)
    kinds = sorted({row.kind for row in CATALOG.monsters})
    heroes = [row.name for row in CATALOG.characters]
    for name, gear in zip(rng.sample(heroes, len(GEAR)), GEAR, strict=True):
        duel = read_battle(f"{name}{gear} : {rng.choice(kinds)}{' dark' * rng.randrange(2)}")
        hand = hand_of(duel)
        values = [
            Choice(target, play, list_results(duel, play, target)).value
            for target in (None, *list_targets(duel))
            for play in list_plays(hand, has_target=target is not None, has_shield=duel.has_shield)
        ]
        assert find_best_choice(duel).value == pytest.approx(max(values))
        for choice in rank_choices(duel):
            assert sum(choice.outcomes.values()) == pytest.approx(1)


def test_monsters_of_one_kind_are_interchangeable() -> None:
    one, other = read_battle("Elf : Wolf dark, Wolf"), read_battle("Elf : Wolf, Wolf dark")
    assert one != other
    assert sort_alike(one) == sort_alike(other)
    assert len(list_targets(one)) == 2
    assert len(list_targets(read_battle("Elf : 3 Wolf"))) == 1
    assert [choice.value for choice in rank_choices(one)] == pytest.approx(
        [choice.value for choice in rank_choices(other)]
    )


def test_c26_a_red_side_kills_through_armour_and_keeps_horses_away() -> None:
    duel = read_battle("White Knight, Warhorse-1, later round : T Troll red")
    assert hand_of(duel).is_held
    choices = rank_choices(duel)
    assert not any(choice.play.move is not None and choice.play.move.gait for choice in choices)
    assert choices[0].death > 0
    outcomes = find_best_choice(read_battle("White Knight : T Troll")).outcomes
    assert {outcome.dark for outcome in outcomes} == {frozenset(), frozenset({Counter(duel.monsters[0])})}


def test_c24_a_horse_dies_for_its_rider() -> None:
    duel = read_battle("Elf, Pony-1 : Giant")
    mounted = [choice for choice in rank_choices(duel) if choice.play.move is not None and choice.play.move.gait]
    outcomes = [outcome for choice in mounted for outcome in choice.outcomes]
    assert {outcome.has_horse for outcome in outcomes} == {True, False}
    assert not any(
        choice.play.move.gait
        for choice in rank_choices(read_battle("Elf, Pony-1, in a cave : Giant"))
        if choice.play.move
    )


def test_c27_tables_of_demons_are_rolled() -> None:
    outcomes = find_best_choice(read_battle("Dwarf : Imp")).outcomes
    assert {word for outcome in outcomes for word in outcome.words} >= {"Wither", "Squeak"}


def test_c7_the_duck_chit_only_ducks() -> None:
    choices = rank_choices(read_battle("Dwarf, no armour : Wolf"))
    ducks = [choice for choice in choices if choice.play.move is not None and choice.play.move.kind == "Duck"]
    assert {(choice.play.maneuver, choice.play.attack) for choice in ducks if choice.play.fight} == {(2, 0), (2, 2)}
