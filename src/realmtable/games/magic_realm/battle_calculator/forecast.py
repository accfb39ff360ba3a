"""The chances of a whole fight, with the best play of each round (E2, W4, W5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Final

from realmtable.games.magic_realm.battle_calculator.duel import Duel, hand_of, sort_alike
from realmtable.games.magic_realm.battle_calculator.odds import RoundResult
from realmtable.games.magic_realm.battle_calculator.play_choices import Choice, count_melees, find_best_choice
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit
from realmtable.games.magic_realm.combat_rules.chit_spells import change_chits
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.plays import FIGHT, MOVE, Piece
from realmtable.games.magic_realm.combat_rules.round_costs import QUIET_ROUNDS, Debt, list_debts
from realmtable.games.magic_realm.day_rules.chit_states import ChitStates, find_payments, find_wounds, label_of
from realmtable.games.magic_realm.day_rules.chit_states import pay as pay_star
from realmtable.games.magic_realm.day_rules.chit_states import wound as wound_chit
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.steps import Step

MAX_ROUNDS: Final = 10
MAX_MELEES: Final = 30_000  # that are resolved for a forecast, which takes about half a second
MIN_SITUATIONS: Final = 4  # at the beginning of a round that are looked into, the most likely first
MIN_CHANCE: Final = 0.001  # of a situation that is looked into


@dataclass(frozen=True, slots=True)
class RoundChances:
    """The chances that a fight has ended by the end of a round, and how."""

    number: int
    victory: float  # all monsters are dead and the character lives
    death: float
    escape: float  # combat has ended with both alive


@dataclass(frozen=True, slots=True)
class Forecast:
    """The chances of a fight."""

    rounds: tuple[RoundChances, ...]
    kills: Mapping[str, float]  # by kind of monster, how many on average
    wounds: float  # on average
    unknown: float  # the share of fights that was not followed to the end


class _Tally:
    """Adds up what happens in a fight."""

    def __init__(self, duel: Duel) -> None:
        self.victory = self.death = self.escape = self.wounds = 0.0
        self.kills = {load_catalog().monsters[monster].kind: 0.0 for monster in duel.monsters}

    def add(self, before: Duel, choice: Choice, outcome: RoundResult, chance: float) -> Duel | None:
        """Add an outcome of a round; return the fight that goes on, or None if it has ended."""
        for monster in outcome.killed:
            self.kills[load_catalog().monsters[monster].kind] += chance
        self.wounds += chance * outcome.wounds
        after = None if outcome.is_dead else end_round(before, choice, outcome)
        if after is None:
            self.death += chance
        elif not after.monsters:
            self.victory += chance
        elif after.quiet_rounds >= QUIET_ROUNDS:
            self.escape += chance
        else:
            return after
        return None


def forecast_fight(duel: Duel) -> Forecast:
    """Return the chances of a fight in which the character makes the best play of each round."""
    first = sort_alike(duel)
    front: dict[Duel, float] = {first: 1.0}
    tally, rounds = _Tally(duel), list[RoundChances]()
    left = max(MIN_SITUATIONS, MAX_MELEES // count_melees(first))
    while front and left > 0 and len(rounds) < MAX_ROUNDS:
        likely = sorted(((chance, now) for now, chance in front.items() if chance >= MIN_CHANCE), key=itemgetter(0))
        followed, front = likely[::-1][:left], {}
        left -= max(len(followed), 1)
        for chance, now in followed:
            best = find_best_choice(now)
            for outcome, part in best.outcomes.items():
                after = tally.add(now, best, outcome, chance * part)
                if after is not None:
                    front[after] = front.get(after, 0.0) + chance * part
        rounds.append(RoundChances(len(rounds) + 1, tally.victory, tally.death, tally.escape))
    known = tally.victory + tally.death + tally.escape
    return Forecast(tuple(rounds), tally.kills, tally.wounds, max(0.0, 1 - known))


def end_round(duel: Duel, choice: Choice, outcome: RoundResult) -> Duel | None:
    """Return the fight at the beginning of the next round; None if the character has died of wounds."""
    rows = duel.character.chits
    states = duel.chits
    for word in outcome.words:
        states = change_chits(rows, states, word)
    melee = [piece for piece in (choice.play.fight, choice.play.move) if piece is not None]
    states = _pay(rows, states, [*duel.played, *melee], duel)
    for _ in range(outcome.wounds):
        if min(states) < WOUNDED:
            states = wound_chit(rows, states, _choose(duel, rows, find_wounds(rows, states)))
    if min(states) == WOUNDED:
        return None
    gone = outcome.destroyed if outcome.has_horse or duel.horse is None else outcome.destroyed | {duel.horse.id}
    after = sort_alike(
        replace(
            duel,
            chits=states,
            monsters=tuple(monster for monster in duel.monsters if monster not in outcome.killed),
            dark=outcome.dark,
            is_alerted=outcome.is_alerted,
            goods=tuple(number for number in duel.goods if number not in gone),
            damaged=(duel.damaged | outcome.damaged) - gone,
            is_first_round=False,
            played=(),
        )
    )
    return replace(after, quiet_rounds=duel.quiet_rounds + 1 if _is_quiet(duel, after) else 0)


def _is_quiet(before: Duel, after: Duel) -> bool:
    """Whether nothing has happened in a round that keeps combat going (E2)."""
    is_same = all(getattr(before, name) == getattr(after, name) for name in ("chits", "goods", "damaged"))
    is_same = is_same and len(before.monsters) == len(after.monsters)
    return is_same and not any(after.is_red(monster) for monster in after.monsters)


def _pay(rows: tuple[ActionChit, ...], states: ChitStates, played: Iterable[Piece], duel: Duel) -> ChitStates:
    """Return the states after the stars of a round are paid, with the chits that are needed least (W4)."""
    debts = list_debts(played)
    if not debts:
        return states
    return max((_pay_debt(rows, states, debt, duel) for debt in debts), key=lambda after: _value_chits(duel, after))


def _pay_debt(rows: tuple[ActionChit, ...], states: ChitStates, debt: Debt, duel: Duel) -> ChitStates:
    for kind, stars in ((FIGHT, debt.fight), (MOVE, debt.move)):
        for _ in range(stars):
            ways = find_payments(rows, states, kind)
            if ways:
                states = max((pay_star(rows, states, way) for way in ways), key=lambda after: _value_chits(duel, after))
    return states


def value_wounds(duel: Duel, texts: Iterable[str]) -> dict[str, float]:
    """Return what the chits are worth that are left after each of some payments or wounds, given as text."""
    rows, steps = duel.character.chits, {text: parse_step(text) for text in texts}
    return {
        text: _value_chits(duel, (wound_chit if step.verb == "wound" else pay_star)(rows, duel.chits, step))
        for text, step in steps.items()
    }


def _choose(duel: Duel, rows: tuple[ActionChit, ...], ways: list[Step]) -> Step:
    """Return the wound that hurts least."""
    worth = {label_of(chit): _value_chit(duel, chit) for chit in rows}
    return min(ways, key=lambda way: worth[way.args[0]])


def _value_chits(duel: Duel, states: ChitStates) -> float:
    values = {ACTIVE: 1.0, FATIGUED: 0.3, WOUNDED: 0.0}
    return sum(
        values[state] * _value_chit(duel, chit) for chit, state in zip(duel.character.chits, states, strict=True)
    )


def _value_chit(duel: Duel, chit: ActionChit) -> float:
    """Return roughly what a chit is worth in this fight: fast ones that can be played are worth most."""
    if not chit.strength:
        return 0.1
    hand = hand_of(duel)
    needed = hand.weapon_weight if chit.kind == FIGHT else hand.load
    return 0.2 if level_of(chit.strength) < needed else 1 / chit.time + 0.05 * (2 - chit.stars)
