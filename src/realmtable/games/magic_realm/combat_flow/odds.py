"""The exact chances of a round, once everyone has played: for bots, hints and a battle calculator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_flow.machine import list_answers, list_deciding, play
from realmtable.games.magic_realm.combat_flow.state import DEAD, FIGHTING, Fight
from realmtable.games.magic_realm.world.steps import Step


@dataclass(frozen=True, slots=True)
class Odds:
    """What is to be expected of a melee."""

    deaths: Mapping[Seat, Fraction]  # the chance that a character is killed
    wounds: Mapping[Seat, Fraction]  # how many wounds it takes on average
    kills: Mapping[MonsterId, Fraction]  # the chance that a monster is killed


def list_chance_outcomes(fight: Fight) -> dict[Fight, Fraction]:
    """Return where chance can lead before someone decides again or combat ends, with probabilities."""
    spread = {fight: Fraction(1)}
    while True:
        waiting = {state: weight for state, weight in spread.items() if list_deciding(state) == (CHANCE,)}
        if not waiting:
            return spread
        following: defaultdict[Fight, Fraction] = defaultdict(Fraction)
        following.update({state: weight for state, weight in spread.items() if state not in waiting})
        for state, weight in waiting.items():
            for step, share in _group_outcomes(list_answers(state, CHANCE)).items():
                following[play(state, CHANCE, step)] += weight * share
        spread = dict(following)


def _group_outcomes(outcomes: Sequence[Step]) -> dict[Step, Fraction]:
    """Return one of all rolls that have the same effect, with their share: of two dice, only the higher one counts."""
    alike = Counter(Step("d", (max(step.args),) * 2) if step.verb == "d" else step for step in outcomes)
    return {step: Fraction(count, len(outcomes)) for step, count in alike.items()}


def find_odds(fight: Fight) -> Odds:
    """Return the chances of a fight in which all plays have been made, and dice are to be rolled next."""
    seats = [warrior.seat for warrior in fight.warriors if warrior.fate == FIGHTING]
    deaths, wounds = dict.fromkeys(seats, Fraction()), dict.fromkeys(seats, Fraction())
    kills = dict.fromkeys(fight.sheets.monsters, Fraction())
    for state, weight in list_chance_outcomes(fight).items():
        for number, seat in enumerate(seats):
            deaths[seat] += weight * (state.warrior(seat).fate == DEAD)
            wounds[seat] += weight * (0 if state.report is None else state.report.wounds[number])
        for monster in kills:
            kills[monster] += weight * (monster not in state.sheets.monsters)
    return Odds(deaths, wounds, kills)
