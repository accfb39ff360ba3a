"""The reasons of hits and misses in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from realmtable.games.magic_realm.catalog.ids import STRENGTHS
from realmtable.games.magic_realm.combat_rules.explain import explain_melee
from realmtable.games.magic_realm.combat_rules.melee import Attack, Fighter, Melee
from realmtable.games.magic_realm.combat_rules.resolve import resolve
from tests.magic_realm.helpers.melee_helpers import (
    CHARGE,
    DUCK,
    SMASH,
    SWING,
    THRUST,
    beast,
    bite,
    blow,
    hero,
    hit,
    worn,
)

N, L, M, H, T = range(len(STRENGTHS))


def _explain(
    fighters: Sequence[Fighter], attacks: Sequence[Attack], rolls: Mapping[int, int] | None = None
) -> list[str]:
    melee = Melee(tuple(fighters), tuple(attacks))
    return explain_melee(melee, resolve(melee, rolls or {}))


def test_a_miss_says_that_both_time_and_direction_failed() -> None:
    goblin = beast("Axe Goblin", SWING, dark=True)
    bow = blow("Light Bow", SWING, "Fight M4", attacker=0, target=1, alerted=True)
    axe = bite("Axe Goblin", SWING, attacker=1, target=0, dark=True)
    harm = "Harm L (L + 2 for stars − 2 for the roll of 5)"
    assert _explain([hero("Elf", (DUCK, "Move M4")), goblin], [bow, axe], {0: 5}) == [
        f"{goblin.name} misses Elf: time 4 does not undercut 4, and swing does not match duck.",
        f"Elf hits {goblin.name}: swing matches dodge. {harm} does nothing to {goblin.name}.",
    ]


def test_a_hit_says_what_it_does() -> None:
    wolf = beast("Wolf", THRUST)
    sword = blow("Short Sword", SWING, "Fight M3**", attacker=0, target=1)
    assert _explain([hero("Elf"), wolf], [sword]) == [
        "Elf misses Wolf-1: time 3 does not undercut 3, and swing does not match charge."
    ]
    fast = blow("Short Sword", SWING, "Fight L2**", attacker=0, target=1)
    assert _explain([hero("Elf"), wolf], [fast]) == [
        "Elf hits Wolf-1: time 2 undercuts 3. Harm M (L + 1 for stars) kills Wolf-1."
    ]
    strong = blow("Short Sword", THRUST, "Fight M4", attacker=0, target=1)
    assert _explain([hero("Elf"), wolf], [strong])[0].endswith(
        "Harm H (L + 1 for stars + 1 for strength) kills Wolf-1."
    )
    shot = blow("Light Bow", THRUST, "Fight M4", attacker=0, target=1)
    assert _explain([hero("Elf"), wolf], [shot], {0: 1})[0].endswith("Harm H (L + 2 for the roll of 1) kills Wolf-1.")
    assert _explain([hero("Elf"), wolf], [shot], {0: 3})[0].endswith("Harm L does nothing to Wolf-1.")


def test_wounds_armour_and_horses() -> None:
    wolf = beast("Wolf")
    start = "Wolf-1 hits Amazon: there is no manoeuvre. Harm "
    assert _explain([hero("Amazon"), wolf], [hit(1, 0, harm=L)]) == [f"{start}L is one wound."]
    armored = hero("Amazon", None, worn("Breastplate"))
    assert _explain([armored, wolf], [hit(1, 0, harm=M)]) == [
        f"{start}M strikes the Breastplate-1 and damages it, one wound."
    ]
    assert _explain([armored, wolf], [hit(1, 0, harm=L)]) == [f"{start}L strikes the Breastplate-1."]
    rider = hero("Captain", (CHARGE, "walk"), on="Pony-1")
    for level, expected in ((M, "Harm M kills the horse."), (L, "Harm L does not kill the horse.")):
        assert _explain([rider, wolf], [hit(1, 0, harm=level)])[0].endswith(expected)


def test_c20_the_last_of_several_strikes_says_what_became_of_the_armour() -> None:
    bats = [beast("Giant Bat-1"), beast("Giant Bat-2")]
    armored = hero("Amazon", None, worn("Breastplate"))
    lines = _explain([armored, *bats], [hit(1, 0, harm=M, length=2), hit(2, 0, harm=M, length=1)])
    assert [line.partition("strikes ")[2] for line in lines] == [
        "the Breastplate-1, one wound.",
        "the Breastplate-1 and destroys it, one wound.",
    ]


def test_cancelled_hits_say_who_was_dead() -> None:
    fighters = [hero("Elf"), hero("Amazon"), beast("Wolf")]
    attacks = [hit(0, 2, harm=M, length=9), hit(1, 2, harm=M, length=8), hit(2, 0, harm=M)]
    lines = _explain([*fighters, beast("Giant Bat")], [*attacks, hit(3, 1, harm=M)])
    assert [line.partition("Cancelled")[2] for line in lines] == ["", *[": Wolf-1 is already dead."] * 2, ""]
    assert lines[1].startswith("Amazon would hit Wolf-1")


def test_red_sides_and_spells() -> None:
    red = bite("T Troll", SMASH, attacker=1, target=0, dark=True)
    assert _explain([hero("Elf"), beast("T Troll", dark=True)], [red])[0].endswith("The red side kills Elf.")
    curse = bite("Imp", SMASH, attacker=1, target=0)
    assert _explain([hero("Elf"), beast("Imp")], [curse], {0: 4})[0].endswith("Elf rolls 4: Curse.")
