"""Monsters that prowl and appear at the end of a turn, and the chits that are turned up (P1 to P7)."""

from __future__ import annotations

from collections.abc import Iterator

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import EVERY_DAY
from realmtable.games.magic_realm.catalog.ids import MonsterId, Place, TileId, place_of, tile_of
from realmtable.games.magic_realm.catalog.setup_card import RED_CHIT, WARNING
from realmtable.games.magic_realm.day_rules.modifiers import list_effects
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_SLOT, OPEN
from realmtable.games.magic_realm.world.knowledge import turn_up
from realmtable.games.magic_realm.world.map_layout import replace_warning
from realmtable.games.magic_realm.world.open_slots import site_slot, stack_slots, warning_slot
from realmtable.games.magic_realm.world.places import HOME, is_clearing
from realmtable.games.magic_realm.world.world import World


def list_prowlers(world: World, place: Place) -> list[MonsterId]:
    """Return the monsters elsewhere in a tile that move to a clearing of it (P1)."""
    return [
        monster.id
        for monster in load_catalog().monsters
        if monster.row in (EVERY_DAY, *world.rows) and _comes(world, monster.id, place)
    ]


def _comes(world: World, monster: MonsterId, place: Place) -> bool:
    denizen = world.denizens[monster]
    near = is_clearing(denizen.place) and tile_of(denizen.place) == tile_of(place)
    return near and denizen.place != place and not denizen.blocked


def list_slots(world: World, tile: TileId) -> list[int]:
    """Return the slots of a tile: the warning, the sound or site, and the stack of a Lost City or Castle in it."""
    second = world.slots[site_slot(tile)].chit
    if second == NO_SLOT:
        return [warning_slot(tile)]
    red = catalog_lookups().red_chits
    stack = [*stack_slots(red.index(second))] if second in red else []
    return [warning_slot(tile), site_slot(tile), *stack]


def find_open_slot(world: World, tile: TileId) -> int | None:
    """Return the first slot of a tile whose chit is not decided."""
    return next((slot for slot in list_slots(world, tile) if world.slots[slot].chit == OPEN), None)


def turn_up_tile(world: World, seat: Seat, tile: TileId) -> list[int]:
    """Turn up the decided chits of a tile at the end of a turn; return the slots that summon, in order (P2, P3, P7)."""
    chits = load_catalog().map_chits
    silent = {name for effect in list_effects(world, seat) if effect.verb == "no_summons" for name in effect.names}
    summoning = []
    for slot in list_slots(world, tile):
        found = world.slots[slot]
        chit, was_up = chits[found.chit], found.face_up
        turn_up(world, slot)
        if chit.kind == RED_CHIT:
            continue
        if chit.kind == WARNING and not world.tiles[tile].dwelling:
            replace_warning(world, tile)
        if chit.kind == WARNING and world.tiles[tile].dwelling:
            continue
        if chit.kind in silent:
            world.writable_slot(slot).face_up = was_up
        elif not found.summoned:
            summoning.append(slot)
    for slot in summoning:
        world.writable_slot(slot).summoned = True
    return sorted(summoning, key=lambda slot: (chits[world.slots[slot].chit].clearing, world.slots[slot].chit))


def summon(world: World, slot: int, place: Place) -> list[MonsterId]:
    """Let a chit that was turned up summon the monsters of one box; return them (P3)."""
    catalog, tile = load_catalog(), tile_of(place)
    chit = catalog.map_chits[world.slots[slot].chit]
    where = place_of(tile, chit.clearing) if chit.clearing else place
    monsters = next(_list_waiting(world, chit.id, catalog.tiles[tile].letter), [])
    for monster in monsters:
        world.move_denizen(monster, where)
    return monsters


def _list_waiting(world: World, chit: int, letter: str) -> Iterator[list[MonsterId]]:
    """Yield the monsters in each box that a chit can summon and that is not empty, from left to right."""
    for row in world.rows:
        for box in load_catalog().summoned_boxes(row, chit, letter):
            waiting = [monster for monster in box.monsters if world.denizens[monster].place == HOME]
            if waiting:
                yield waiting
