"""Writes a world as one line of fields that says only what differs from the set-up (F1 to F7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from realmtable.engine.options import as_pairs
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.catalog.ids import GoodsId, place_of
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import (
    CURSES,
    FATIGUED,
    FOUND,
    GOALS,
    NO_CHARACTER,
    NO_SEAT,
    OPEN_LARGE,
    OPEN_SMALL,
    ORDERS,
    WOUNDED,
    Hero,
)
from realmtable.games.magic_realm.world.map_layout import layout_of, replace_warning, start_place
from realmtable.games.magic_realm.world.open_slots import FIRST_STACK, STACK_SIZE, site_slot, stack_slots, warning_slot
from realmtable.games.magic_realm.world.places import GONE, NOWHERE, TILES, box_place
from realmtable.games.magic_realm.world.position_defaults import usual_hero, usual_packs
from realmtable.games.magic_realm.world.position_words import (
    NO_ONE,
    is_card,
    write_name,
    write_phase,
    write_place,
    write_seats,
    write_source,
    write_step,
)
from realmtable.games.magic_realm.world.steps import JournalEntry, RollResult
from realmtable.games.magic_realm.world.world import World
from realmtable.games.magic_realm.world.world_before_setup import world_before_setup

Fields = Iterator[tuple[str, str]]
STACK_WORDS: Final = ("City", "Castle")
OPEN_WORDS: Final = {OPEN_LARGE: "large", OPEN_SMALL: "small"}
UNUSUAL_ORDERS: Final = ("never", "ask", "ask")  # of ORDERS


def write_position(world: World, agenda: str = "") -> str:
    """Return the whole world as text; `agenda` is the text of the agenda, empty if the part of the day implies it."""
    fields = [
        *_write_game(world),
        *_write_map(world),
        ("chits", ";".join(_write_chits(world))),
        ("denizens", ";".join(_write_denizens(world))),
        *_write_goods(world),
    ]
    for seat, pack in enumerate(usual_packs([hero.character for hero in world.heroes])):
        fields += [(f"{seat + 1}.{name}", value) for name, value in _write_hero(world, seat, pack)]
    fields.append(("agenda", agenda))
    return " ".join(f"{name}={value}" if value != name.split(".")[-1] else name for name, value in fields if value)


def _write_game(world: World) -> Fields:
    yield "options", ",".join(as_pairs(world.options))
    characters = [hero.character for hero in world.heroes]
    yield "heroes", ";".join(NO_ONE if who == NO_CHARACTER else write_name("character", who) for who in characters)
    yield "day", "" if world.day == 1 else str(world.day)
    yield "part", "" if world.part == "birdsong" else world.part
    yield "rows", "".join(map(str, world.rows))
    yield "first", "" if world.first == NO_SEAT else str(world.first + 1)
    yield "waiting", "".join(str(seat + 1) for seat in world.counters)
    yield "rolled", "" if world.last_roll is None else _write_roll(world.last_roll)
    yield "combat", ";".join(map(_write_entry, world.journal))


def _write_entry(entry: JournalEntry) -> str:
    return f"{NO_ONE if entry.seat == CHANCE else entry.seat + 1}:{write_step(entry.step)}"


def _write_roll(rolled: RollResult) -> str:
    dice = ",".join(map(str, rolled.dice))
    return f"{rolled.seat + 1}:{TABLES[rolled.table].replace(' ', '_')}:{dice}" + (
        f":{rolled.add}" if rolled.add else ""
    )


def _write_map(world: World) -> Fields:
    layout = layout_of(world)
    if layout != usual_layout(world):
        placed = [f"{write_name('tile code', tile)}:{column},{row},{turn}" for tile, column, row, turn in layout]
        yield "map", ";".join(placed) or NO_ONE
    back = sorted((tile.put_back, number) for number, tile in enumerate(world.tiles) if tile.put_back)
    yield "back", ";".join(write_name("tile code", number) for _, number in back)
    hands = [[number for number, tile in enumerate(world.tiles) if tile.owner == seat] for seat in _seats(world)]
    if any(hands):
        yield "hands", ";".join(",".join(write_name("tile code", tile) for tile in hand) or NO_ONE for hand in hands)


def usual_layout(world: World) -> tuple[tuple[int, int, int, int], ...]:
    """Return the map that the options name, or none."""
    name = world.options.map
    maps = load_catalog().stock_maps
    return next((found.layout for number, found in enumerate(maps, 1) if name == f"stock{number}"), ())


def _seats(world: World) -> range:
    return range(len(world.heroes))


def _write_chits(world: World) -> Iterator[str]:
    laid_out = stack_tiles(world)
    for tile in range(TILES):
        code = write_name("tile code", tile)
        slots = [warning_slot(tile), site_slot(tile)]
        for stack, where in laid_out.items():
            slots += stack_slots(stack) if where == tile else []
        yield from (f"{code}:{text}" for slot in slots if (text := _write_slot(world, slot)))
    for slot in range(FIRST_STACK, FIRST_STACK + 2 * STACK_SIZE):
        stack = (slot - FIRST_STACK) // STACK_SIZE
        if stack not in laid_out and (text := _write_slot(world, slot)):
            yield f"{STACK_WORDS[stack]}:{text}"


def stack_tiles(world: World) -> dict[int, int]:
    """Return the tiles of the stacks that are laid out: those whose red chit is face up."""
    slots, red = world.slots, catalog_lookups().red_chits
    found = [(slots[site_slot(tile)], tile) for tile in range(TILES)]
    return {red.index(slot.chit): tile for slot, tile in found if slot.face_up and slot.chit in red}


def _write_slot(world: World, number: int) -> str:
    slot = world.slots[number]
    if slot.chit < 0:
        return ""
    known = "^" if slot.face_up else f"/{write_seats(slot.seen)}" if slot.seen else ""
    return write_name("short chit", slot.chit) + known + ("*" if slot.summoned else "")


def _write_denizens(world: World) -> Iterator[str]:
    usual = make_usual_world(world)
    for number, (denizen, before) in enumerate(zip(world.denizens, usual.denizens, strict=True)):
        if denizen != before:
            yield f"{write_name('denizen', number)}:{write_place(denizen.place)}{'*' if denizen.blocked else ''}"


def make_usual_world(world: World) -> World:
    """Return a world with the same map and chits whose denizens are where they started."""
    usual = world_before_setup(len(world.heroes), world.options).fork()
    usual.tiles, usual.slots, usual.layout = world.tiles[:], world.slots[:], world.layout
    for tile in range(TILES):
        if usual.slots[warning_slot(tile)].face_up:
            replace_warning(usual, tile)
    return usual


def _write_goods(world: World) -> Fields:
    boxes = world_before_setup(len(world.heroes), world.options).boxes
    changed = []
    for number, box in enumerate(world.boxes):
        place = box_place(number)
        usual = tuple(entry for entry in boxes[number].entries if entry < 0 or world.goods[entry].place == place)
        if box.entries != usual:
            changed.append(f"{write_name('box', number)}:{_write_entries(world, box.entries)}")
    yield "boxes", ";".join(changed)
    piles = [
        f"{write_name('clearing', place_of(tile, number))}:{_write_entries(world, pile)}"
        for tile, found in enumerate(world.tiles)
        for number, pile in enumerate(found.piles)
        if pile
    ]
    yield "piles", ";".join(piles)
    gone = [write_name("goods", number) for number, goods in enumerate(world.goods) if goods.place == GONE]
    yield "gone", ";".join(gone)
    yield "open", "open" if any(box.opened for box in world.boxes) else ""


def _write_entries(world: World, entries: Iterable[int]) -> str:
    texts = [OPEN_WORDS[entry] if entry < 0 else _write_card(world, entry, "^") for entry in entries]
    return ",".join(texts) or NO_ONE


def _write_card(world: World, number: GoodsId, active: str) -> str:
    goods = world.goods[number]
    marks = ("!" if goods.alerted else "") + ("~" if goods.damaged else "")
    if goods.active:
        return write_name("goods", number) + active + marks
    if marks:
        return write_name("goods", number) + marks
    known = f"/{write_seats(goods.seen)}" if goods.seen and is_card(number) else ""
    return write_name("goods", number) + known


def _write_hero(world: World, seat: Seat, usual_pack: tuple[GoodsId, ...]) -> Fields:
    hero = world.heroes[seat]
    usual = usual_hero(world, hero.character)
    place = usual.place if hero.start == usual.start else _place_of_start(world, hero)
    yield "at", "" if hero.place == place else write_place(hero.place)
    for word, is_set in (("unhidden", not hero.hidden), ("blocked", hero.blocked), ("dead", hero.dead)):
        yield word, word if is_set else ""
    yield "done", "done" if hero.turn_taken else ""
    yield "found", ";".join(word for bit, word in enumerate(FOUND) if hero.found >> bit & 1)
    yield "anywhere", "anywhere" if hero.anywhere else ""
    yield "guide", "" if hero.guide == NO_SEAT else str(hero.guide + 1)
    yield "came", "" if hero.came_by == NOWHERE else write_place(hero.came_by)
    yield "climbs", "" if hero.climbs == NOWHERE else write_place(hero.climbs)
    for word, state in (("tired", FATIGUED), ("wounded", WOUNDED)):
        yield word, ";".join(str(number + 1) for number, found in enumerate(hero.chits) if found == state)
    yield "gold", "" if hero.gold == usual.gold else str(hero.gold)
    yield "curses", ";".join(word.replace(" ", "_") for bit, word in enumerate(CURSES) if hero.curses >> bit & 1)
    yield "berserk", "berserk" if hero.berserk else ""
    yield "kills", str(hero.kills or "")
    yield "fame", str(hero.fame or "")
    yield "notoriety", str(hero.notoriety or "")
    pieces = [world.goods[piece] for piece in usual_pack]
    if hero.pack != usual_pack or not all(one.active and not one.alerted and not one.damaged for one in pieces):
        yield "goods", ";".join(_write_card(world, number, "+") for number in hero.pack) or NO_ONE
    known = [bit for bit in range(hero.discoveries.bit_length()) if hero.discoveries >> bit & 1]
    yield "knows", ";".join(write_name("discovery", bit) for bit in known)
    yield "points", ",".join(GOALS[goal] for goal in hero.points)
    if hero.start != usual.start:
        yield "start", NO_ONE if hero.start < 0 else write_name("start", hero.start)
    yield "plan", ";".join(map(write_phase, hero.plan))
    yield "phase", str(hero.phase or "")
    yield "used", ",".join(map(write_source, hero.used))
    unusual = [bit for bit in range(len(ORDERS)) if hero.orders >> bit & 1]
    yield "orders", ";".join(f"{ORDERS[bit]}:{UNUSUAL_ORDERS[bit]}" for bit in unusual)
    yield "backs", str(hero.backs or "")
    yield "ordered", str(hero.ordered or "")
    yield "ready", "ready" if hero.ready else ""


def _place_of_start(world: World, hero: Hero) -> int:
    place = start_place(world, hero.start) if world.day and hero.start >= 0 else None
    return NOWHERE if place is None else place
