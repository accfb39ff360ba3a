"""Which attacks hit, and in which order their hits take effect (C15, C17)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from realmtable.games.magic_realm.combat_rules.melee import Attack, AttackId, Maneuver, Melee

MATCHES: Final = "matches"  # the direction of the manoeuvre
UNDERCUTS: Final = "undercuts"  # its time
UNOPPOSED: Final = "unopposed"  # there is no manoeuvre
MISSES: Final = "misses"


def judge_attack(attack: Attack, maneuver: Maneuver | None) -> str:
    """Return why an attack hits a manoeuvre, or that it misses (C15)."""
    if maneuver is None:
        return UNOPPOSED
    if attack.direction == maneuver.direction:
        return MATCHES
    return UNDERCUTS if attack.time < maneuver.time else MISSES


def list_instants(melee: Melee, hits: Sequence[AttackId]) -> list[list[AttackId]]:
    """Return hits in the order in which they take effect; those of one instant together (C17)."""
    if len(hits) <= 1:
        return [[*hits]] if hits else []

    def rank(number: AttackId) -> tuple[int, int]:
        attack = melee.attacks[number]
        return (-attack.length, attack.time) if melee.is_first_round else (attack.time, -attack.length)

    return [[*instant] for _, instant in groupby(sorted(hits, key=rank), key=rank)]
