"""What a melee does (C15 to C28): one function for the rules, explanations, bots and the battle calculator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from realmtable.games.magic_realm.combat_rules.hits import MISSES, judge_attack, list_instants
from realmtable.games.magic_realm.combat_rules.melee import AttackId, FighterId, Melee
from realmtable.games.magic_realm.combat_rules.melee_state import MeleeState
from realmtable.games.magic_realm.combat_rules.report import CANCELLED, MISSED, STRUCK, Report, Strike

NO_ROLLS: Final[Mapping[AttackId, int]] = MappingProxyType({})


def resolve(melee: Melee, rolls: Mapping[AttackId, int] = NO_ROLLS) -> Report:
    """Return what a melee does, with the results of the rolls made so far: 1 to 6, modified and limited as in G3.

    If a hit needs a roll that is missing, the report ends before its instant and names it in `waits_for`. Roll, and
    call again with one roll more: what was reported stays the same.
    """
    situation = MeleeState(melee)
    verdicts = [judge_attack(attack, melee.fighters[attack.target].maneuver) for attack in melee.attacks]
    strikes = [Strike(number, verdict, MISSED) for number, verdict in enumerate(verdicts) if verdict == MISSES]
    for instant in list_instants(melee, [number for number, verdict in enumerate(verdicts) if verdict != MISSES]):
        active = [number for number in instant if situation.can_strike(melee.attacks[number])]
        waiting = next((number for number in active if melee.attacks[number].table and number not in rolls), None)
        if waiting is not None:
            return _finish_report(situation, strikes, waiting)
        made = [situation.strike(number, verdicts[number], rolls.get(number)) for number in active]
        strikes += [Strike(number, verdicts[number], CANCELLED) for number in instant if number not in active]
        strikes += made
        situation.apply(made)
    return _finish_report(situation, strikes, None)


def _finish_report(situation: MeleeState, strikes: Sequence[Strike], waits_for: AttackId | None) -> Report:
    return Report(
        tuple(strikes),
        tuple(situation.deaths),
        situation.list_dead_steeds(),
        situation.list_wear(),
        tuple(situation.wounds),
        tuple(situation.spells),
        _turn_weapons(situation.melee, strikes),
        _list_red(situation, strikes),
        waits_for,
    )


def _turn_weapons(melee: Melee, strikes: Sequence[Strike]) -> tuple[tuple[FighterId, bool], ...]:
    """Return which weapons are turned: alerted after a miss or a cancelled hit, unalerted after a hit (C28)."""
    if not any(attack.turns_weapon for attack in melee.attacks):
        return ()
    attacks = [(melee.attacks[strike.attack], strike.status) for strike in sorted(strikes)]
    return tuple((attack.attacker, status != STRUCK) for attack, status in attacks if attack.turns_weapon)


def _list_red(situation: MeleeState, strikes: Sequence[Strike]) -> tuple[FighterId, ...]:
    """Return the Tremendous monsters that are red side up now: they hit, or were so before; the target lives (C26)."""
    melee = situation.melee
    if not any(fighter.is_tremendous for fighter in melee.fighters):
        return ()
    hit = {melee.attacks[strike.attack].attacker for strike in strikes if strike.status == STRUCK}
    holding = {attack.attacker for attack in melee.attacks if situation.can_strike(attack)}
    return tuple(
        number
        for number, fighter in enumerate(melee.fighters)
        if fighter.is_tremendous and number in holding and (fighter.is_red or number in hit)
    )
