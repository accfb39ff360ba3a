"""What counts for a character: what belongings and fame are worth in points (Q8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Final

from realmtable.games.magic_realm.bots.known_world import KnownWorld, goods_by_name
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import Effect
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Goods, Horse, Treasure, Weapon
from realmtable.games.magic_realm.catalog.ids import is_as_strong
from realmtable.games.magic_realm.flow.score import Tally
from realmtable.games.magic_realm.view_parts.schema import GoodsData
from realmtable.games.magic_realm.world.entities import GOALS

FIND_BONUS: Final = 2.0  # points that any treasure is worth beyond its score, so that a hunter never sits idle
BURDEN: Final = 1.5  # points that something must be worth if its weight hinders its owner
TOO_HEAVY: Final = 99.0
HINDRANCE: Final = 6.0  # points lost by something that adds to all dice
USEFUL: Final = frozenset({"one_die", "keys", "move_piece", "fight_piece"})
PHASES: Final = frozenset({"move", "hide", "search", "rest", "any"})


def score(has: Mapping[str, float], points: Mapping[str, int], worth: int) -> float:
    """Return the score without rounding, so that every bit of progress counts (Q8)."""
    victory = load_catalog().numbers.victory
    factors = Tally(victory.great_treasures, victory.spells, victory.fame, victory.notoriety, victory.gold)
    total = 0.0
    for goal in GOALS:
        assigned, factor = points.get(goal, 0), getattr(factors, goal)
        beyond = has[goal] - assigned * factor - (worth if goal == "gold" else 0)
        basic = (beyond * victory.negatives_count if beyond < 0 else beyond) / factor
        total += basic * (1 + assigned)
    return total


class Goals:
    """What belongings are worth to the viewer."""

    def __init__(self, known: KnownWorld) -> None:
        self.known = known
        self.points = known.own["points"]
        self.worth = known.character.worth
        things = [thing for thing, _ in known.goods]
        self.has: Mapping[str, float] = {
            "treasures": sum(_is_great(thing) for thing in things),
            "fame": known.player["fame"] + sum(thing.fame for thing in things),
            "notoriety": known.player["notoriety"] + sum(thing.notoriety for thing in things),
            "gold": known.player["gold"] or 0,
        }
        self.score = score(self.has, self.points, self.worth)
        self._values: dict[str, float] = {}
        self._averages: dict[str, float] = {}

    def value(self, thing: Goods) -> float:
        """Return what one more belonging adds to the score, and for its use."""
        if thing.name not in self._values:
            more = {
                "treasures": self.has["treasures"] + _is_great(thing),
                "fame": self.has["fame"] + thing.fame,
                "notoriety": self.has["notoriety"] + thing.notoriety,
                "gold": self.has["gold"],
            }
            added = score(more, self.points, self.worth) - self.score + use_of(thing)
            self._values[thing.name] = added + _bonus_for(thing) - self.burden(thing)
        return self._values[thing.name]

    def burden(self, thing: Goods) -> float:
        """Return what the weight of something costs.

        What is heavier than the character hinders its running (E14), and what it cannot carry stays behind (D11).
        """
        if not thing.weight or isinstance(thing, Horse) or is_as_strong(self.known.character.weight, thing.weight):
            return 0.0
        return BURDEN if is_as_strong(self.known.strength, thing.weight) else TOO_HEAVY

    def loss(self, thing: Goods) -> float:
        """Return what a belonging adds to the present score, less what its weight costs."""
        less = {
            "treasures": self.has["treasures"] - _is_great(thing),
            "fame": self.has["fame"] - thing.fame,
            "notoriety": self.has["notoriety"] - thing.notoriety,
            "gold": self.has["gold"],
        }
        return (
            self.score - score(less, self.points, self.worth) + use_of(thing) + _bonus_for(thing) - self.burden(thing)
        )

    @property
    def holdings(self) -> float:
        """What the belongings and the recorded fame and notoriety add to the score: death takes them all (W3)."""
        empty = {**dict.fromkeys(self.has, 0.0), "gold": self.has["gold"]}
        return max(0.0, self.score - score(empty, self.points, self.worth))

    def value_of_slot(self, slot: GoodsData) -> float:
        """Return what a piece in a box or pile is worth; unknown cards are worth what they are on average."""
        if not slot["name"]:
            return self._average(slot["back"])
        thing = goods_by_name()[slot["name"]]
        return 0.0 if isinstance(thing, Treasure) and thing.kind == "site" else max(0.0, self.value(thing))

    def _average(self, back: str) -> float:
        if back not in self._averages:
            values = [max(0.0, self.value(card)) for card in _cards(back) if card.name not in self._seen]
            self._averages[back] = sum(values) / len(values) if values else 0.0
        return self._averages[back]

    @cached_property
    def _seen(self) -> frozenset[str]:
        """The cards whose places the viewer knows."""
        view = self.known.view
        goods = [one for player in view["players"] for one in player["goods"]]
        goods += [one for box in view["boxes"] for one in box["goods"]]
        return frozenset(one["name"] for one in goods)


def _bonus_for(thing: Goods) -> float:
    return FIND_BONUS if isinstance(thing, Treasure) else 0.0


def _is_great(thing: Goods) -> bool:
    return isinstance(thing, Treasure) and thing.is_great


@cache
def _cards(back: str) -> tuple[Treasure, ...]:
    return tuple(card for card in load_catalog().treasures if card.size == back)


def use_of(thing: Goods) -> float:
    """Return what an active belonging is worth for its use in the hunt, in points."""
    if isinstance(thing, Horse):
        return 1.0
    return sum(_uses(thing)) if isinstance(thing, Treasure) else 0.0


def _uses(card: Treasure) -> Iterator[float]:
    for effect in card.effects:
        if effect.verb == "add" and effect.number > 0:
            yield -HINDRANCE
        if effect.verb == "one_die" and "loot" in effect.tables:
            yield 3.0
        if effect.verb == "extra_phase" and effect.activity in PHASES:
            yield 2.0


def is_useful(thing: Goods) -> bool:
    """Whether something helps while it is active."""
    if isinstance(thing, Horse):
        return True
    rows = thing.effects if isinstance(thing, Treasure) else ()
    return any(_is_helpful(row) for row in rows)


def is_wanted(known: KnownWorld, thing: Goods) -> bool:
    """Whether the viewer should make something active: in games with combat, also arms that it is strong enough for."""
    if not known.has_combat or not isinstance(thing, (Armor, Weapon)):
        return is_useful(thing)
    kind = "Fight" if isinstance(thing, Weapon) else "Move"
    return any(is_as_strong(chit.strength, thing.weight) for chit in known.character.chits if chit.kind == kind)


def _is_helpful(effect: Effect) -> bool:
    if effect.verb == "extra_phase":
        return effect.activity in PHASES
    return effect.verb in USEFUL or (effect.verb == "add" and effect.number < 0)
