"""Which phase of the day an activity uses (D4 to D7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import ANY_ACTIVITY, PEER_AFAR
from realmtable.games.magic_realm.catalog.goods_and_spells import Goods, Horse, Treasure
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.day_rules.modifiers import has_effect, is_at, is_cave
from realmtable.games.magic_realm.day_rules.phases import ACTIVITIES, BLANK, PONY, WORKHORSE
from realmtable.games.magic_realm.world.position_words import BASIC, FIRST_GOODS_SOURCE, OWN, SUNLIGHT
from realmtable.games.magic_realm.world.step_text import is_pony_move
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

AS_YOU_GO: Final = "as_you_go"


class Notes(NamedTuple):
    """What is remembered during a turn; goods are bits in the order of `phase_goods`."""

    morning: int = 0  # the goods that were active at birdsong
    fresh: int = 0  # those that became active at the beginning of this phase
    been_in_cave: bool = False  # on this day


@cache
def phase_goods() -> tuple[GoodsId, ...]:
    """Return all goods that give extra phases, ascending."""
    return tuple(goods.id for goods in load_catalog().goods if any(_list_extras(goods)))


def _list_extras(goods: Goods) -> Iterator[tuple[str, str]]:
    """Yield the activities for which something gives an extra phase, and where it does; ponies have their own rule."""
    match goods:
        case Horse(breed=breed) if breed.extra_moves:
            yield ("move" if breed.extra_moves == WORKHORSE else PONY), ""
        case Treasure(effects=effects):
            known = (*ACTIVITIES.values(), ANY_ACTIVITY)
            yield from (
                (row.activity, row.where) for row in effects if row.verb == "extra_phase" and row.activity in known
            )


def find_active_givers(world: World, seat: Seat) -> int:
    """Return the active belongings that give extra phases, as bits in the order of `phase_goods`."""
    pack = world.heroes[seat].pack
    return sum(1 << bit for bit, goods in enumerate(phase_goods()) if goods in pack and world.goods[goods].active)


def find_source(world: World, seat: Seat, step: Step, notes: Notes) -> int | None:
    """Return the phase that an activity uses when it begins; None if there is none for it (D5)."""
    return next(_list_sources(world, seat, step, notes), None)


def _list_sources(world: World, seat: Seat, step: Step, notes: Notes) -> Iterator[int]:
    hero, numbers = world.heroes[seat], load_catalog().numbers
    if is_pony_move(step):
        yield from _list_items(world, seat, PONY, notes)
        return
    activity = ACTIVITIES.get(step.verb, BLANK)
    yield from _list_extra_sources(world, seat, activity, notes)
    if activity == PEER_AFAR:
        return
    yield from _list_extra_sources(world, seat, ANY_ACTIVITY, notes)
    if hero.used.count(BASIC) < numbers.basic_phases:
        yield BASIC
    if hero.used.count(SUNLIGHT) < numbers.sunlight_phases and _has_sunlight(world, seat, step, notes):
        yield SUNLIGHT


def _list_extra_sources(world: World, seat: Seat, activity: str, notes: Notes) -> Iterator[int]:
    """Yield the unused extra phases for an activity: of items by their numbers, then of the character."""
    hero = world.heroes[seat]
    yield from (source for source in _list_items(world, seat, activity, notes) if source not in hero.used)
    for effect in load_catalog().characters[hero.character].effects:
        if (effect.verb, effect.activity) == ("extra_phase", activity) and is_at(world, seat, effect.where):
            yield from () if OWN in hero.used else (OWN,)


def _list_items(world: World, seat: Seat, activity: str, notes: Notes) -> Iterator[int]:
    """Yield the active items that give a phase now, used or not."""
    usable = find_active_givers(world, seat) & ~notes.fresh
    if world.options.recording != AS_YOU_GO:
        usable &= notes.morning
    for bit, goods in enumerate(phase_goods()):
        if usable >> bit & 1 and not _is_second_horse(world, seat, goods):
            extras = _list_extras(load_catalog().goods[goods])
            if any(found == activity and is_at(world, seat, where) for found, where in extras):
                yield FIRST_GOODS_SOURCE + goods


def _is_second_horse(world: World, seat: Seat, goods: GoodsId) -> bool:
    """Whether a horse other than this one has given a phase today (D28)."""
    catalog = load_catalog()
    horses = [
        source - FIRST_GOODS_SOURCE
        for source in world.heroes[seat].used
        if source >= FIRST_GOODS_SOURCE and isinstance(catalog.goods[source - FIRST_GOODS_SOURCE], Horse)
    ]
    return isinstance(catalog.goods[goods], Horse) and any(horse != goods for horse in horses)


def _has_sunlight(world: World, seat: Seat, step: Step, notes: Notes) -> bool:
    """Whether a sunlight phase can be used (D4, D7)."""
    hero = world.heroes[seat]
    written = (*hero.plan, step)
    enters = any(entry.verb == "M" and is_cave(world, entry.args[0]) for entry in written)
    if world.options.recording == AS_YOU_GO:
        enters = step.verb == "M" and is_cave(world, step.args[0])
    dark = enters or notes.been_in_cave or is_cave(world, hero.place)
    return not dark and not has_effect(world, seat, "no_sunlight")
