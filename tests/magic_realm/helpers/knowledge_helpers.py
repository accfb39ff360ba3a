"""A world with many secrets, and all that a seat sees of it."""

from __future__ import annotations

from random import Random

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.world.belongings import put_goods
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import OPEN_LARGE, OPEN_SMALL
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import (
    SeatView,
    let_seats_know_goods,
    let_seats_know_slot,
)
from realmtable.games.magic_realm.world.open_slots import (
    SLOTS,
    decide_card,
    decide_chit,
    site_slot,
    stack_slots,
    warning_slot,
    weigh_cards,
    weigh_chits,
)
from realmtable.games.magic_realm.world.places import TILES, pack_place
from realmtable.games.magic_realm.world.resample import draw_weighted
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, position

TILE = {tile.code: tile.id for tile in CATALOG.tiles}
GOODS = {goods.name: goods.id for goods in CATALOG.goods}
BOX = {box.name: box.id for box in CATALOG.boxes}


def see_all(world: World, seat: Seat | None) -> list[object]:
    """Return everything that a viewer can see, and who knows each map chit."""
    view = SeatView(world, seat)
    return [
        (view.seats, view.day, view.part, view.rows, view.counters, view.first),
        [view.tile(tile) for tile in range(TILES)],
        [(view.chit(slot), view.is_face_up(slot), world.slots[slot].seen) for slot in range(SLOTS)],
        [view.denizen(number).values() for number in range(len(world.denizens))],
        [view.hero(other) for other in range(view.seats)],
        [view.pack(other) for other in range(view.seats)],
        [view.pile(place) for place in sorted(catalog_lookups().clearings)],
        [(view.box(box), view.is_open(box)) for box in range(len(world.boxes))],
    ]


def busy_world(*, seats: int = 3, seed: int = 1) -> World:
    """Return a world in which seats have looked at chits and hold and have left cards that others do not know."""
    rng = Random(seed)
    heroes = ["Elf", "Dwarf", "Wizard", "Amazon"][:seats]
    points = [f"{seat + 1}.points=fame,gold" for seat in range(seats)]
    world = position(*points, f"{seats}.knows=CG1-CG6;Hoard", heroes=";".join(heroes)).fork()
    slots = [warning_slot(TILE["CG"]), site_slot(TILE["CG"]), site_slot(TILE["CS"]), *stack_slots(0)[:3]]
    for turn, slot in enumerate(slots):
        decide_chit(world, slot, draw_weighted(weigh_chits(world, slot), rng))
        let_seats_know_slot(world, slot, 1 << turn % seats)
    for turn in range(9):
        box = BOX[("Hoard", "Lair", "Pool")[turn % 3]]
        entries = world.boxes[box].entries
        index = next(index for index, entry in enumerate(entries) if entry == (OPEN_LARGE, OPEN_SMALL)[turn % 2])
        carried = [(card, weight) for card, weight in weigh_cards(world, box, index) if card not in UNCARRIED]
        card = draw_weighted(carried, rng)
        decide_card(world, box, index, card)
        let_seats_know_goods(world, card, 1 << turn % seats)
        if turn < 6:
            put_goods(world, card, pack_place(turn % seats) if turn < 4 else place_of(TILE["CG"], 2))
    return check_world(world.seal())


UNCARRIED = {card.id for card in CATALOG.treasures if card.size == "within" and card.name != "Chest"}
