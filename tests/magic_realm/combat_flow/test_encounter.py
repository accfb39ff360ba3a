"""The encounter of a fight: quiet evenings, luring, assignment, charging, actions (E4 to E19)."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.state import RAN, CombatBelonging
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.world.steps import Step
from tests.magic_realm.helpers.fight_helpers import (
    GOODS,
    MONSTER,
    ROAD,
    can,
    clash,
    go,
    pile_of,
    skip,
    step,
    verbs,
    warrior,
)

WOLF, GIANT = MONSTER["Wolf-1"], MONSTER["Giant-1"]


def test_e4_monsters_begin_and_end_with_their_light_sides() -> None:
    fight = clash(warrior("White Knight", 0, "Suit of Armor-1"), monsters=["Giant Bat-1"])
    assert fight.sheets.dark == frozenset()
    fight = go(skip(fight, "turn over"), "d 6 1")
    assert fight.sheets.is_dark(MONSTER["Giant Bat-1"])
    assert skip(fight).sheets.dark == frozenset()


def test_e5_characters_act_in_the_order_of_the_fight() -> None:
    fight = clash(warrior("Amazon", 1), warrior("Elf", 0), monsters=["Wolf-1"])
    asked: list[int] = []
    while fight.agenda[-1].kind == "lure":
        asked += machine.list_deciding(fight)
        fight = go(fight, "pass")
    assert asked == [1, 0]


def test_e6_a_quiet_evening_takes_one_answer_each() -> None:
    fight = clash(warrior("Amazon", 0), warrior("Elf", 1))
    fight = go(fight, "rest easy")
    assert machine.list_deciding(fight) == (1,)
    assert go(fight, "rest easy").agenda == ()
    assert go(fight, "stir").agenda[-1].kind == "charge"


def test_e6_hidden_and_spared_characters_have_quiet_evenings() -> None:
    imp = MONSTER["Imp"]
    assert verbs(clash(warrior("Elf", 0, is_hidden=True), monsters=["Wolf-1"])) == {"rest easy", "stir"}
    pilgrim = warrior("Pilgrim", 0, spared_by=frozenset({imp}))
    assert verbs(clash(pilgrim, monsters=["Imp"])) == {"rest easy", "stir"}
    assert "rest easy" not in verbs(clash(pilgrim, monsters=["Imp", "Wolf-1"]))


def test_e7_whoever_lures_is_seen() -> None:
    fight = clash(warrior("Elf", 0, is_hidden=True), warrior("Amazon", 1), monsters=["Wolf-1", "Giant-1"])
    fight = go(fight, "lure Wolf-1")
    assert not fight.warrior(0).is_hidden
    assert fight.sheets.assigned == {WOLF: 0}
    assert can(fight, "lure Giant-1")
    assert not can(fight, "lure Wolf-1")
    assert go(fight, "pass", "lure Wolf-1").sheets.assigned == {WOLF: 1}


def test_e7_the_pilgrim_cannot_lure_the_imp() -> None:
    pilgrim = warrior("Pilgrim", 0, spared_by=frozenset({MONSTER["Imp"]}))
    fight = clash(pilgrim, monsters=["Imp", "Wolf-1"])
    assert can(fight, "lure Wolf-1")
    assert not can(fight, "lure Imp")


def test_e8_a_single_target_takes_every_monster() -> None:
    fight = clash(warrior("Elf", 0), warrior("Amazon", 1, is_hidden=True), monsters=["Wolf-1", "Giant-1"])
    fight = go(fight, "pass", "pass")
    assert fight.sheets.assigned == {WOLF: 0, GIANT: 0}


def test_e8_ties_roll_again() -> None:
    fight = go(
        clash(*(warrior(name, seat) for seat, name in enumerate(("Amazon", "Captain", "Elf"))), monsters=["Wolf-1"])
    )
    fight = go(fight, "pass", "pass", "pass")
    assert machine.find_label(fight) == "assign"
    fight = go(fight, "d 4 2", "d 4 3", "d 1 1")
    assert [frame.seat for frame in fight.agenda if frame.kind == "contest"] == [1, 0]
    fight = go(fight, "d 1 2", "d 5 1")
    assert fight.sheets.assigned == {WOLF: 1}


def test_e8_one_die_with_the_lucky_charm() -> None:
    lucky = warrior("Elf", 1, dice={"assign": DiceRule(1, 0)})
    fight = go(clash(warrior("Amazon", 0), lucky, monsters=["Wolf-1"]), "pass", "pass", "d 2 6")
    assert len(machine.list_answers(fight, CHANCE)) == 6
    assert go(fight, "die 3").sheets.assigned == {WOLF: 0}


def test_e8_monsters_without_a_target_stay_unassigned() -> None:
    fight = go(clash(warrior("Elf", 0, is_hidden=True), monsters=["Wolf-1"]), "stir", "pass")
    assert fight.sheets.assigned == {}
    assert fight.agenda[-1].kind == "act"


# ---- charging


def test_e11_a_charge_shows_both_and_limits_the_other() -> None:
    druid = warrior("Druid", 1, is_hidden=True)
    blind = go(clash(warrior("Amazon", 0), druid), "stir", "pass")
    assert (blind.agenda[-1].kind, blind.agenda[-1].seat) == ("charge", 1)  # the Amazon sees no one
    amazon = warrior("Amazon", 0, is_hidden=True, finds=frozenset({1}))
    fight = go(clash(amazon, druid), "stir", "pass", "pass", "charge Druid with Move M3*")
    assert [each.is_hidden for each in fight.warriors] == [False, False]
    assert fight.warrior(0).played == fight.sheets.charges[0][1:]  # type: ignore[index]  # there is a charge
    fight = go(fight, "pass")
    assert machine.list_deciding(fight) == (1,)  # whoever charged has no action
    assert can(fight, "run Move L2**")
    assert not can(fight, "run Move L3*")


def test_e11_horses_can_charge_outside_caves() -> None:
    rider = warrior("Captain", 0, "Pony-1")
    for cave in (False, True):
        fight = go(clash(rider, warrior("Elf", 1), cave=cave), "stir")
        assert can(fight, "charge Elf with Pony-1 gallop") != cave


def test_e11_nobody_is_asked_who_sees_no_one() -> None:
    fight = go(clash(warrior("Elf", 0)), "stir")
    assert fight.agenda[-1].kind == "act"


# ---- actions


def test_e12_what_is_on_the_sheet_limits_actions() -> None:
    fight = go(clash(warrior("Swordsman", 0, "Thrusting Sword-1"), monsters=["Wolf-1"]), "pass")
    assert can(fight, "run Move L2**")
    assert not can(fight, "run Move L3*")
    assert can(fight, "alert Fight L2**")
    assert not can(fight, "alert Fight L3*")


def test_e13_a_weapon_is_turned_over() -> None:
    for mark, alerted in (("", True), ("!", False)):
        fight = go(clash(warrior("Elf", 0, f"Light Bow-1{mark}")), "stir", "alert Fight M4")
        assert fight.warrior(0).gear == (CombatBelonging(GOODS["Light Bow-1"], alerted=alerted),)
        assert [piece.name for piece in fight.warrior(0).played] == ["Fight M4"]
    assert "alert" not in verbs(go(clash(warrior("Elf", 0)), "stir"))


def test_e13_the_berserker_goes_berserk_once() -> None:
    fight = go(clash(warrior("Berserker", 0), warrior("Elf", 1)), "stir", "pass", "pass", "berserk")
    assert fight.warrior(0).is_berserk
    assert [piece.name for piece in fight.warrior(0).played] == ["Berserk T4**"]
    fight = skip(go(skip(skip(fight, "fatigue"), "quiet"), "stir"), "act")
    assert "berserk" not in verbs(fight)


def test_e14_a_runner_is_gone_and_pays_at_the_end() -> None:
    fight = go(clash(warrior("Swordsman", 0), monsters=["Wolf-1"]), "pass", "run Move L2**")
    assert (fight.warrior(0).fate, fight.warrior(0).road) == (RAN, ROAD)
    assert fight.sheets.assigned == {}
    assert fight.agenda[-1].kind == "fatigue"
    assert machine.list_answers(fight, 0) == sorted([step("tire Move L3*"), step("tire Move M4*")])
    assert go(fight, "tire Move L3*").agenda == ()


def test_e19_one_belonging_is_activated_and_one_packed() -> None:
    fight = go(clash(warrior("Amazon", 0, "Short Sword-1", "-Helmet-1", "-Spear-1", "-Shield-1")), "stir")
    assert {"activate", "pack", "leave", "alert", "run", "done"} == verbs(fight)
    assert not can(fight, "activate Spear-1")
    fight = go(fight, "pack Short Sword-1")
    assert verbs(fight) == {"activate", "done"}
    fight = go(fight, "activate Spear-1")
    assert verbs(fight) == {"done"}
    assert [gear.active for gear in fight.warrior(0).gear] == [False, False, True, False]


def test_e19_enchanted_cards_stay_active() -> None:
    fight = go(clash(warrior("Amazon", 0, "Cloven Hoof")), "stir")
    assert not can(fight, "pack Cloven Hoof")
    assert can(fight, "leave Cloven Hoof")


def test_e19_any_belongings_can_be_left() -> None:
    fight = go(clash(warrior("Amazon", 0, "Short Sword-1", "-Helmet-1")), "stir", "leave Helmet-1")
    assert verbs(fight) == {"leave", "done"}
    fight = go(fight, "leave Short Sword-1", "done")
    assert fight.warrior(0).gear == ()
    assert pile_of(fight) == ["Helmet-1", "Short Sword-1"]


def test_e19_boots_and_horses_have_to_bear_everything() -> None:
    fight = go(clash(warrior("Amazon", 0, "Quick Boots", "-Suit of Armor-1", "-Lost Keys", "-Imperial Tabard")), "stir")
    assert not can(fight, "activate Imperial Tabard")
    assert can(fight, "activate Lost Keys")
    packed = go(fight, "activate Suit of Armor-1")
    assert [gear.active for gear in packed.warrior(0).gear] == [False, True, False, False]
    cave = go(clash(warrior("Amazon", 0, "-Pony-1", "-Golden Crown"), cave=True), "stir")
    assert not can(cave, "activate Pony-1")
    assert can(cave, "activate Golden Crown")
    heavy = go(clash(warrior("Amazon", 0, "-Pony-1", "Suit of Armor-1")), "stir")
    assert not can(heavy, "activate Pony-1")


def test_only_who_is_asked_can_answer() -> None:
    fight = clash(warrior("Amazon", 0), warrior("Elf", 1))
    assert machine.list_answers(fight, 1) == []
    with pytest.raises(NotYourTurn):
        machine.play(fight, 1, Step("rest easy"))
    with pytest.raises(IllegalMove):
        machine.play(fight, 0, Step("ready"))
    over = go(fight, "rest easy", "rest easy")
    assert machine.list_deciding(over) == ()
    assert machine.find_label(over) == ""
