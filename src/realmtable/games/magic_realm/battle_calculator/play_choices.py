"""The plays worth comparing in a round, and which is best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import le
from typing import Final, NamedTuple

from realmtable.games.magic_realm.battle_calculator.duel import Duel, find_steed, hand_of, list_targets
from realmtable.games.magic_realm.battle_calculator.odds import RoundResult, list_monster_arrangements, list_results
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_rules.melee import EVERY_DIRECTION, Direction
from realmtable.games.magic_realm.combat_rules.plays import Hand, Piece, Play, list_plays
from realmtable.games.magic_realm.combat_rules.round_costs import FREE_STARS

WORTH_OF_LIFE: Final = 2.0  # in kills
WORTH_OF_CHIT: Final = 0.2  # that is wounded
WORTH_OF_STAR: Final = 0.03  # that has to be paid
SLOWEST: Final = 99  # the time of a character that does not manoeuvre


class Choice(NamedTuple):
    """A play against a target, and what it leads to."""

    target: MonsterId | None
    play: Play
    outcomes: Mapping[RoundResult, float]

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


def rank_choices(duel: Duel) -> list[Choice]:
    """Return the plays worth comparing, the best first."""
    return sorted(_list_choices(duel), key=lambda choice: choice.value, reverse=True)


@lru_cache(512)
def find_best_choice(duel: Duel) -> Choice:
    """Return the best play of a round."""
    return max(_list_choices(duel), key=lambda choice: choice.value)


def count_melees(duel: Duel) -> int:
    """Return roughly how many melees the best play of a round takes to find."""
    hand = hand_of(duel)
    plays = [
        play
        for target in (None, *list_targets(duel))
        for play in list_distinct_plays(duel, hand, has_target=target is not None)
    ]
    return len(plays) * len(list_monster_arrangements(duel.monsters, duel.dark))


def _list_choices(duel: Duel) -> Iterator[Choice]:
    hand = hand_of(duel)
    for target in (None, *list_targets(duel)):
        for play in list_distinct_plays(duel, hand, has_target=target is not None):
            yield Choice(target, play, list_results(duel, play, target))


def list_distinct_plays(duel: Duel, hand: Hand, *, has_target: bool, is_simple: bool = False) -> list[Play]:
    """Return the plays worth comparing: no other with the same directions is as fast, as strong and as cheap.

    The simple ones are for quick estimates: one for all directions that would be alike without armour.
    """
    groups: dict[object, dict[tuple[int, ...], Play]] = {}
    is_even = is_simple or has_even_armor(duel)
    for play in list_plays(hand, has_target=has_target, has_shield=duel.has_shield and not is_simple):
        if (has_target and play.fight is None) or (is_even and not _is_standard(play)):
            continue
        steed = find_steed(duel, play.move)
        group = groups.setdefault((play.attack, play.maneuver, play.shield, steed is not None), {})
        group.setdefault(_measure(duel, hand, play), play)
    return [play for group in groups.values() for key, play in group.items() if not _is_beaten(key, group)]


def _measure(duel: Duel, hand: Hand, play: Play) -> tuple[int, ...]:
    """Return what is bad about a play, each the lower the better: times, weakness and the stars to pay."""
    fight, move = play.fight, play.move
    side = None if duel.weapon is None else duel.weapon.alerted if duel.is_alerted else duel.weapon.unalerted
    stars = sum(piece.stars for piece in (*duel.played, fight, move) if piece is not None)
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
