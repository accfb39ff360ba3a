"""The melee of a fight: targets, secret plays, dice, and what they change (C3 to C29, W4 to W6, K1 to K4)."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.repositioning import build_melee
from realmtable.games.magic_realm.combat_flow.state import DEAD, CombatBelonging, Fight
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.round_costs import LAST_ROUND, Rounds
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.world.entities import FATIGUED, WOUNDED
from realmtable.games.magic_realm.world.steps import Step
from tests.magic_realm.helpers.fight_helpers import (
    CATALOG,
    GOODS,
    MONSTER,
    can,
    check_fight,
    chits,
    clash,
    go,
    pile_of,
    random_fight,
    skip,
    step,
    verbs,
    warrior,
)

WOLF, GIANT = MONSTER["Wolf-1"], MONSTER["Giant-1"]


def _meet(fight: Fight) -> Fight:
    """Go to the first target of the first round."""
    return skip(fight, "next")


# ---- targets


def test_c3_counters_are_drawn_and_aiming_shows_both() -> None:
    elf = warrior("Elf", 0, is_hidden=True, finds=frozenset({1}))
    fight = _meet(go(clash(elf, warrior("Druid", 1, is_hidden=True), monsters=["Wolf-1"]), "stir"))
    assert machine.list_answers(fight, CHANCE) == [step("next Elf"), step("next Druid")]
    fight = go(fight, "next Elf")
    assert machine.list_answers(fight, 0) == [step("aim Druid"), step("aim Wolf-1"), step("aim none")]
    seen = go(fight, "aim Druid")
    assert [each.is_hidden for each in seen.warriors] == [False, False]
    blind = go(fight, "aim none", "next Druid")
    assert machine.list_answers(blind, 1) == [step("aim Wolf-1"), step("aim none")]
    assert [each.is_hidden for each in blind.warriors] == [True, True]


def test_c3_without_anyone_to_aim_at_nobody_is_asked() -> None:
    fight = go(_meet(go(clash(warrior("Elf", 0)), "stir")), "next Elf")
    assert fight.agenda[-1].kind == "play"


def test_c4_whoever_charged_aims_at_that_character_only() -> None:
    fight = go(clash(warrior("Amazon", 0), warrior("Elf", 1)), "stir", "charge Elf with Move M3*", "pass")
    met = go(_meet(fight), "next Amazon")
    assert machine.list_answers(met, 0) == [step("aim Elf"), step("aim none")]
    fled = go(fight, "run Move L2*")
    assert go(_meet(fled), "next Amazon").agenda[-1].kind == "play"  # there is no target left


# ---- plays


def test_c7_plays_are_put_together_and_can_be_taken_back() -> None:
    fight = go(clash(warrior("Amazon", 0, "Short Sword-1", "Shield-1"), monsters=["Wolf-1"]), "pass", "done")
    fight = go(fight, "next Amazon", "aim Wolf-1")
    assert verbs(fight) == {"strike", "evade", "shield"}
    fight = go(fight, "shield smash", "strike thrust Fight M5", "evade duck Move M4")
    assert verbs(fight) == {"ready", "back"}
    fight = go(fight, "back", "back")
    assert verbs(fight) == {"strike", "evade", "ready", "back"}
    assert fight.warrior(0).draft == (step("shield smash"),)


def test_c7_all_play_at_once() -> None:
    fight = go(clash(warrior("Amazon", 0), warrior("Elf", 1)), "stir")
    fight = skip(fight, "play")
    assert machine.list_deciding(fight) == (0, 1)
    one = go(fight, "1: evade duck Move M4", "1: ready", "0: ready")
    other = go(fight, "0: ready", "1: evade duck Move M4", "1: ready")
    assert one == other
    assert hash(one) == hash(other)
    assert one != fight


def test_c11_with_four_counters_the_player_lays_them() -> None:
    wolves = ["Wolf-1", "Wolf-2", "Wolf-3", "Wolf-4"]
    fight = skip(clash(warrior("Amazon", 0), monsters=wolves), "play")
    assert can(fight, "set Wolf-1 smash")
    fight = go(fight, "set Wolf-1 smash", "set Wolf-2 smash")
    assert not can(fight, "set Wolf-3 smash")
    fight = go(fight, "ready", "die 4")
    laid = [fight.boxes[Counter(MONSTER[name])] for name in wolves]
    assert laid == [DIRECTIONS.index(way) for way in ("smash", "smash", "thrust", "swing")]
    three = skip(clash(warrior("Amazon", 0), monsters=wolves[:3]), "play")
    assert "set" not in verbs(three)
    all_laid = go(skip(clash(warrior("Amazon", 0), monsters=wolves), "play"),
                  "set Wolf-1 smash", "set Wolf-2 swing", "set Wolf-3 thrust", "set Wolf-4 thrust")  # fmt: skip
    assert "set" not in verbs(all_laid)


def test_c12_a_weapon_is_turned_without_a_target() -> None:
    fight = skip(go(clash(warrior("Elf", 0, "Light Bow-1")), "stir"), "play")
    fight = go(fight, "turn weapon Fight M4", "ready")
    assert fight.warrior(0).gear[0].alerted
    unarmed = skip(go(clash(warrior("Elf", 0)), "stir"), "play")
    assert "turn weapon" not in verbs(unarmed)


# ---- dice


def test_g4_c13_c14_the_dice_of_the_table_are_never_modified() -> None:
    lucky = {table: DiceRule(1, 3) for table in ("assign", "reposition", "tactics")}
    knight = warrior("White Knight", 0, "Suit of Armor-1", dice=lucky)
    fight = skip(clash(knight, monsters=["Wolf-1"]), "reposition")
    assert machine.list_answers(fight, CHANCE) == [Step("die", (face,)) for face in range(1, 7)]
    fight = go(fight, "die 5")
    assert fight.boxes == {Counter(WOLF): 1}
    assert len(machine.list_answers(fight, CHANCE)) == 36
    assert [go(fight, dice).sheets.is_dark(WOLF) for dice in ("d 1 6", "d 5 5")] == [True, False]


def test_c13_a_lone_target_has_a_sheet_of_its_own() -> None:
    elf = warrior("Elf", 0, "Light Bow-1!", is_hidden=True)
    fight = go(clash(elf, monsters=["Giant-1", "Wolf-1"]), "stir", "pass", "done", "next Elf", "aim Giant-1")
    fight = go(fight, "strike smash Fight M4", "ready")
    assert fight.boxes == {Counter(GIANT): 0}
    fight = go(fight, "die 2")
    assert fight.boxes == {Counter(GIANT): 2}
    melee = build_melee(fight)
    assert [attack.source for attack in melee.attacks] == ["Light Bow-1"]
    assert fight.agenda[-1].kind == "dice"


def test_c18_the_shooter_rolls_with_its_own_dice() -> None:
    for dice, outcomes, roll, expected in (
        (DiceRule(1, 0), 6, "die 2", 2),
        (DiceRule(2, -1), 36, "d 4 2", 3),
        (DiceRule(2, -1), 36, "d 1 1", 1),
    ):
        elf = warrior("Elf", 0, "Light Bow-1!", dice={"missile": dice})
        fight = go(clash(elf, monsters=["Giant-1"]), "pass", "done", "next Elf", "aim Giant-1")
        fight = go(fight, "strike thrust Fight M4", "ready", "die 4", "d 1 1")
        assert (machine.find_label(fight), len(machine.list_answers(fight, CHANCE))) == ("dice", outcomes)
        assert {*go(fight, roll).rolls.values()} <= {expected}
        assert go(fight, roll).rolls in ({0: expected}, {})


def _strike(hero: str, gear: list[str], monster: str, *plays: str, die: str = "die 4", tactics: str = "d 1 1") -> Fight:
    fight = go(clash(warrior(hero, 0, *gear), monsters=[monster]), "pass", "done", f"next {hero}", f"aim {monster}")
    fight = go(fight, *plays, "ready", die)
    return go(fight, tactics) if machine.find_label(fight) == "tactics" else fight


def test_c20_c21_armour_is_damaged_and_destroyed() -> None:
    dented = _strike("Amazon", ["Breastplate-1"], "Giant Bat-1")
    assert dented.warrior(0).gear == (CombatBelonging(GOODS["Breastplate-1"], damaged=True),)
    assert (dented.warrior(0).wounds, dented.agenda[-1].kind) == (1, "wounds")
    broken = _strike("Amazon", ["Breastplate-1!"], "Giant Bat-1")
    assert (broken.warrior(0).gear, broken.gone) == ((), (GOODS["Breastplate-1"],))
    crown = _strike("Amazon", ["Golden Crown"], "Giant Bat-1", die="die 2")
    assert (crown.warrior(0).gold, crown.gone) == (48, (GOODS["Golden Crown"],))
    gilded = _strike("Amazon", ["Gold Helmet!"], "H Dragon", die="die 2")
    assert gilded.warrior(0).gold == 20


def test_c24_a_dead_horse_is_gone() -> None:
    fight = _strike("Captain", ["Pony-1", "Helmet-1"], "Giant Bat-1", "evade charge Pony-1 walk")
    assert fight.gone == (GOODS["Pony-1"],)
    assert [gear.goods for gear in fight.warrior(0).gear] == [GOODS["Helmet-1"]]
    assert fight.warrior(0).wounds == 0


def test_c26_a_red_monster_holds_until_its_target_dies() -> None:
    knight = warrior("White Knight", 0, "Suit of Armor-1")
    fight = skip(clash(knight, monsters=["Octopus"]), "act")
    fight = skip(skip(fight, "costs", "fatigue", "wounds", "next"), "reposition")
    fight = skip(go(fight, "die 1"), "act")
    assert fight.sheets.is_held(0)
    assert fight.rounds == Rounds(2, 0)
    assert "run" not in verbs(fight)
    over = skip(fight)
    assert (over.warrior(0).fate, pile_of(over)) == (DEAD, ["Suit of Armor-1"])


@pytest.mark.parametrize(
    ("roll", "fate", "wounded", "tired"),
    [("d 1 1", DEAD, 0, 0), ("d 2 1", DEAD, 0, 0), ("d 3 1", "fighting", 6, 0), ("d 4 2", "fighting", 10, 0),
     ("d 5 2", "fighting", 0, 6), ("d 6 2", "fighting", 0, 0)],
)  # fmt: skip
def test_c27_the_power_of_the_pit(roll: str, fate: str, wounded: int, tired: int) -> None:
    fight = clash(warrior("Druid", 0, "Helmet-1", "-Pony-1"), monsters=["Demon"])
    fight = go(skip(fight, "dice"), roll)
    assert fight.warrior(0).fate == fate
    if fate != DEAD:
        states = fight.warrior(0).chits
        assert (states.count(WOUNDED), states.count(FATIGUED)) == (wounded, tired)
        assert fight.sheets.is_red(MONSTER["Demon"])
    assert (GOODS["Pony-1"] in fight.gone) == (roll == "d 3 1")


def test_c27_a_curse_of_the_imp() -> None:
    fight = skip(clash(warrior("Druid", 0), monsters=["Imp"]), "dice")
    assert go(fight, "d 1 2").warrior(0).curses == {"Squeak"}
    withered = go(fight, "d 3 1")
    assert withered.warrior(0).chits.count(FATIGUED) == 10
    assert withered.rounds == Rounds(2, 0)
    assert go(fight, "d 1 1").rounds == Rounds(2, 1)


def test_c27_the_target_rolls_with_its_own_dice() -> None:
    fight = skip(clash(warrior("Druid", 0, dice={"curse": DiceRule(1, 1)}), monsters=["Imp"]), "dice")
    assert go(fight, "die 6").warrior(0).curses == {"Disgust"}


def test_c28_weapons_are_turned_after_the_blow() -> None:
    hit = _strike("Amazon", ["Mace-1!"], "Wolf-1", "strike thrust Fight M5", "evade dodge Move M4")
    assert not hit.warrior(0).gear[0].alerted
    miss = _strike("Amazon", ["Mace-1"], "Wolf-1", "strike swing Fight M5", "evade dodge Move M4")
    assert miss.warrior(0).gear[0].alerted


# ---- costs


def test_w4_the_star_of_a_round_is_paid() -> None:
    fight = _strike("Amazon", [], "Wolf-1", "strike thrust Fight M4*", "evade dodge Move M3*")
    assert fight.agenda[-1].kind == "fatigue"
    assert machine.list_answers(fight, 0) == sorted([step("tire Fight M4*"), step("tire Move M3*")])
    assert go(fight, "tire Move M3*").warrior(0).chits.count(FATIGUED) == 1
    one = _strike("Amazon", [], "Wolf-1", "strike thrust Fight M4*", "evade dodge Move M4")
    assert one.warrior(0).chits.count(FATIGUED) == 0


def test_w5_w3_wounds_can_kill() -> None:
    amazon = warrior("Amazon", 0, "Silver Breastplate", chits=chits("Amazon", "Move M4", "Fight L4"))
    fight = skip(clash(amazon, monsters=["Giant Bat-1", "Giant Bat-2"]), "reposition")
    fight = skip(go(fight, "die 4"), "wounds")
    assert fight.warrior(0).wounds == 2
    fight = go(fight, "wound Fight L4", "continue")
    assert (fight.warrior(0).fate, fight.agenda, pile_of(fight)) == (DEAD, (), ["Silver Breastplate"])


def test_w5_example_26_fatigued_chits_come_last() -> None:
    states = chits("Wizard", "Fight L4", fatigued=["Fight M3*"])
    wizard = warrior("Wizard", 0, "Breastplate-1", chits=states)
    fight = skip(clash(wizard, monsters=["Giant Bat-1"]), "turn over")
    fight = go(fight, "d 1 1")  # the only chit is wounded without a question
    assert (fight.warrior(0).chits, fight.warrior(0).fate) == (chits("Wizard", fatigued=["Fight M3*"]), "fighting")
    fight = skip(fight)
    assert (fight.warrior(0).chits, fight.warrior(0).fate) == (chits("Wizard"), DEAD)


def test_w6_blight_can_leave_no_chit() -> None:
    druid = warrior("Druid", 0, "Helmet-1", chits=chits("Druid", "Move L3*", "Magic II3*"))
    fight = go(skip(clash(druid, monsters=["Demon"]), "dice"), "d 4 1", "continue")
    assert (fight.warrior(0).fate, pile_of(fight), fight.agenda) == (DEAD, ["Helmet-1"], ())
    assert fight.sheets.dark == frozenset()


def test_e2_combat_ends_after_two_quiet_rounds() -> None:
    spear = "Spear Goblin-1"
    assert skip(clash(warrior("Elf", 0), monsters=[spear])).rounds == Rounds(2, 1)


def test_e2_the_dead_see_the_last_melee_though_others_are_asked_for_another_round() -> None:
    fight = go(clash(warrior("Amazon", 0, "Mace-1"), warrior("Elf", 1)), "stir", "pass", "pass", "done", "done")
    fight = skip(go(fight, "next Amazon", "aim Elf", "next Elf", "aim none", "0: strike thrust Fight H4**"), "quiet")
    assert (machine.list_deciding(fight), fight.warrior(1).fate) == ((0,), DEAD)
    fight = go(fight, "rest easy")
    assert (machine.list_deciding(fight), fight.agenda[-1].kind) == ((1,), "look")


def test_e6_the_players_are_asked_again_when_no_monster_can_attack() -> None:
    two = clash(warrior("Elf", 0), warrior("Druid", 1))
    again = skip(go(two, "stir"), "quiet")
    assert again.rounds == Rounds(2, 1)
    assert go(again, "rest easy", "rest easy").agenda == ()
    assert skip(go(again, "stir")).rounds == Rounds(2, 1)


def test_e2_after_the_last_round_whoever_is_held_dies() -> None:
    knight = warrior("White Knight", 0)
    fight = clash(knight, warrior("Elf", 1, is_hidden=True), monsters=["Octopus"])
    fight = skip(replace(fight, rounds=Rounds(LAST_ROUND)), "reposition")
    fight = skip(go(fight, "die 1"))
    assert [each.fate for each in fight.warriors] == [DEAD, "fighting"]
    assert fight.rounds.number == LAST_ROUND


# ---- spoils


def test_k1_kills_count_and_multiply() -> None:
    amazon = warrior("Amazon", 0, "Broadsword!", kills=1)
    fight = go(clash(amazon, monsters=["Wolf-1"]), "pass", "done", "next Amazon", "aim Wolf-1")
    fight = go(fight, "strike thrust Fight M5", "ready", "die 4", "d 1 1")
    row = CATALOG.monsters[WOLF]
    assert fight.sheets.monsters == ()
    after = fight.warrior(0)
    assert after.kills == 2
    assert [after.fame, after.notoriety] == [2 * row.fame, 2 * row.notoriety]


def _murder(*killers: str) -> Fight:
    victim = warrior("Druid", 2, "Helmet-1", "-Lost Keys", gold=7, notoriety=Fraction(6), fame=Fraction(5))
    fight = clash(*(warrior(name, seat, f"Mace-{seat + 1}") for seat, name in enumerate(killers)), victim)
    fight = skip(go(fight, "stir"), "next")
    for name in killers:
        fight = go(fight, f"next {name}", "aim Druid")
    fight = skip(fight, "play")
    for seat in range(len(killers)):
        fight = go(fight, f"{seat}: strike thrust Fight M5", f"{seat}: ready")
    return go(fight, "2: ready")


def test_k3_k4_the_killer_takes_everything_but_fame() -> None:
    fight = _murder("Amazon")
    killer, victim = fight.warrior(0), fight.warrior(2)
    assert [killer.notoriety, killer.fame] == [6, 0]
    assert (killer.gold, killer.kills) == (7, 1)
    assert [gear.goods for gear in killer.gear] == [GOODS["Mace-1"], GOODS["Helmet-1"], GOODS["Lost Keys"]]
    assert [gear.active for gear in killer.gear] == [True, False, False]
    assert (victim.fate, victim.gear, victim.gold, victim.notoriety) == (DEAD, (), 0, Fraction())


def test_k3_killers_at_one_instant_share_the_notoriety() -> None:
    fight = _murder("Amazon", "Captain")
    assert [fight.warrior(seat).notoriety for seat in (0, 1)] == [3, 3]
    assert [fight.warrior(seat).gold for seat in (0, 1)] == [7, 0]
    assert len(fight.warrior(0).gear) == 3


def test_k4_monsters_leave_belongings_in_the_clearing() -> None:
    fight = _strike("Elf", ["Helmet-1"], "H Dragon")
    assert (fight.warrior(0).fate, pile_of(fight)) == (DEAD, ["Helmet-1"])


# ---- random fights
@pytest.mark.parametrize("seed", range(12))
def test_random_fights_end(seed: int) -> None:
    rng = random.Random(seed)
    fight, steps = machine.begin(random_fight(rng)), 0
    while fight.agenda:
        check_fight(fight)
        seat = rng.choice(machine.list_deciding(fight))
        answers = machine.list_answers(fight, seat)
        assert answers
        assert seat == CHANCE or answers == sorted({*answers})
        usable = [each for each in answers if each.verb != "back"]
        fight = machine.play(fight, seat, rng.choice(usable))
        steps += 1
    check_fight(fight)
    assert fight.sheets.dark == frozenset()
    assert steps < 2000
