"""The chances of a whole fight, with the best play of each round (E2, W4, W5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter, le
from typing import Final, NamedTuple

from realmtable.games.magic_realm.battle.duel import Duel, find_steed, hand_of, list_targets, sort_alike
from realmtable.games.magic_realm.battle.odds import Outcome, find_outcomes, list_situations
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat.chit_spells import change_chits
from realmtable.games.magic_realm.combat.fatigue import FREE_STARS, QUIET_ROUNDS, Debt, list_debts
from realmtable.games.magic_realm.combat.harm import level_of
from realmtable.games.magic_realm.combat.melee import EVERY_DIRECTION, Direction
from realmtable.games.magic_realm.combat.plays import FIGHT, MOVE, Hand, Piece, Play, list_plays
from realmtable.games.magic_realm.day.chit_states import ChitStates, find_payments, find_wounds, label_of
from realmtable.games.magic_realm.day.chit_states import pay as pay_star
from realmtable.games.magic_realm.day.chit_states import wound as wound_chit
from realmtable.games.magic_realm.world.records import ACTIVE, FATIGUED, WOUNDED
from realmtable.games.magic_realm.world.steps import Step

MAX_ROUNDS: Final = 10
MAX_MELEES: Final = 30_000  # that are resolved for a forecast, which takes about half a second
MIN_SITUATIONS: Final = 4  # at the beginning of a round that are looked into, the most likely first
MIN_CHANCE: Final = 0.001  # of a situation that is looked into
WORTH_OF_LIFE: Final = 2.0  # in kills
WORTH_OF_CHIT: Final = 0.2  # that is wounded
SLOWEST: Final = 99  # the time of a character that does not manoeuvre
WORTH_OF_STAR: Final = 0.03  # that has to be paid


class Choice(NamedTuple):
    """A play against a target, and what it leads to."""

    target: MonsterId | None
    play: Play
    outcomes: Mapping[Outcome, float]

    @property
    def kill(self) -> float:
        """The chance to kill the target."""
        return sum(chance for outcome, chance in self.outcomes.items() if self.target in outcome.killed)

    @property
    def death(self) -> float:
        """The chance to be killed at once."""
        return sum(chance for outcome, chance in self.outcomes.items() if outcome.is_dead)

    @property
    def wound(self) -> float:
        """The chance to live with at least one wound."""
        return sum(chance for outcome, chance in self.outcomes.items() if outcome.wounds and not outcome.is_dead)

    @property
    def value(self) -> float:
        """How good it is for the character, in kills."""
        kills = sum(chance * len(outcome.killed) for outcome, chance in self.outcomes.items())
        wounds = sum(chance * outcome.wounds for outcome, chance in self.outcomes.items() if not outcome.is_dead)
        stars = sum(piece.stars for piece in (self.play.fight, self.play.move) if piece is not None)
        return kills - WORTH_OF_LIFE * self.death - WORTH_OF_CHIT * wounds - WORTH_OF_STAR * max(stars - 1, 0)


# ---- the best play of a round


def rank_choices(duel: Duel) -> list[Choice]:
    """Return the plays worth comparing, the best first."""
    return sorted(_list_choices(duel), key=lambda choice: choice.value, reverse=True)


@lru_cache(512)
def find_best_choice(duel: Duel) -> Choice:
    """Return the best play of a round."""
    return max(_list_choices(duel), key=lambda choice: choice.value)


def _list_choices(duel: Duel) -> Iterator[Choice]:
    hand = hand_of(duel)
    for target in (None, *list_targets(duel)):
        for play in _list_distinct_plays(duel, hand, has_target=target is not None):
            yield Choice(target, play, find_outcomes(duel, play, target))


def _list_distinct_plays(duel: Duel, hand: Hand, *, has_target: bool) -> list[Play]:
    """Return the plays worth comparing: no other with the same directions is as fast, as strong and as cheap."""
    groups: dict[object, dict[tuple[int, ...], Play]] = {}
    for play in list_plays(hand, has_target=has_target, has_shield=duel.has_shield):
        if (has_target and play.fight is None) or (has_even_armor(duel) and not _is_standard(play)):
            continue
        steed = find_steed(duel, play.move)
        group = groups.setdefault((play.attack, play.maneuver, play.shield, steed is not None), {})
        group.setdefault(_measure(duel, hand, play), play)
    return [play for group in groups.values() for key, play in group.items() if not _is_beaten(key, group)]


def _measure(duel: Duel, hand: Hand, play: Play) -> tuple[int, ...]:
    """Return what is bad about a play, each the lower the better: times, weakness and the stars to pay."""
    fight, move = play.fight, play.move
    side = None if duel.weapon is None else duel.weapon.alerted if duel.is_alerted else duel.weapon.unalerted
    stars = sum(piece.stars for piece in (fight, move) if piece is not None)
    return (
        0 if fight is None else (side.time if side is not None else 0) or fight.time,
        0 if fight is None else int(fight.strength <= hand.weapon_weight),
        SLOWEST if move is None else move.time,
        max(stars - FREE_STARS, 0),
    )


def _is_beaten(key: tuple[int, ...], others: Iterable[tuple[int, ...]]) -> bool:
    return any(other != key and all(map(le, other, key)) for other in others)


def has_even_armor(duel: Duel) -> bool:
    """Whether all directions are alike: the boxes are permuted at random, and the armour covers all or none (C13)."""
    return not duel.has_shield and all(
        len(piece.covers) == len(EVERY_DIRECTION) for _, piece in duel.list_armor(shield_at=0)
    )


def _is_standard(play: Play) -> bool:
    """Whether a play stands for all that differ only in the names of directions."""
    if play.fight is None or play.move is None:
        return play.attack == 0 and play.maneuver in (0, _only_direction(play.move))
    if len(play.move.directions) == 1:
        return play.attack in (0, play.maneuver)
    return play.attack == 0 and play.maneuver in (0, 1)


def _only_direction(move: Piece | None) -> Direction:
    return 0 if move is None or len(move.directions) > 1 else move.directions[0]


# ---- round after round


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

    def add(self, before: Duel, choice: Choice, outcome: Outcome, chance: float) -> Duel | None:
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


def foresee(duel: Duel) -> Forecast:
    """Return the chances of a fight in which the character makes the best play of each round."""
    first = sort_alike(duel)
    front: dict[Duel, float] = {first: 1.0}
    tally, rounds = _Tally(duel), list[RoundChances]()
    left = max(MIN_SITUATIONS, MAX_MELEES // _count_melees(first))
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


def _count_melees(duel: Duel) -> int:
    """Return roughly how many melees the best play of a round takes to find."""
    hand = hand_of(duel)
    plays = [
        play
        for target in (None, *list_targets(duel))
        for play in _list_distinct_plays(duel, hand, has_target=target is not None)
    ]
    return len(plays) * len(list_situations(duel.monsters, duel.dark))


def end_round(duel: Duel, choice: Choice, outcome: Outcome) -> Duel | None:
    """Return the fight at the beginning of the next round; None if the character has died of wounds."""
    rows = duel.character.chits
    states = duel.chits
    for word in outcome.words:
        states = change_chits(rows, states, word)
    states = _pay(rows, states, [piece for piece in (choice.play.fight, choice.play.move) if piece is not None], duel)
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
