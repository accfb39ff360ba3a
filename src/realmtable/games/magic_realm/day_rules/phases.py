"""How many phases a day has, and what may be written for them (D4 to D7, B3, Z5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import ANY_ACTIVITY, PEER_AFAR
from realmtable.games.magic_realm.catalog.goods_and_spells import Horse
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.day_rules.modifiers import is_cave, list_effects
from realmtable.games.magic_realm.world.map_layout import graph_of
from realmtable.games.magic_realm.world.places import is_road, road_ends
from realmtable.games.magic_realm.world.step_text import is_pony_move
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

ACTIVITIES: Final = {"M": "move", "H": "hide", "S": "search", "R": "rest", "A": "alert", "P": PEER_AFAR}
BLANK: Final = "-"
WORKHORSE, PONY = "one", "behind each"  # the extra Moves of horses


class Allowance(NamedTuple):
    """The phases of a day."""

    basic: int
    sunlight: int  # if no cave is entered
    extra: tuple[str, ...]  # the activities of the extra phases
    pony: bool


def count_phases(world: World, seat: Seat) -> Allowance:
    """Return the phases that a character has today, with what is active now (D4, D5)."""
    numbers = load_catalog().numbers
    effects = [*list_effects(world, seat)]
    in_cave = is_cave(world, world.heroes[seat].place)
    dark = in_cave or any(effect.verb == "no_sunlight" for effect in effects)
    extra = [effect.activity for effect in effects if effect.verb == "extra_phase"]
    horses = [horse.breed.extra_moves for horse in _active_horses(world, seat)]
    extra += ["move" for moves in horses if moves == WORKHORSE]
    return Allowance(numbers.basic_phases, 0 if dark else numbers.sunlight_phases, tuple(extra), PONY in horses)


def _active_horses(world: World, seat: Seat) -> Iterator[Horse]:
    for number in world.heroes[seat].pack:
        goods = load_catalog().goods[number]
        if isinstance(goods, Horse) and world.goods[number].active:
            yield goods


def fits(world: World, allowance: Allowance, plan: Sequence[Step]) -> bool:
    """Whether there are phases for everything in a plan (D5, D6)."""
    if not _fits_pony(allowance, plan):
        return False
    enters_cave = any(step.verb == "M" and is_cave(world, step.args[0]) for step in plan)
    wanted = Counter(ACTIVITIES.get(step.verb, BLANK) for step in plan if not is_pony_move(step))
    spare = allowance.basic + (0 if enters_cave else allowance.sunlight) + allowance.extra.count(ANY_ACTIVITY)
    wanted.subtract(allowance.extra)
    if wanted[PEER_AFAR] > 0:  # no other phase can be used for it
        return False
    return sum(number for activity, number in wanted.items() if number > 0) <= spare


def _fits_pony(allowance: Allowance, plan: Sequence[Step]) -> bool:
    return follows_pony_order(plan) and (allowance.pony or not any(map(is_pony_move, plan)))


def follows_pony_order(plan: Sequence[Step]) -> bool:
    """Whether each Move of the pony comes right after a Move from another source (D6)."""
    moves = [is_pony_move(step) for step in plan if step.verb == "M"]
    return all(not moves[at] or (at > 0 and not moves[at - 1]) for at in range(len(moves)))


def places_to_stand(world: World, seat: Seat, plan: Sequence[Step]) -> list[Place]:
    """Return where the character may stand after some of the written Moves, because any of them may fail (Z5)."""
    return [world.heroes[seat].place, *(step.args[0] for step in plan if step.verb == "M")]


def list_move_targets(world: World, seat: Seat, plan: Sequence[Step]) -> list[Place]:
    """Return the clearings to which the next Move may be written, ascending (Z5)."""
    ways, targets = graph_of(world).ways, set()
    for place in places_to_stand(world, seat, plan):
        targets |= {*road_ends(place)} if is_road(place) else {way.to for way in ways[place]}
    return sorted(targets)


def list_phases(world: World, seat: Seat) -> list[Step]:
    """Return the phases that may be written next, apart from Follow (B2, B3)."""
    plan, allowance = world.heroes[seat].plan, count_phases(world, seat)
    targets = list_move_targets(world, seat, plan)
    mountains = [place for place, found in graph_of(world).clearings.items() if found.kind == "mountain"]
    steps = [
        *(Step(verb) for verb in ("-", "A", "H", "R", "S")),
        *(Step("M", (place,)) for place in targets),
        *(Step("M", (place, 1)) for place in targets if allowance.pony),
        *(Step("P", (place,)) for place in mountains if PEER_AFAR in allowance.extra),
    ]
    fitting: dict[tuple[str, bool, bool], bool] = {}  # all Moves into caves are alike, for example
    found = []
    for step in steps:
        kind = (step.verb, step.verb == "M" and is_cave(world, step.args[0]), is_pony_move(step))
        if kind not in fitting:
            fitting[kind] = fits(world, allowance, (*plan, step))
        if fitting[kind]:
            found.append(step)
    return sorted(found)
