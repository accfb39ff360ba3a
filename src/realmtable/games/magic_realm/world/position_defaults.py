"""The position that a position text starts from: whatever the text does not say is as in this world (F1)."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import BoxId, CharacterId, GoodsId
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_CHARACTER, NO_START, Hero
from realmtable.games.magic_realm.world.map_layout import start_place
from realmtable.games.magic_realm.world.places import NOWHERE
from realmtable.games.magic_realm.world.world import World


def gear_kinds(character: CharacterId) -> tuple[str, ...]:
    """Return the kinds of weapon and armour that a character begins with (M9)."""
    gear = load_catalog().characters[character].gear
    return (*([gear.weapon] if gear.weapon else []), *gear.armor)


def list_boxes_with_gear(boxes: Sequence[Sequence[int]], kind: str) -> list[tuple[BoxId, GoodsId]]:
    """Return the boxes of native groups that hold a kind of gear, each with the first such piece."""
    catalog = load_catalog()
    found = []
    for box in catalog.boxes:
        if box.kind == "natives":
            piece = next((entry for entry in boxes[box.id] if entry >= 0 and catalog.goods[entry].kind == kind), None)
            if piece is not None:
                found.append((box.id, piece))
    return found


def usual_packs(characters: Sequence[CharacterId]) -> list[tuple[GoodsId, ...]]:
    """Return the gear of each seat if every piece is taken from the first group that has it."""
    boxes = [[*box.goods] for box in load_catalog().boxes]
    packs = []
    for character in characters:
        pack = []
        for kind in () if character == NO_CHARACTER else gear_kinds(character):
            box, piece = list_boxes_with_gear(boxes, kind)[0]
            boxes[box].remove(piece)
            pack.append(piece)
        packs.append(tuple(pack))
    return packs


def usual_hero(world: World, character: CharacterId) -> Hero:
    """Return a hero of whom a position says nothing but the character; the pack is left empty."""
    if character == NO_CHARACTER:
        return Hero()
    starts = catalog_lookups().starts[character]
    start = starts[0] if world.day or len(starts) == 1 else NO_START
    place = start_place(world, start) if world.day else None
    gold = load_catalog().numbers.starting_gold
    return Hero(character, NOWHERE if place is None else place, start=start, gold=gold)
