"""What happens at one instant, red sides, special monsters, and weapons (C25 to C28)."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.catalog.ids import STRENGTHS
from realmtable.games.magic_realm.combat_rules.armor import DAMAGED, DESTROYED
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import monster_attack, part_attack
from realmtable.games.magic_realm.combat_rules.chit_spells import change_chits
from realmtable.games.magic_realm.combat_rules.melee import CURSE, MISSILE, PIT, Attack, Fighter, Maneuver
from realmtable.games.magic_realm.combat_rules.report import CANCELLED, MAGIC, STRUCK, Death, Report, TableEffect, Wear
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED
from tests.magic_realm.helpers.catalog_helpers import CATALOG, character, monster
from tests.magic_realm.helpers.melee_helpers import (
    CHARGE,
    DUCK,
    SMASH,
    SWING,
    THRUST,
    beast,
    bite,
    blow,
    club,
    fight,
    hero,
    hit,
    mount,
    worn,
)

N, L, M, H, T = range(len(STRENGTHS))


def test_c25_both_die_if_they_strike_at_one_instant() -> None:
    report = fight([hero("Elf"), beast("Wolf")], [hit(0, 1, harm=M), hit(1, 0, harm=M)])
    assert report.deaths == (Death(0, ()), Death(1, ()))


def test_k1_whoever_dies_at_the_same_instant_is_no_killer() -> None:
    fighters = [hero("Elf"), hero("Amazon"), beast("Wolf")]
    blows = [hit(0, 2, harm=M), hit(1, 2, harm=M)]
    assert fight(fighters, [*blows, hit(2, 0, harm=M)]).deaths == (Death(0, ()), Death(2, (1,)))
    assert fight(fighters, [*blows, hit(2, 0, harm=M, time=1)]).deaths == (Death(2, (0, 1)),)


def test_c25_the_dead_strike_no_more_and_are_not_struck() -> None:
    fighters = [hero("Elf"), hero("Amazon"), beast("Wolf")]
    attacks = [hit(0, 2, harm=M, time=1), hit(1, 2, harm=M, time=2), hit(2, 1, harm=M, time=3)]
    report = fight(fighters, attacks, first=False)
    assert [strike.status for strike in report.strikes] == [STRUCK, CANCELLED, CANCELLED]
    assert report.deaths == (Death(2, (0,)),)


def test_c25_a_kill_can_be_shared() -> None:
    report = fight([hero("Elf"), hero("Amazon"), beast("Wolf")], [hit(0, 2, harm=M), hit(1, 2, harm=T)])
    assert report.deaths == (Death(2, (0, 1)),)
    report = fight([hero("Elf"), hero("Amazon"), beast("Wolf")], [hit(0, 2, harm=L), hit(1, 2, harm=T)])
    assert report.deaths == (Death(2, (1,)),)


def test_c25_two_hits_that_damage_a_piece_destroy_it() -> None:
    knight = hero("White Knight", None, worn("Suit of Armor"))
    for blows, state in ((1, DAMAGED), (2, DESTROYED)):
        report = fight([knight, beast("Wolf")], [hit(1, 0, harm=H)] * blows)
        assert (report.wear, report.wounds[0]) == ((Wear(0, 0, state),), blows)


def test_c25_hits_of_one_instant_all_strike_the_horse() -> None:
    report = fight([hero("Captain", (CHARGE, "walk"), on="Pony-1"), beast("Wolf")], [hit(1, 0, harm=T)] * 2)
    assert (report.dead_steeds, report.deaths, report.wounds[0]) == ((0,), (), 0)


def test_c25_dice_are_asked_for_when_the_hit_takes_effect() -> None:
    shots = [Attack(0, 2, THRUST, 1, harm=M, table=MISSILE), Attack(1, 2, THRUST, 1, harm=M, table=MISSILE)]
    fighters = [hero("Elf"), hero("Amazon"), beast("Wolf")]
    early = hit(1, 2, harm=M, time=0)
    assert fight(fighters, shots).waits_for == 0
    assert fight(fighters, shots, {0: 3}).waits_for == 1
    assert fight(fighters, shots, {0: 3}).strikes == ()
    assert fight(fighters, shots, {0: 3, 1: 6}).deaths == (Death(2, (0,)),)
    assert fight(fighters, [*shots, early], first=False).waits_for is None


def test_c25_a_mortal_wound_does_not_stop_an_attack() -> None:
    report = fight([hero("Amazon"), beast("Wolf")], [hit(1, 0, harm=L, time=1), hit(0, 1, harm=M, time=2)], first=False)
    assert (report.wounds[0], report.deaths) == (1, (Death(1, (0,)),))
    assert not report.is_quiet


# ---- Tremendous monsters


def test_c26_a_hit_of_body_or_club_turns_the_monster_red() -> None:
    knight = hero("White Knight", (DUCK, "Move H6"))
    for attack in (bite("Octopus", SMASH, attacker=1, target=0), hit(1, 0, harm=N)):
        assert fight([knight, beast("Octopus")], [attack]).red == (1,)
    strike = club("Giant", SMASH, attacker=1, target=0)
    assert fight([hero("White Knight", (DUCK, "Move H6"), worn("Suit of Armor")), beast("Giant")], [strike]).red == (1,)


def test_c26_no_monster_is_red_after_a_miss_or_the_death_of_its_target() -> None:
    far = hero("White Knight", (CHARGE, "Move H4**"))
    assert fight([far, beast("T Troll")], [bite("T Troll", SMASH, attacker=1, target=0)]).red == ()
    elf = hero("Elf", (DUCK, "Move M4"))
    report = fight([elf, beast("T Troll")], [bite("T Troll", SMASH, attacker=1, target=0)])
    assert (bool(report.deaths), report.red) == (True, ())
    assert fight([elf, beast("Wolf")], [hit(1, 0, harm=N)]).red == ()


def test_c26_a_red_side_kills_past_horse_and_armour() -> None:
    rider = hero("Captain", (CHARGE, "walk"), worn("Helmet"), on="Workhorse-1")
    red = bite("T Troll", SMASH, attacker=1, target=0, dark=True)
    assert red.kills
    report = fight([rider, beast("T Troll", dark=True)], [red])
    assert (report.deaths, report.dead_steeds, report.wear) == ((Death(0, (1,)),), (), ())


def test_c26_a_red_monster_that_misses_holds_on() -> None:
    held = hero("White Knight", (CHARGE, "Move H4**"))
    red = beast("Octopus", dark=True)
    report = fight([held, red], [bite("Octopus", SMASH, attacker=1, target=0, dark=True)])
    assert (report.red, report.is_quiet) == ((1,), False)


# ---- special monsters


def test_c27_spear_goblins_do_not_attack_with_their_light_side() -> None:
    goblin = monster("Spear Goblin")
    assert monster_attack(goblin, is_dark=False, box=THRUST, attacker=1, target=0) is None
    assert monster_attack(goblin, is_dark=True, box=THRUST, attacker=1, target=0) is not None
    assert part_attack(goblin, is_dark=True, box=THRUST, attacker=1, target=0) is None


def test_c27_demons_and_the_imp_cast_with_their_light_side() -> None:
    for name, table in (("Demon", PIT), ("Winged Demon", PIT), ("Imp", CURSE)):
        light, dark = (bite(name, THRUST, attacker=1, target=0, dark=side) for side in (False, True))
        assert (light.table, light.length, dark.table, dark.length) == (table, 17, "", 0)


def _cast(roll: int, *others: Fighter, name: str = "Demon", target: Fighter | None = None) -> Report:
    armor = worn("Suit of Armor", "Shield", "Golden Crown", shield=THRUST, damaged=["Shield"])
    rider = target or hero("Captain", (CHARGE, "walk"), armor, on="Pony-1")
    return fight([rider, beast(name), *others], [bite(name, THRUST, attacker=1, target=0)], {0: roll})


def test_c27_a_curse_is_noted_and_passes_armour() -> None:
    report = _cast(3, name="Imp")
    assert (report.spells, report.strikes[0].struck, report.wear) == ((TableEffect(0, CURSE, 3),), MAGIC, ())
    assert (report.deaths, report.red, report.is_quiet) == ((), (), True)


def test_c27_the_fiery_chasm_kills_all_who_are_not_hidden() -> None:
    report = _cast(1, hero("Elf", hidden=True), hero("Amazon"), beast("Giant"))
    assert report.deaths == tuple(Death(number, ()) for number in (0, 1, 3, 4))
    assert (report.red, report.dead_steeds) == ((), ())


def test_c27_nobody_dies_twice() -> None:
    attacks = [hit(2, 3, harm=M, length=20), bite("Demon", THRUST, attacker=1, target=0)]
    report = fight([hero("Elf"), beast("Demon"), hero("Amazon"), beast("Wolf")], attacks, {1: 1})
    assert report.deaths == (Death(3, (2,)), Death(0, ()), Death(1, ()), Death(2, ()))


def test_c27_carried_away() -> None:
    assert _cast(2, hero("Elf")).deaths == (Death(0, ()),)


def test_c27_terror_kills_the_weak_and_ponies() -> None:
    native = Fighter("native", M, maneuver=Maneuver(THRUST, 4), steed=mount(H))
    on_workhorse = hero("Captain", (CHARGE, "walk"), on="Workhorse-1")
    report = _cast(3, beast("Wolf"), beast("H Troll"), native, on_workhorse)
    assert report.deaths == (Death(2, ()), Death(4, ()))
    assert report.dead_steeds == (0, 4)
    assert report.red == (1,)


def test_c27_blight_and_forget_are_noted() -> None:
    for roll in (4, 5):
        report = _cast(roll)
        assert (report.deaths, report.wear, report.spells) == ((), (), (TableEffect(0, PIT, roll),))


def test_c27_rust_damages_armour_counters() -> None:
    report = _cast(6)
    assert report.wear == (Wear(0, 0, DAMAGED), Wear(0, 1, DESTROYED))


@pytest.mark.parametrize(
    ("name", "word", "before", "expected"),
    [
        ("Amazon", "harm the weak", ACTIVE, {"Move M4": WOUNDED, "Fight L4": WOUNDED, "Fight H4**": ACTIVE}),
        ("Amazon", "harm the weak", FATIGUED, {"Move M3*": WOUNDED, "Fight H4**": FATIGUED}),
        ("Druid", "wound stars", ACTIVE, {"Move L3*": WOUNDED, "Move L4": ACTIVE, "Magic II2**": WOUNDED}),
        ("Druid", "wound stars", FATIGUED, {"Move L3*": FATIGUED}),
        ("Druid", "tire magic", ACTIVE, {"Magic II3*": FATIGUED, "Move L3*": ACTIVE}),
        ("Druid", "Wither", ACTIVE, {"Magic II3*": FATIGUED, "Move L3*": FATIGUED, "Move L4": ACTIVE}),
        ("Druid", "Wither", WOUNDED, {"Move L3*": WOUNDED}),
        ("Dwarf", "harm the weak", ACTIVE, {"Duck T3*": ACTIVE}),
        ("Druid", "Ashes", ACTIVE, {"Move L3*": ACTIVE}),
    ],
)
def test_w6_spells_change_chits(name: str, word: str, before: int, expected: dict[str, int]) -> None:
    chits = character(name).chits
    after = change_chits(chits, (before,) * len(chits), word)
    found = {chit.label: state for chit, state in zip(chits, after, strict=True)}
    assert {label: found[label] for label in expected} == expected


def test_c27_the_words_of_the_tables_are_known() -> None:
    words = [word for table in (PIT, CURSE) for (word,) in CATALOG.tables.by_name[table].results]
    assert words[:6] == ["kill clearing", "kill target", "harm the weak", "wound stars", "tire magic", "damage armor"]
    assert words[6:] == ["Eyemist", "Squeak", "Wither", "Ill Health", "Ashes", "Disgust"]


def test_c28_a_hit_unalerts_and_a_miss_or_a_cancelled_hit_alerts() -> None:
    wolf = beast("Wolf", SWING)
    sword = blow("Broadsword", SWING, "Fight M4", attacker=0, target=1)
    miss = blow("Broadsword", SMASH, "Fight M5", attacker=0, target=1)
    early = hit(2, 1, harm=M, length=20)
    assert fight([hero("Amazon"), wolf], [sword]).weapons == ((0, False),)
    assert fight([hero("Amazon"), wolf], [miss]).weapons == ((0, True),)
    assert fight([hero("Amazon"), wolf, hero("Elf")], [sword, early]).weapons == ((0, True),)
