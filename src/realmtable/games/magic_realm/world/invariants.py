"""The invariants of every world; positions that break one are refused (F9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from realmtable.engine.errors import BadPosition
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.world.belongings import active_kind, list_goods_at
from realmtable.games.magic_realm.world.catalog_lookups import NO_STACK, catalog_lookups
from realmtable.games.magic_realm.world.entities import (
    MAX_BACKS,
    MAX_ORDERS,
    NO_CHARACTER,
    NO_SLOT,
    OPEN,
    OPEN_LARGE,
    OPEN_SMALL,
    Hero,
)
from realmtable.games.magic_realm.world.knowledge import everyone
from realmtable.games.magic_realm.world.map_layout import graph_of, layout_of, why_not_layout
from realmtable.games.magic_realm.world.open_slots import (
    FIRST_STACK,
    count_open_site_slots,
    list_undecided,
    site_slot,
    stack_slots,
)
from realmtable.games.magic_realm.world.places import (
    GONE,
    HOME,
    NOWHERE,
    TILES,
    box_place,
    is_clearing,
    is_road,
    pack_place,
    road_ends,
)
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.world import World

MAX_PLAN = 40  # more phases than any day has


def check_world(world: World) -> World:
    """Return the world if no rule forbids it; otherwise raise `BadPosition` with a sentence on what is wrong."""
    for sentence in (
        *_check_game(world),
        *_check_map(world),
        *_check_chits(world),
        *_check_goods(world),
        *_check_heroes(world),
        *_check_denizens(world),
    ):
        raise BadPosition(sentence)
    return world


def _check_game(world: World) -> Iterator[str]:
    if (world.day == 0) != (world.part == "setup"):
        yield "The set-up is day 0, and no other part of the game is."
    if world.day > world.options.last_day:
        yield f"The game ends on day {world.options.last_day}."
    if len(world.rows) > world.options.rows_per_day(len(world.heroes)):
        yield "Too many rows prowl."


def _check_map(world: World) -> Iterator[str]:
    layout = layout_of(world)
    positions = [placement.position for placement in layout]
    if len(positions) != len({*positions}):
        yield "Two tiles lie on the same hex."
    if len(layout) < TILES and (world.day or world.options.map.startswith("stock")):
        yield "The map is not complete."
    if len(layout) == TILES and (reason := why_not_layout(layout)):
        yield reason
    waiting = [tile for tile in world.tiles if tile.put_back or tile.owner >= 0]
    if any(tile.placed or (tile.put_back and tile.owner >= 0) for tile in waiting):
        yield "A tile that waits to be laid is neither on the map nor in two places."


def _check_chits(world: World) -> Iterator[str]:
    tables, slots = catalog_lookups(), world.slots
    for tile in range(TILES):
        stack = tables.stack_of_tile[tile]
        second = (NO_SLOT,) if stack == NO_STACK else (OPEN, *tables.sounds_and_sites, tables.red_chits[stack])
        if slots[tile].chit not in (OPEN, *tables.warnings[tile]) or slots[site_slot(tile)].chit not in second:
            yield "A map chit lies in a tile of the wrong group."
    if any(slot.chit not in (OPEN, *tables.sounds_and_sites) for slot in slots[FIRST_STACK:]):
        yield "A stack holds only sounds and sites."
    decided = [slot.chit for slot in slots if slot.chit >= 0]
    if len(decided) != len({*decided}):
        yield "A map chit is in two places."
    for stack, red in enumerate(tables.red_chits):
        group = [slots[site_slot(tile)].chit for tile in tables.tiles_of_stack[stack]]
        if red not in group and OPEN not in group:
            yield "There is no tile left for the Lost City or the Lost Castle."
        in_order = [slots[slot].chit == OPEN for slot in stack_slots(stack)]
        if in_order != sorted(in_order):
            yield "The chits of a stack are decided in order."
    if any(slot.chit < 0 and (slot.seen or slot.face_up or slot.summoned) for slot in slots):
        yield "A chit that is not decided cannot be known."


def _check_goods(world: World) -> Iterator[str]:
    tables, goods = catalog_lookups(), world.goods
    places = [*(box_place(box) for box in range(len(world.boxes))), *map(pack_place, range(len(world.heroes)))]
    lists = {place: list_goods_at(world, place) for place in (*places, *sorted(tables.clearings))}
    listed = Counter((place, entry) for place, entries in lists.items() for entry in entries if entry >= 0)
    expected = Counter(
        (thing.place, number) for number, thing in enumerate(goods) if thing.place not in (NOWHERE, GONE)
    )
    if listed != expected:
        yield "Goods are not where they are listed."
    open_slots = Counter(entry for place in places for entry in lists[place] if entry < 0)
    within = list_undecided(world, tables.within)
    if open_slots[OPEN_SMALL] != len(list_undecided(world, tables.small)):
        yield "The number of small treasures does not match the slots that are left."
    if open_slots[OPEN_LARGE] != len(list_undecided(world, tables.large)) + len(within):
        yield "The number of large treasures does not match the slots that are left."
    if len(within) > count_open_site_slots(world):
        yield "There is no slot of a site left for a special card."
    for number, thing in enumerate(goods):
        if (thing.active or not is_card(number)) and thing.seen != everyone(world):
            yield f"Everyone knows where {load_catalog().goods[number].name} is."
        if thing.active and thing.place not in places[len(world.boxes) :] and not is_card(number):
            yield f"{load_catalog().goods[number].name} can be active only if someone has it."
    for seat in range(len(world.heroes)):
        kinds = Counter(active_kind(number) for number in world.heroes[seat].pack if goods[number].active)
        if any(count > 1 for kind, count in kinds.items() if kind):
            yield "Only one weapon, horse, pair of boots or gloves, and one piece of armour of each kind can be active."


def _check_heroes(world: World) -> Iterator[str]:
    tables = catalog_lookups()
    characters = [hero.character for hero in world.heroes if hero.character != NO_CHARACTER]
    if len(characters) != len({*characters}):
        yield "Two seats have the same character."
    without = [hero for hero in world.heroes if hero.character == NO_CHARACTER]
    if world.day and not all(hero.dead for hero in without):
        yield "Every seat has a character once the game has begun, unless it is about to begin a new life."
    if any(hero != (Hero(dead=True, orders=hero.orders) if world.day else Hero()) for hero in without):
        yield "A seat without a character has nothing."
    for seat, hero in enumerate(world.heroes):
        if not _is_on_map(world, hero.place) and (hero.place != NOWHERE or (world.day and not hero.dead)):
            yield "A character is in a place that is not on the map; say where with 1.at=BV5."
        if hero.came_by != NOWHERE and not (is_road(hero.came_by) and _is_on_map(world, hero.came_by)):
            yield "A character came by a roadway that is not on the map."
        if hero.climbs != NOWHERE and not (is_clearing(hero.climbs) and _is_on_map(world, hero.climbs)):
            yield "A character climbs to a clearing that is not on the map."
        if len(hero.points) > world.options.points_to_assign:
            yield f"A player assigns {world.options.points_to_assign} victory points."
        if hero.start >= 0 and hero.start not in (tables.starts[hero.character] if hero.character >= 0 else ()):
            yield "A character starts at one of its own places."
        if len(hero.plan) > MAX_PLAN or hero.phase > len(hero.plan) or len(hero.used) > MAX_PLAN:
            yield "A day has fewer phases."
        if hero.backs > MAX_BACKS or hero.ordered > MAX_ORDERS:
            yield f"A player takes back at most {MAX_BACKS} choices a day and gives at most {MAX_ORDERS} orders."
        if hero.guide == seat:
            yield "No one follows themselves."


def _check_denizens(world: World) -> Iterator[str]:
    if any(
        denizen.place not in (HOME, GONE) and not (is_clearing(denizen.place) and _is_on_map(world, denizen.place))
        for denizen in world.denizens
    ):
        yield "A monster is in a clearing that is not on the map."


def _is_on_map(world: World, place: Place) -> bool:
    graph = graph_of(world)
    if is_road(place):
        one, other = road_ends(place)
        return one in graph.clearings and bool(graph.ways_between(one, other))
    return place in graph.clearings
