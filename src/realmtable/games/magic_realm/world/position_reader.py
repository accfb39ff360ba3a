"""Reads the text of a position (F1 to F9)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.errors import BadOptions, BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog.effects import SEARCH_TABLES, TABLES
from realmtable.games.magic_realm.catalog.ids import GoodsId, Place, clearing_of, tile_of
from realmtable.games.magic_realm.catalog.placement import TURNS, Placement
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import (
    NO_CHARACTER,
    OPEN,
    Hero,
)
from realmtable.games.magic_realm.world.knowledge import everyone
from realmtable.games.magic_realm.world.map_layout import lay_tile, layout_of
from realmtable.games.magic_realm.world.open_slots import site_slot, stack_slots, warning_slot
from realmtable.games.magic_realm.world.places import GONE, NOWHERE, TILES, box_place, pack_place
from realmtable.games.magic_realm.world.position_defaults import usual_packs
from realmtable.games.magic_realm.world.position_heroes import SEAT_FIELDS, read_heroes
from realmtable.games.magic_realm.world.position_words import (
    NO_ONE,
    is_card,
    read_name,
    read_number,
    read_place,
    read_seat,
    read_seats,
    read_step,
    split_list,
    write_name,
)
from realmtable.games.magic_realm.world.position_writer import (
    OPEN_WORDS,
    STACK_WORDS,
    make_usual_world,
    usual_layout,
)
from realmtable.games.magic_realm.world.steps import Journal, JournalEntry, RollResult
from realmtable.games.magic_realm.world.world import PARTS, World
from realmtable.games.magic_realm.world.world_before_setup import world_before_setup
from realmtable.kit.position_text import read_options

MAX_TEXT: Final = 200_000  # most positions have fewer than 3,000 characters; long combat has more
MAX_JOURNAL: Final = 10_000
MAX_DAY: Final = 28
MAX_POSITION: Final = 19  # columns and rows of a map around the Borderland
GAME_FIELDS: Final = (
    "options", "heroes", "day", "part", "rows", "first", "waiting", "rolled", "combat", "map", "back", "hands", "chits",
    "denizens", "boxes", "piles", "gone", "open", "agenda",
)  # fmt: skip
ADDITIONS: Final[tuple[list[str], ...]] = ([], ["1"], ["-1"], ["-2"])  # possible additions to a roll (G3)
FLAGS: Final = ("open", "unhidden", "blocked", "dead", "done", "anywhere", "ready", "berserk")
Fields = dict[str, str]


def read_position(text: str) -> tuple[World, str]:
    """Return the world that a text describes, not sealed and not checked, and the text of its agenda."""
    fields = _split_fields(text)
    world = _read_game(fields)
    _read_map(world, fields)
    if "chits" in fields and len(layout_of(world)) < TILES:
        raise BadPosition("Map chits are decided when the map is complete.")
    _read_chits(world, fields.pop("chits", ""))
    usual = make_usual_world(world)
    world.tiles, world.denizens = usual.tiles, usual.denizens
    _read_denizens(world, fields.pop("denizens", ""))
    packs = read_heroes(world, fields)
    _read_goods(world, fields, packs)
    return world, fields.pop("agenda", "")


def _split_fields(text: str) -> Fields:
    if len(text) > MAX_TEXT:
        raise BadPosition(f"A position may have at most {MAX_TEXT:,} characters.")
    fields: Fields = {}
    for field in text.split():
        name, equals, value = field.partition("=")
        seat, dot, word = name.rpartition(".")
        if word not in (SEAT_FIELDS if dot else GAME_FIELDS):
            known = ", ".join(SEAT_FIELDS if dot else GAME_FIELDS)
            raise BadPosition(f"A position has no field {name[:40]}; it has {known}.")
        if bool(equals) == (word in FLAGS):
            raise BadPosition(f"{name[:40]} {'takes no value' if equals else 'needs a value'}.")
        key = f"{read_number(seat, 1)}.{word}" if dot else word
        if key in fields:
            raise BadPosition(f"The field {key} is given twice.")
        fields[key] = value or word
    return fields


def _read_game(fields: Fields) -> World:
    options = read_options(MagicOptions, fields.pop("options", ""))
    if "heroes" not in fields:
        raise BadPosition("A position names the character of each seat, like heroes=Elf;Dwarf, with - for none.")
    names = fields.pop("heroes").split(";")
    characters = [NO_CHARACTER if name == NO_ONE else read_name("character", name) for name in names]
    try:
        world = world_before_setup(len(characters), options).fork()
    except BadOptions as error:
        raise BadPosition(str(error)) from None
    world.heroes = [Hero(character) for character in characters]
    world.day = read_number(fields.pop("day", "1"), 0, MAX_DAY)
    world.part = fields.pop("part", "birdsong")
    if world.part not in PARTS:
        raise BadPosition(f"The part of the day is one of {', '.join(PARTS)}, not {world.part[:20]!r}.")
    world.rows = tuple(sorted({read_number(row, 1, 6) for row in fields.pop("rows", "")}))
    if "first" in fields:
        world.first = read_seat(fields.pop("first"), len(characters))
    waiting = read_seats(fields.pop("waiting", ""), len(characters))
    world.counters = tuple(seat for seat in range(len(characters)) if waiting >> seat & 1)
    if "rolled" in fields:
        world.last_roll = _read_roll(fields.pop("rolled"), len(characters))
    world.journal = _read_journal(fields.pop("combat", ""), len(characters))
    return world


def _read_journal(text: str, seats: int) -> Journal:
    """Read the steps of combat, like 1:lure_Wolf-2;-:d_3_5."""
    parts = text.split(";", MAX_JOURNAL) if text else []
    if len(parts) > MAX_JOURNAL:
        raise BadPosition(f"Combat has at most {MAX_JOURNAL} steps.")
    pairs = [part.partition(":")[::2] for part in parts]
    return tuple(
        JournalEntry(CHANCE if who == NO_ONE else read_seat(who, seats), read_step(step)) for who, step in pairs
    )


def _read_roll(text: str, seats: int) -> RollResult:
    """Read the last roll: seat, table, one or two dice, and what was added if something was."""
    seat, *parts = text.split(":")
    table = parts[0].replace("_", " ") if parts else ""
    dice = parts[1].split(",") if len(parts) > 1 else []
    if table not in ("hide", *SEARCH_TABLES) or len(dice) not in (1, 2) or parts[2:] not in ADDITIONS:
        raise BadPosition(f"A roll is written as seat, table and dice, like 1:hide:6,2, not {text[:40]!r}.")
    rolled = tuple(read_number(die, 1, DIE) for die in dice)
    return RollResult(read_seat(seat, seats), TABLES.index(table), rolled, *map(int, parts[2:]))


def _read_map(world: World, fields: Fields) -> None:
    if "map" in fields:
        layout = [_read_placement(part) for part in split_list(fields.pop("map"))]
    else:
        layout = [Placement(*found) for found in usual_layout(world)]
    for placement in layout:
        if world.tiles[placement.tile].placed:
            raise BadPosition("Each tile can be on the map only once.")
        lay_tile(world, placement)
    for rank, name in enumerate(split_list(fields.pop("back", "")), 1):
        world.writable_tile(read_name("tile code", name)).put_back = rank
    hands = split_list(fields.pop("hands", ""))
    if hands and len(hands) != len(world.heroes):
        raise BadPosition("Write the tiles of every seat, with - for none.")
    for seat, hand in enumerate(hands):
        for name in split_list(hand, ","):
            world.writable_tile(read_name("tile code", name)).owner = seat


def _read_placement(text: str) -> Placement:
    code, _, rest = text.partition(":")
    numbers = rest.split(",")
    if len(numbers) != 3:  # noqa: PLR2004 - column, row and turn
        raise BadPosition(f"A tile on the map is written like CG:0,1,0, not {text[:40]!r}.")
    column, row = (read_number(number, -MAX_POSITION, MAX_POSITION) for number in numbers[:2])
    return Placement(read_name("tile code", code), column, row, read_number(numbers[2], 0, TURNS - 1))


# ---- map chits and denizens


def _read_chits(world: World, text: str) -> None:
    red = [write_name("map chit", chit) for chit in catalog_lookups().red_chits]
    laid_out: list[tuple[int, str]] = []
    for part in sorted(split_list(text), key=lambda part: not any(name in part for name in red)):
        where, _, rest = part.partition(":")
        if where in STACK_WORDS:
            _add_to_stack(world, STACK_WORDS.index(where), rest)
        else:
            tile = read_name("tile code", where)
            chit = _find_chit(tile, rest)
            slot = warning_slot(tile) if chit in catalog_lookups().warnings[tile] else site_slot(tile)
            if slot != warning_slot(tile) and world.slots[slot].chit != OPEN:
                laid_out.append((tile, rest))
            else:
                _set_slot(world, slot, chit, rest)
    for tile, rest in laid_out:
        found = world.slots[site_slot(tile)]
        if found.chit not in catalog_lookups().red_chits or not found.face_up:
            raise BadPosition("A tile has one sound or site, unless the Lost City or Lost Castle is face up there.")
        _add_to_stack(world, catalog_lookups().red_chits.index(found.chit), rest)


def _find_chit(tile: int, text: str) -> int:
    name = text.rstrip("*").rstrip("^").partition("/")[0]
    chit = read_name("short chit", name)
    warnings = catalog_lookups().warnings
    return warnings[tile][chit] if chit < len(warnings[tile]) else chit


def _add_to_stack(world: World, stack: int, text: str) -> None:
    slot = next((slot for slot in stack_slots(stack) if world.slots[slot].chit == OPEN), None)
    if slot is None:
        raise BadPosition(f"The stack of the Lost {STACK_WORDS[stack]} has five chits.")
    _set_slot(world, slot, _find_chit(0, text), text)


def _set_slot(world: World, number: int, chit: int, text: str) -> None:
    slot = world.writable_slot(number)
    if slot.chit != OPEN:
        raise BadPosition("Each tile has one warning, and tiles of valleys and woods have no other chit.")
    slot.chit = chit
    slot.summoned = text.endswith("*")
    slot.face_up = text.removesuffix("*").endswith("^") or (world.day > 0 and _is_valley(number))
    seats = text.removesuffix("*").removesuffix("^").partition("/")[2]
    slot.seen = everyone(world) if slot.face_up else read_seats(seats, len(world.heroes))


def _is_valley(slot: int) -> bool:
    return slot < TILES and catalog_lookups().warnings[slot] == catalog_lookups().warnings[0]


def _read_denizens(world: World, text: str) -> None:
    for part in split_list(text):
        name, _, place = part.partition(":")
        number = read_name("denizen", name)
        world.move_denizen(number, read_place(place.removesuffix("*")))
        world.writable_denizen(number).blocked = place.endswith("*")


# ---- goods


def _read_goods(world: World, fields: Fields, packs: list[list[str] | None]) -> None:
    usual = usual_packs([hero.character for hero in world.heroes])
    lists: list[tuple[Place, list[int]]] = []
    for seat, (texts, pieces) in enumerate(zip(packs, usual, strict=True)):
        place = pack_place(seat)
        entries = [*pieces] if texts is None else [_read_entry(world, text, "+") for text in texts]
        world.writable_hero(seat).pack = tuple(entries)
        for piece in pieces if texts is None else ():
            world.writable_goods(piece).active = True
        lists.append((place, entries))
    boxes = {}
    for part in split_list(fields.pop("boxes", "")):
        name, _, rest = part.partition(":")
        entries = [_read_entry(world, text, "^") for text in split_list(rest, ",")]
        boxes[read_name("box", name)] = entries
    for part in split_list(fields.pop("piles", "")):
        name, _, rest = part.partition(":")
        place, entries = read_name("clearing", name), [_read_entry(world, text, "^") for text in split_list(rest, ",")]
        tile, number = world.writable_tile(tile_of(place)), clearing_of(place)
        tile.piles = (*tile.piles[:number], tuple(entries), *tile.piles[number + 1 :])
        lists.append((place, entries))
    gone = [read_name("goods", name) for name in split_list(fields.pop("gone", ""))]
    for goods in gone:
        world.writable_goods(goods).seen = everyone(world)
    lists.append((GONE, gone))
    lists += [(box_place(box), entries) for box, entries in boxes.items()]
    _place_goods(world, lists, boxes)
    if fields.pop("open", ""):
        world.writable_box(read_name("box", "Vault")).opened = True


def _place_goods(world: World, lists: list[tuple[Place, list[int]]], boxes: dict[int, list[int]]) -> None:
    claimed = [goods for _, entries in lists for goods in entries if goods >= 0]
    if len(claimed) != len({*claimed}):
        raise BadPosition("The same goods are in two places.")
    for place, entries in lists:
        for goods in entries:
            if goods >= 0:
                world.move_goods(goods, place)
    for number, box in enumerate(world.boxes):
        left = boxes.get(number) or [entry for entry in box.entries if entry < 0 or entry not in claimed]
        if number in boxes or tuple(left) != box.entries:
            world.writable_box(number).entries = tuple(boxes.get(number, left))
    listed = {entry for box in world.boxes for entry in box.entries}
    for number, thing in enumerate(world.goods):
        if number not in claimed and number not in listed and thing.place != NOWHERE:
            raise BadPosition("Goods that are missing from a box must be somewhere else.")


def _read_entry(world: World, text: str, active: str) -> GoodsId:
    """Read one of the goods with what is known of it, or an open slot."""
    for entry, word in OPEN_WORDS.items():
        if text == word:
            return entry
    name, slash, seats = text.partition("/")
    plain = name.rstrip("!~")
    number = read_name("goods", plain.removesuffix(active))
    goods = world.writable_goods(number)
    goods.active, goods.alerted, goods.damaged = plain.endswith(active), "!" in name, "~" in name
    if goods.active or not is_card(number):
        goods.seen = everyone(world)
    elif slash:
        goods.seen = read_seats(seats, len(world.heroes))
    return number
