"""How much harm hits do, and to what (C10, C18 to C24)."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.catalog.ids import STRENGTHS
from realmtable.games.magic_realm.combat_rules.armor import DAMAGED, DESTROYED
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import armor_piece, card_armor, weapon_attack
from realmtable.games.magic_realm.combat_rules.harm import count_harm, level_of, name_level, read_missile_table
from realmtable.games.magic_realm.combat_rules.melee import MISSILE, Attack
from realmtable.games.magic_realm.combat_rules.report import ARMOR, BODY, STEED, Death, Wear
from tests.magic_realm.helpers.catalog_helpers import CATALOG, armor, treasure, weapon
from tests.magic_realm.helpers.melee_helpers import (
    CHARGE,
    SMASH,
    SWING,
    THRUST,
    beast,
    blow,
    fight,
    gloves_or_boots,
    hero,
    hit,
    mount,
    worn,
)

N, L, M, H, T = range(len(STRENGTHS))


def test_c10_without_a_weapon_there_is_a_dagger() -> None:
    dagger = blow("", SWING, "Fight L4", attacker=0, target=1)
    assert (dagger.harm, dagger.stars, dagger.length, dagger.time) == (N, 1, 0, 4)
    assert dagger.is_stronger
    assert not dagger.turns_weapon


@pytest.mark.parametrize(("on_armor", "expected"), [(False, T), (True, H)])
def test_c18_armour_takes_one_star(on_armor: bool, expected: int) -> None:
    assert count_harm(hit(0, 1, harm=M, stars=2), on_armor=on_armor) == expected
    assert count_harm(hit(0, 1, harm=H), on_armor=on_armor) == H


def test_c18_excess_strength_adds_one_level_to_striking_weapons() -> None:
    for fight_chit, level in (("Fight L4", M), ("Fight M4", H), ("Fight T5*", H)):
        assert count_harm(blow("Short Sword", THRUST, fight_chit, attacker=0, target=1), on_armor=False) == level
    assert not blow("Light Bow", THRUST, "Fight T5*", attacker=0, target=1).is_stronger
    gauntlets = weapon_attack(weapon("Axe"), gloves_or_boots("Power Gauntlets"), THRUST, attacker=0, target=1)
    assert gauntlets.is_stronger


def test_c18_the_letter_of_the_side_counts_not_the_weight() -> None:
    assert blow("Spear", THRUST, "Fight M4", attacker=0, target=1).harm == N
    assert blow("Spear", THRUST, "Fight M4", attacker=0, target=1, alerted=True).harm == M


def test_c18_missiles_roll() -> None:
    assert [read_missile_table(roll) for roll in range(1, 7)] == [2, 1, 0, -1, -2, -3]
    bow = blow("Light Bow", THRUST, "Fight M4", attacker=0, target=1, alerted=True)
    assert [count_harm(bow, on_armor=False, roll=roll) for roll in (1, 3, 6)] == [T + 1, H, N]
    assert count_harm(bow, on_armor=True, roll=6) == N - 1
    assert [name_level(level) for level in (-1, 0, 4, 5)] == ["below N", "N", "T", "above T"]


def test_c18_a_hit_without_harm_is_still_a_hit() -> None:
    report = fight([hero("Elf"), hero("Druid")], [Attack(0, 1, THRUST, 1, table=MISSILE, turns_weapon=True)], {0: 6})
    assert report.strikes[0].level < L
    assert (report.wounds, report.deaths, report.weapons) == ((0, 0), (), ((0, False),))


@pytest.mark.parametrize(("level", "wounds", "dies"), [(N, 0, False), (L, 1, False), (M, 0, True), (T, 0, True)])
def test_c19_a_character_without_armour(level: int, wounds: int, dies: bool) -> None:
    report = fight([hero("Amazon"), beast("Wolf")], [hit(1, 0, harm=level)])
    assert (report.wounds[0], bool(report.deaths)) == (wounds, dies)


def test_c19_only_tremendous_harm_kills_a_berserk() -> None:
    for level, dies in ((H, False), (T, True)):
        report = fight([hero("Berserker", berserk=True), beast("Wolf")], [hit(1, 0, harm=level)])
        assert bool(report.deaths) == dies


@pytest.mark.parametrize(
    ("level", "is_damaged", "state", "wounds"),
    [
        (L, False, None, 0),
        (M, False, DAMAGED, 1),
        (M, True, DESTROYED, 1),
        (H, False, DESTROYED, 1),
        (L, True, None, 0),
    ],
)
def test_c20_what_becomes_of_armour(level: int, is_damaged: bool, state: int | None, wounds: int) -> None:
    shield = worn("Shield", shield=THRUST, damaged=["Shield"] if is_damaged else [])
    report = fight([hero("Elf", None, shield), beast("Wolf")], [hit(1, 0, harm=level)])
    assert report.wear == (() if state is None else (Wear(0, 0, state),))
    assert (report.wounds[0], report.deaths) == (wounds, ())
    assert report.strikes[0].struck == ARMOR


def test_c20_the_outermost_piece_of_the_direction_is_struck() -> None:
    cards = ("Bejeweled Dwarf Vest", "Golden Arm Band", "Golden Crown")
    everything = worn("Suit of Armor", "Helmet", "Breastplate", *cards, "Shield", shield=SWING)
    names = [piece.name for piece in everything]
    for gone, direction, expected in (
        (0, THRUST, "Bejeweled Dwarf Vest"),
        (1, THRUST, "Breastplate"),
        (2, THRUST, "Suit of Armor"),
        (0, SMASH, "Golden Crown"),
        (1, SMASH, "Helmet"),
        (0, SWING, "Shield"),
        (1, SWING, "Golden Arm Band"),
    ):
        blows = [hit(1, 0, direction, harm=T, time=time) for time in range(gone + 1)]
        report = fight([hero("Dwarf", None, everything), beast("Wolf")], blows, first=False)
        struck = names[report.strikes[-1].piece]
        assert struck.partition("-")[0] == expected


def test_c20_cards_are_destroyed_but_never_damaged() -> None:
    for card, level, state in (
        ("Golden Crown", L, None),
        ("Golden Crown", M, DESTROYED),
        ("Golden Crown", T, DESTROYED),
    ):
        report = fight([hero("Dwarf", None, worn(card)), beast("Wolf")], [hit(1, 0, SMASH, harm=level)])
        assert report.wear == (() if state is None else (Wear(0, 0, state),))


def test_c20_ointment_of_steel_comes_first() -> None:
    report = fight(
        [hero("Dwarf", None, worn("Shield", "Ointment of Steel", shield=THRUST)), beast("Wolf")], [hit(1, 0, harm=H)]
    )
    assert (report.strikes[0].piece, report.wear) == (1, ())


def test_c20_a_shield_covers_one_direction() -> None:
    assert armor_piece(armor("Jade Shield"), shield_at=SMASH).covers == (SMASH,)
    assert armor_piece(armor("Suit of Armor"), shield_at=SMASH).covers == (THRUST, SWING, SMASH)
    assert card_armor(treasure("Lost Keys")) is None


def test_c21_destroyed_armour_protects_no_longer() -> None:
    blows = [hit(1, 0, SMASH, harm=H, time=time) for time in (1, 2)]
    report = fight([hero("Captain", None, worn("Helmet")), beast("Wolf")], blows, first=False)
    assert [strike.struck for strike in report.strikes] == [ARMOR, BODY]
    assert report.deaths == (Death(0, (1,)),)


def test_c21_ordinary_pieces_have_a_home_and_treasures_pay_gold() -> None:
    homes = {row.kind: row.home for row in CATALOG.armor}
    assert {kind: homes[kind] for kind in ("Helmet", "Shield", "Breastplate", "Suit of Armor")} == {
        "Helmet": "Soldiers", "Shield": "Soldiers", "Breastplate": "Guard", "Suit of Armor": "Order",
    }  # fmt: skip
    assert all(bool(row.home) != bool(row.destroyed_price) for row in CATALOG.armor)


@pytest.mark.parametrize(("roll", "pierced", "dies"), [(3, True, False), (2, True, True), (2, False, False)])
def test_c22_v13_a_missile_above_tremendous_pierces_armour_if_the_option_says_so(
    roll: int, pierced: bool, dies: bool
) -> None:
    bolt = Attack(1, 0, THRUST, 1, harm=M, stars=3, table=MISSILE)
    knights = [hero("White Knight", None, worn("Suit of Armor")), hero("Elf")]
    report = fight(knights, [bolt], {0: roll}, pierced=pierced)
    assert report.deaths == ((Death(0, (1,)),) if dies else ())
    assert (report.wear, report.wounds[0]) == (((), 0) if dies else ((Wear(0, 0, DESTROYED),), 1))


def test_c23_an_armoured_monster_only_takes_a_star() -> None:
    for name, stars, dies in (("H Troll", 1, False), ("H Troll", 2, True), ("Giant Bat", 1, True)):
        report = fight([hero("Elf"), beast(name)], [hit(0, 1, harm=M, stars=stars)])
        assert bool(report.deaths) == dies
        assert (report.wounds, report.wear) == ((0, 0), ())
    armored = {row.kind for row in CATALOG.monsters if row.is_armored}
    assert armored == {row.kind for row in CATALOG.monsters if row.kind.split()[-1] in
                       ("Dragon", "Troll", "Serpent", "Viper")}  # fmt: skip


def test_c24_hits_strike_the_horse_until_it_is_dead() -> None:
    captain = hero("Captain", (CHARGE, "walk"), worn("Helmet"), on="Workhorse-1")
    blows = [hit(1, 0, SMASH, harm=H, time=time) for time in (1, 2, 3)]
    report = fight([captain, beast("Wolf")], blows, first=False)
    assert [strike.struck for strike in report.strikes] == [STEED, ARMOR, BODY]
    assert (report.dead_steeds, report.deaths, report.wear) == ((0,), (Death(0, (1,)),), (Wear(0, 0, DESTROYED),))


def test_c24_a_warhorse_is_armoured() -> None:
    knight = hero("White Knight", (CHARGE, "gallop"), on="Warhorse-1")
    for stars, dies in ((1, False), (2, True)):
        report = fight([knight, beast("Wolf")], [hit(1, 0, harm=H, stars=stars)])
        assert (report.dead_steeds, report.wounds[0]) == ((0,) if dies else (), 0)


def test_c24_a_native_horse_dies_with_its_rider() -> None:
    rider = beast("Wolf")
    mounted = type(rider)(rider.name, M, maneuver=rider.maneuver, steed=mount(H))
    report = fight([hero("Elf"), mounted], [hit(0, 1, harm=H, time=1), hit(0, 1, harm=M, time=2)], first=False)
    assert (report.dead_steeds, report.deaths) == ((1,), (Death(1, (0,)),))
    red = Attack(2, 1, THRUST, 1, kills=True)
    report = fight([hero("Elf"), mounted, beast("T Troll", dark=True)], [red])
    assert (report.dead_steeds, report.deaths) == ((1,), (Death(1, (2,)),))


def test_c18_levels_have_letters() -> None:
    assert [level_of(letter) for letter in "NLMHT"] == [N, L, M, H, T]
