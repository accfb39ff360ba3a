"""The chances of a round are the same by the battle calculator and by the rules of a fight, played out in full."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.magic_realm.battle_calculator.odds import list_results
from realmtable.games.magic_realm.bots.duels import make_duel
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.odds import find_odds
from realmtable.games.magic_realm.combat_flow.plays import monster_target, read_draft
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, CombatBelonging, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.melee import CURSE, MISSILE, PIT
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.world.belongings import active_kind
from tests.magic_realm.helpers.fight_helpers import CATALOG, ROAD, clash

USED = {"pass", "lure", "done", "alert", "berserk", "next", "aim", "strike", "evade", "shield", "ready"}
MONSTERS = [row.name for row in CATALOG.monsters]


def draw_warrior(rng: Random) -> Warrior:
    character = rng.randrange(len(CATALOG.characters))
    gear, kinds = [], {""}
    dice = {table: DiceRule(rng.choice((1, 2)), rng.choice((-1, 0, 0, 1))) for table in (MISSILE, CURSE, PIT)}
    for goods in rng.sample(range(len(CATALOG.goods)), 12):
        kind = active_kind(goods)
        if kind not in kinds:
            kinds.add(kind)
            gear.append(
                CombatBelonging(
                    goods, active=True, alerted=kind == "weapon" and rng.random() < 0.5, damaged=rng.random() < 0.3
                )
            )
    return Warrior(0, character, gear=tuple(gear), exits=(ROAD,), dice=dice)


def draw_fight(rng: Random) -> Fight:
    """Return a fight in which one character has just finished its play."""
    hidden = rng.random() < 0.3
    names = rng.sample(MONSTERS, rng.choice((1, 1, 2)))
    fight = clash(draw_warrior(rng), monsters=names, cave=rng.random() < 0.3)
    if hidden:
        fight = fight.change(0, is_hidden=True)
    while fight.agenda and fight.agenda[-1].kind != "reposition":
        (seat,) = machine.list_deciding(fight)
        answers = [
            each
            for each in machine.list_answers(fight, seat)
            if each.verb in USED or (each.verb == "aim none" and not hidden)
        ]
        ready = [each for each in answers if each.verb == "ready"]
        fight = machine.play(fight, seat, ready[0] if ready and rng.random() < 0.2 else rng.choice(answers))
    assert fight.agenda
    return fight


@pytest.mark.parametrize("seed", range(40))
def test_both_ways_to_the_chances_of_a_round_agree(seed: int) -> None:
    rng = Random(seed)
    fight = draw_fight(rng)
    duel, warrior = make_duel(fight, 0), fight.warrior(0)
    first = monster_target(0)
    target = None if warrior.target == NO_TARGET else warrior.target - first
    outcomes = list_results(duel, read_draft(fight, warrior), target)
    odds = find_odds(fight)
    assert sum(chance for outcome, chance in outcomes.items() if outcome.is_dead) == pytest.approx(
        float(odds.deaths[0])
    )
    assert sum(chance * outcome.wounds for outcome, chance in outcomes.items()) == pytest.approx(float(odds.wounds[0]))
    for monster in fight.sheets.monsters:
        killed = sum(chance for outcome, chance in outcomes.items() if monster in outcome.killed)
        assert killed == pytest.approx(float(odds.kills[monster]))
