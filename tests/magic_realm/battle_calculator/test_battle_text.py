"""Battles are read from one line, and every mistake in it is named."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.battle_calculator.battle_text import read_battle
from realmtable.games.magic_realm.battle_calculator.duel import Duel
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Goods
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED


def list_names(duel: Duel) -> list[str]:
    return sorted(
        thing.kind if thing.name.startswith(f"{thing.kind}-") else thing.name for thing in duel.list_goods(Goods)
    )


def list_monsters(duel: Duel) -> list[str]:
    return [load_catalog().monsters[monster].name for monster in duel.monsters]


def test_a_character_has_the_gear_of_the_start_unless_the_list_names_other() -> None:
    assert list_names(read_battle("Amazon : Giant")) == ["Breastplate", "Helmet", "Shield", "Short Sword"]
    assert list_names(read_battle("Amazon, Spear : Giant")) == ["Breastplate", "Helmet", "Shield", "Spear"]
    assert list_names(read_battle("Amaz, Helm : Giant")) == ["Helmet", "Short Sword"]
    assert list_names(read_battle("amazon, no weapon, No Armour : giant")) == []
    assert list_names(read_battle("Elf, quick boots, pony-1 : Giant")) == ["Light Bow", "Pony-1", "Quick Boots"]


def test_sides_and_states_are_words_after_a_name() -> None:
    duel = read_battle(
        "Berserker, great axe ALERTED, Helmet damaged, berserk, in a cave, later round, fatigued Move H4**, "
        "wounded Move H4** : T Troll red, Wolf dark"
    )
    assert (duel.is_alerted, duel.is_berserk, duel.is_in_cave, duel.is_first_round) == (True, True, True, False)
    assert [load_catalog().goods[number].kind for number in duel.damaged] == ["Helmet"]
    troll, wolf = duel.monsters
    assert duel.dark == {Counter(troll), Counter(wolf)}
    assert duel.is_red(troll)
    assert not duel.is_red(wolf)
    labels = [chit.label for chit in duel.character.chits]
    states = {(label, state) for label, state in zip(labels, duel.chits, strict=True) if state != ACTIVE}
    assert states == {("Move H4**", FATIGUED), ("Move H4**", WOUNDED)}


def test_the_weapon_of_the_start_can_be_alerted() -> None:
    assert read_battle("Elf, alerted : Giant") == read_battle("Elf, Light Bow alerted : Giant")


def test_monsters_are_counted_and_named_as_people_name_them() -> None:
    assert list_monsters(read_battle("Elf : 2 wolves, Giant Bats")) == ["Wolf-1", "Wolf-2", "Giant Bat-1"]
    assert list_monsters(read_battle("Elf : 3x Spear Goblin, Imp,")) == [
        *(f"Spear Goblin-{n}" for n in (1, 2, 3)),
        "Imp",
    ]
    assert list_monsters(read_battle("Elf : wolf, wolf")) == ["Wolf-1", "Wolf-2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Elf and Giant", "two sides with a colon"),
        ("Elf : Giant : Wolf", "two sides with a colon"),
        (": Giant", "The character is missing"),
        ("Elf : ,", "The monsters are missing"),
        ("Elf" * 200, "at most 500 characters"),
        ("Elff : Giant", r"no character 'Elff'\. Perhaps you mean Elf"),
        ("Xyz : Giant", r"no character 'Xyz'\.$"),
        ("W : Giant", "'W' can be .*White Knight.*write more of it"),
        ("Elf : Gobblin", "Perhaps you mean Axe Goblin or Sword Goblin"),
        ("Elf : 9 Giant", "9 × Giant is not possible: 2 counters are left"),
        ("Elf : 0 Giant", "0 × Giant is not possible"),
        ("W : Giant", "can be"),
        ("Elf : 3 Wolf, 2 Giant", "At most 4 monsters"),
        ("Elf, Hat : Giant", "no weapon, armour, horse, boots or gloves 'Hat'"),
        ("Elf, Spear, Great Axe : Giant", "one weapon"),
        ("Elf, Pony-1, Pony-2 : Giant", "one horse"),
        ("Elf, Helmet, Helmet : Giant", "names something twice"),
        ("Elf, Helmet alerted : Giant", "Only a weapon can be alerted"),
        ("Elf, Spear damaged : Giant", "Only armour counters can be damaged"),
        ("Elf, berserk : Giant", "no Berserk chit"),
        ("Elf, no weapon, alerted : Giant", "nothing can be alerted"),
        ("Elf, wounded : Giant", "Name each fatigued or wounded chit"),
        ("Witch King : Giant", "no Move or Fight chit"),
        ("Elf, wounded Move T9 : Giant", "no active chit of the Elf 'Move T9'"),
    ],
)
def test_every_mistake_has_its_sentence(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_battle(text)


def test_a_character_needs_a_chit_to_play() -> None:
    elf = next(row for row in load_catalog().characters if row.name == "Elf")
    wounded = ", ".join(f"wounded {chit.label}" for chit in elf.chits)
    with pytest.raises(BadInput, match="no Move or Fight chit"):
        read_battle(f"Elf, {wounded} : Giant")
