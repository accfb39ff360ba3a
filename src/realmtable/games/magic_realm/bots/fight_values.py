"""What a round of combat is worth to a character, in points: bounty, death, wounds and what has to be paid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from realmtable.games.magic_realm.battle_calculator.duel import Duel, hand_of, list_targets, sort_alike
from realmtable.games.magic_realm.battle_calculator.forecast import end_round
from realmtable.games.magic_realm.battle_calculator.odds import RoundResult, list_arrangements, list_results
from realmtable.games.magic_realm.battle_calculator.play_choices import Choice, list_distinct_plays
from realmtable.games.magic_realm.battle_calculator.run_advice import list_running_pieces
from realmtable.games.magic_realm.bots.danger import CHITS, FRAILTY, RUN_COST, WOUND, Danger
from realmtable.games.magic_realm.bots.goals import Goals, score
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.plays import Play
from realmtable.games.magic_realm.combat_rules.round_costs import FREE_STARS, QUIET_ROUNDS
from realmtable.games.magic_realm.day_rules.chit_states import ChitStates
from realmtable.games.magic_realm.world.entities import WOUNDED

STAR: Final = 0.08  # points that a star to pay costs
DAMAGED_ARMOR: Final = 0.05  # of what death costs: later hits will strike the body
LOST_ARMOR: Final = 0.15
LOST_HORSE: Final = 0.5
HELD: Final = 0.7  # of what death costs, if a red-side-up monster holds the character: it cannot run any more
MOST_RISK: Final = 0.9  # of death for a character that is still alive
HARMED_CHITS: Final = 2  # that a spell wounds, roughly
ALERTED: Final = 0.05  # what an alerted weapon is worth in the next round
MAX_MELEES: Final = 1000  # that are resolved for a round; with more, plays are first compared roughly
PAIRS: Final = 4  # of pieces that are then compared in all directions
SHORTLIST: Final = 6  # plays that are then compared exactly
TARGETS: Final = 3  # kinds of monsters that a look ahead attacks
BRANCHES: Final = 4  # outcomes of a round from which a look ahead goes on
MIN_CHANCE: Final = 0.04  # of such an outcome


class Stakes(NamedTuple):
    """What is at stake for a character, in points."""

    life: float
    wound: float  # one more
    fame: float  # for each point of fame
    notoriety: float
    kills: int = 0  # today

    def bounty(self, killed: Iterable[MonsterId]) -> float:
        """Return what kills are worth, the next ones more than the first (K1)."""
        rows = [load_catalog().monsters[monster] for monster in killed]
        return sum(
            (self.fame * row.fame + self.notoriety * row.notoriety) * number
            for number, row in enumerate(rows, self.kills + 1)
        )


def find_stakes(known: KnownWorld, chits: ChitStates, kills: int = 0) -> Stakes:
    """Return what is at stake for the viewer's character."""
    goals = Goals(known)
    nothing = dict.fromkeys(goals.has, 0.0)
    life = Danger(known, max(0.0, goals.score - score(nothing, goals.points, goals.worth))).death
    missing = chits.count(WOUNDED)
    weakness = FRAILTY * ((missing + 1) ** 2 - missing**2) / CHITS**2
    fame, notoriety = (
        score({**goals.has, goal: goals.has[goal] + 1}, goals.points, goals.worth) - goals.score
        for goal in ("fame", "notoriety")
    )
    return Stakes(round(life, 1), round(life * weakness + WOUND, 2), round(fame, 3), round(notoriety, 3), kills)


class ValuedPlay(NamedTuple):
    """A play against a target, and what it is worth."""

    choice: Choice
    value: float


def value_outcome(duel: Duel, outcome: RoundResult, stakes: Stakes) -> float:
    """Return what the outcome of a round is worth, without the stars to pay."""
    risk = find_risk(outcome)
    if risk == 1 or outcome.wounds >= len(duel.chits) - duel.chits.count(WOUNDED):
        return -stakes.life
    value = stakes.bounty(outcome.killed) - stakes.wound * (outcome.wounds + HARMED_CHITS * len(outcome.words))
    return value - stakes.life * risk - LOST_HORSE * (not outcome.has_horse) + ALERTED * outcome.is_alerted


def find_risk(outcome: RoundResult) -> float:
    """Return the probability of the character's death: at once, by a monster that holds it, or without armour."""
    if outcome.is_dead:
        return 1.0
    held = HELD * any(_is_red(counter) for counter in outcome.dark)
    return min(MOST_RISK, held + DAMAGED_ARMOR * len(outcome.damaged) + LOST_ARMOR * len(outcome.destroyed))


def _is_red(counter: Counter) -> bool:
    """Whether a counter whose dark side shows is that of a Tremendous monster, which holds its target (C26)."""
    return not counter.changes_tactics


def value_play(
    duel: Duel, play: Play, target: MonsterId | None, stakes: Stakes, *, is_rough: bool = False
) -> ValuedPlay:
    """Return what a play is worth."""
    outcomes = list_results(duel, play, target, is_rough=is_rough)
    value = sum(chance * value_outcome(duel, outcome, stakes) for outcome, chance in outcomes.items())
    stars = sum(piece.stars for piece in (*duel.played, play.fight, play.move) if piece is not None)
    return ValuedPlay(Choice(target, play, outcomes), value - STAR * max(stars - FREE_STARS, 0))


# ---- the best play


@lru_cache(256)
def rank_plays(duel: Duel, target: MonsterId | None, stakes: Stakes) -> tuple[ValuedPlay, ...]:
    """Return the best plays against a target, the best first; if there are many, only those on a shortlist."""
    plays = list_distinct_plays(duel, hand_of(duel), has_target=target is not None)
    if len(plays) * len(list_arrangements(duel, target)) > MAX_MELEES:
        simple = [judged.choice.play for judged in _rank_roughly(duel, target, stakes, _list_simple(duel, target))]
        pairs = {(play.fight, play.move) for play in simple[:PAIRS]}
        wanted = [play for play in plays if (play.fight, play.move) in pairs]
        plays = [judged.choice.play for judged in _rank_roughly(duel, target, stakes, wanted)[:SHORTLIST]]
    return tuple(sorted((value_play(duel, play, target, stakes) for play in plays), key=_by_value))


def _list_simple(duel: Duel, target: MonsterId | None) -> list[Play]:
    return list_distinct_plays(duel, hand_of(duel), has_target=target is not None, is_simple=True)


def _rank_roughly(duel: Duel, target: MonsterId | None, stakes: Stakes, plays: Sequence[Play]) -> list[ValuedPlay]:
    return sorted([value_play(duel, play, target, stakes, is_rough=True) for play in plays], key=_by_value)


def _by_value(judged: ValuedPlay) -> float:
    return -judged.value


@lru_cache(2048)
def estimate(duel: Duel, target: MonsterId | None, stakes: Stakes, *, is_rough: bool = False) -> ValuedPlay | None:
    """Return nearly the best play against a target, quickly; None if the character cannot attack."""
    plays = _rank_roughly(duel, target, stakes, _list_simple(duel, target))
    if not plays or is_rough:
        return plays[0] if plays else None
    return value_play(duel, plays[0].choice.play, target, stakes)


def find_best(duel: Duel, stakes: Stakes, *, is_rough: bool = False) -> ValuedPlay:
    """Return nearly the best play of a round, against one of the monsters on the sheet or none."""
    targets = (None, *list_targets(duel)[:TARGETS])
    found = [estimate(duel, target, stakes, is_rough=is_rough) for target in targets]
    return max((judged for judged in found if judged is not None), key=lambda judged: judged.value)


# ---- more than one round


def value_fight(duel: Duel, stakes: Stakes, rounds: int) -> float:
    """Return what some rounds are worth; after the first one, the character runs where that is better."""
    return follow(duel, find_best(duel, stakes), stakes, rounds) if duel.monsters else 0.0


def value_meeting(duel: Duel, stakes: Stakes, rounds: int) -> float:
    """Return what it is worth to meet monsters: some rounds, or to run at once if that is better and possible."""
    value = value_fight(duel, stakes, rounds)
    return max(value, -RUN_COST) if list_running_pieces(duel) else value


def _value_later(duel: Duel, stakes: Stakes, rounds: int) -> float:
    """Return roughly what some rounds are worth."""
    return follow(duel, find_best(duel, stakes, is_rough=True), stakes, rounds) if duel.monsters else 0.0


def follow(duel: Duel, judged: ValuedPlay, stakes: Stakes, rounds: int) -> float:
    """Return what a play is worth together with the rounds after it."""
    if rounds == 1:
        return judged.value
    outcomes = sorted(judged.choice.outcomes.items(), key=itemgetter(1), reverse=True)
    likely = [(outcome, chance) for outcome, chance in outcomes[:BRANCHES] if chance >= MIN_CHANCE]
    later = sum(chance * _value_rest(duel, judged.choice, outcome, stakes, rounds - 1) for outcome, chance in likely)
    return judged.value + later / max(MIN_CHANCE, sum(chance for _, chance in likely))


def _value_rest(duel: Duel, choice: Choice, outcome: RoundResult, stakes: Stakes, rounds: int) -> float:
    """Return what the rounds after an outcome are worth."""
    after = None if outcome.is_dead else end_round(duel, choice, outcome)
    if after is None or after.quiet_rounds >= QUIET_ROUNDS:
        return 0.0
    gained = stakes._replace(kills=stakes.kills + len(outcome.killed))
    value = _value_later(sort_alike(after), gained, rounds)
    return max(value, -RUN_COST) if list_running_pieces(after) else value
