"""A site near the Inn that everyone knows from the beginning, for a first game (V12)."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.catalog.map_graph import count_moves
from realmtable.games.magic_realm.day_rules.search import discovery_bit, site_chit
from realmtable.games.magic_realm.world.entities import NO_SLOT
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_slot
from realmtable.games.magic_realm.world.map_layout import graph_of, start_place
from realmtable.games.magic_realm.world.open_slots import decide_chit, site_slot
from realmtable.games.magic_realm.world.world import World

SITES: Final = ("Lair", "Hoard")  # those of so many treasures that every roll of Loot takes one at first
FAR: Final = 1000  # Moves: only a hidden path or secret passage leads there


def place_known_site(world: World) -> None:
    """Place a site as few Moves from the Inn as possible; every character has discovered it."""
    catalog = load_catalog()
    inn = start_place(world, catalog.names.by_name("start")["Inn"])
    assert inn is not None  # noqa: S101 - all dwellings are on the map now
    moves = count_moves(graph_of(world), inn, known=0)
    chits = [catalog.map_chits[site_chit(catalog.box(name).id)] for name in SITES]
    tiles = [tile for tile in range(len(world.tiles)) if world.slots[site_slot(tile)].chit != NO_SLOT]
    _, order, tile = min(
        (moves.get(place_of(tile, chit.clearing), FAR), order, tile)
        for tile in tiles
        for order, chit in enumerate(chits)
    )
    decide_chit(world, site_slot(tile), chits[order].id)
    let_seats_know_slot(world, site_slot(tile), everyone(world))
    looted = catalog.names.by_name("looted")[SITES[order]]
    for seat in range(len(world.heroes)):
        world.writable_hero(seat).discoveries |= discovery_bit(looted)
