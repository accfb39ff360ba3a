"""Searching: where sites are, what can be looted, and what the results give (D16 to D19, D22, T5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import BoxId, MapChitId, Place, TileId, place_of, tile_of
from realmtable.games.magic_realm.catalog.placement import adjacent_tiles
from realmtable.games.magic_realm.day_rules.action_chits import can_open, list_payments
from realmtable.games.magic_realm.day_rules.modifiers import has_effect, is_cave, is_mountain
from realmtable.games.magic_realm.day_rules.sight import discover, followers_of, list_watchers
from realmtable.games.magic_realm.world.belongings import list_goods_at
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_slot
from realmtable.games.magic_realm.world.map_layout import graph_of, layout_of
from realmtable.games.magic_realm.world.open_slots import FIRST_STACK, STACK_SIZE, site_slot, stack_slots, warning_slot
from realmtable.games.magic_realm.world.places import TILES, box_of, box_place, is_box
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

PILE: Final = 0  # what can be looted: the pile, then the sites, then the site cards
ROADS: Final = {"paths": "hidden", "passages": "secret"}


@cache
def _first_site() -> int:
    """Return the bit of the first site among the discoveries."""
    return len(load_catalog().secret_roads)


@cache
def site_cards() -> tuple[int, ...]:
    """Return the site cards."""
    return tuple(card.id for card in load_catalog().treasures if card.kind == "site")


def site_count() -> int:
    """Return the number of sites; their boxes are the first of the set-up card."""
    return len(catalog_lookups().site_boxes)


def is_site_card(looted: int) -> bool:
    """Whether something that can be looted is a site card."""
    return looted > site_count()


def discovery_bit(looted: int) -> int:
    """Return the bit of a site or site card among the discoveries."""
    return 1 << _first_site() + looted - 1


def place_to_loot(world: World, seat: Seat, looted: int) -> Place:
    """Return the box or clearing in which the pieces lie that can be taken."""
    if looted == PILE:
        return world.heroes[seat].place
    return box_place(_own_box(looted)) if is_site_card(looted) else box_place(looted - 1)


def _own_box(looted: int) -> BoxId:
    """Return the box of what a site card leads to."""
    return load_catalog().box(load_catalog().names.by_number("looted")[looted]).id


def site_of(world: World, looted: int) -> BoxId:
    """Return the box of a site, or of the site in which a site card lies; -1 if the card lies in none."""
    if not is_site_card(looted):
        return looted - 1
    place = world.goods[site_cards()[looted - site_count() - 1]].place
    return box_of(place) if is_box(place) else -1


@cache
def site_chit(box: BoxId) -> MapChitId:
    """Return the chit of a site."""
    catalog = load_catalog()
    return next(chit.id for chit in catalog.map_chits if chit.name == catalog.boxes[box].name)


def find_slot(world: World, chit: MapChitId) -> int | None:
    """Return the slot of a chit that is decided."""
    return next((number for number, slot in enumerate(world.slots) if slot.chit == chit), None)


def find_tile(world: World, slot: int) -> TileId | None:
    """Return the tile in which the chit of a slot lies; none if its stack is not laid out."""
    if slot < FIRST_STACK:
        return slot % TILES
    red = catalog_lookups().red_chits[(slot - FIRST_STACK) // STACK_SIZE]
    laid_out = [tile for tile in range(TILES) if world.slots[site_slot(tile)].chit == red]
    return next((tile for tile in laid_out if world.slots[site_slot(tile)].face_up), None)


def find_site(world: World, box: BoxId) -> Place | None:
    """Return the clearing of a site whose chit is decided and lies in a tile."""
    slot = find_slot(world, site_chit(box)) if box >= 0 else None
    tile = None if slot is None else find_tile(world, slot)
    return None if tile is None else place_of(tile, load_catalog().map_chits[site_chit(box)].clearing)


def list_lying_slots(world: World, tile: TileId) -> list[int]:
    """Return the slots of the chits that lie in a tile, those of a stack only if it is laid out."""
    second = world.slots[site_slot(tile)]
    slots = [warning_slot(tile)] if tile not in _tiles_with_sites() else [warning_slot(tile), site_slot(tile)]
    red = catalog_lookups().red_chits
    return [*slots, *(stack_slots(red.index(second.chit)) if second.chit in red and second.face_up else ())]


@cache
def _tiles_with_sites() -> frozenset[TileId]:
    return frozenset(tile for tiles in catalog_lookups().tiles_of_stack for tile in tiles)


# ---- what can be searched


def list_searches(world: World, seat: Seat) -> list[Step]:
    """Return what a character can do in a Search phase (D16, D17, D19, D22)."""
    return sorted(_list_searches(world, seat))


def _list_searches(world: World, seat: Seat) -> Iterator[Step]:
    names = load_catalog().names.by_number("looted")
    if has_effect(world, seat, "magic_sight"):
        yield Step("sight")
        yield from (
            Step("loot", (looted,)) for looted in names if is_site_card(looted) and can_loot(world, seat, looted)
        )
        return
    yield Step("peer")
    yield Step("locate")
    yield from (Step("peer", (place,)) for place in _list_far_clearings(world, seat))
    yield from (Step("loot", (looted,)) for looted in names if can_loot(world, seat, looted))


def _list_far_clearings(world: World, seat: Seat) -> list[Place]:
    """Return the other clearings at which a character can peer."""
    hero, clearings = world.heroes[seat], graph_of(world).clearings
    if hero.anywhere:
        return [place for place in clearings if place != hero.place]
    if not is_mountain(world, hero.place):
        return []
    tile = tile_of(hero.place)
    near = (tile, *adjacent_tiles(layout_of(world), tile))
    return [
        place for place in clearings if tile_of(place) in near and place != hero.place and not is_cave(world, place)
    ]


def can_loot(world: World, seat: Seat, looted: int) -> bool:
    """Whether a character can loot the pile, a site or a site card now (D19, T5)."""
    hero = world.heroes[seat]
    if looted == PILE:
        return bool(list_goods_at(world, hero.place))
    box = site_of(world, looted)
    known = bool(hero.discoveries & discovery_bit(looted))
    if not known or find_site(world, box) != hero.place or not world.boxes[box].entries:
        return False
    return is_payable(world, seat, looted)


def is_payable(world: World, seat: Seat, looted: int) -> bool:
    """Whether a character can pay and open what looting something needs (D19)."""
    if loot_cost(looted) == "open":
        return is_open(world, looted) or can_open(world, seat)
    return not loot_cost(looted) or bool(list_payments(world, seat))


def loot_cost(looted: int) -> str:
    """Return what looting costs: a star for each roll or item, a door to open, or nothing."""
    if looted == PILE:
        return ""
    if is_site_card(looted):
        return "open" if load_catalog().names.by_number("looted")[looted].startswith("Crypt") else ""
    return load_catalog().map_chits[site_chit(looted - 1)].loot_cost


def is_open(world: World, looted: int) -> bool:
    """Whether a door is open: the Vault stays open, the Crypt never does."""
    return not is_site_card(looted) and world.boxes[looted - 1].opened


def list_takes(world: World, seat: Seat, cards: bool) -> list[Step]:
    """Return from where Magic Sight can take a counter or a card (D22)."""
    looted = [number for number in range(site_count() + 1) if can_loot(world, seat, number)]
    return [
        Step("take", (int(cards), number)) for number in looted if find_topmost(world, seat, number, cards) is not None
    ]


def find_topmost(world: World, seat: Seat, looted: int, cards: bool) -> int | None:
    """Return the index of the topmost counter or card of a box or pile."""
    entries = list_goods_at(world, place_to_loot(world, seat, looted))
    return next((index for index, entry in enumerate(entries) if (entry < 0 or is_card(entry)) == cards), None)


# ---- results


def party_of(world: World, seat: Seat) -> list[Seat]:
    """Return a character and its followers, who share what it finds (D24)."""
    return [seat, *followers_of(world, seat)]


def discover_roads(world: World, seat: Seat, place: Place, kind: str) -> None:
    """Discover all hidden paths or secret passages that touch a clearing (D18)."""
    catalog = load_catalog()
    ways = [way for way in graph_of(world).ways[place] if catalog.roads[way.road].kind == ROADS[kind]]
    bits = sum(1 << way.secret for way in ways)
    discover(world, [one for one in party_of(world, seat) if not has_effect(world, one, "know_roads")], bits)


def see_hidden_characters(world: World, seat: Seat, bit: int) -> None:
    """See hidden characters until midnight."""
    for one in party_of(world, seat):
        world.writable_hero(one).found |= bit


def look_at(world: World, seat: Seat, slots: Iterable[int]) -> None:
    """Let a character and its followers know the chits of slots that are decided."""
    bits = sum(1 << one for one in party_of(world, seat))
    for slot in slots:
        let_seats_know_slot(world, slot, bits)


def discover_sites(world: World, seat: Seat, place: Place) -> None:
    """Discover every site in a clearing."""
    found = [box for box in catalog_lookups().site_boxes if find_site(world, box) == place]
    discover(world, party_of(world, seat), sum(discovery_bit(box + 1) for box in found))


def let_others_know_use(world: World, seat: Seat, looted: int) -> None:
    """Let followers and spies learn that a site or site card is used; everyone sees the site's chit (D19, X2)."""
    if looted == PILE:
        return
    box, watchers = site_of(world, looted), list_watchers(world, seat, world.heroes[seat].place)
    discover(world, party_of(world, seat), discovery_bit(looted))
    discover(world, watchers, discovery_bit(looted) | discovery_bit(box + 1))
    slot = find_slot(world, site_chit(box))
    assert slot is not None  # noqa: S101 - what can be looted lies in a clearing
    let_seats_know_slot(world, slot, everyone(world))


# ---- campfires, the Lost City and the Lost Castle


def find_exchangeable(world: World, tile: TileId) -> int | None:
    """Return the slot of a face-down campfire, Lost City or Lost Castle in a tile (D18)."""
    campfires = [dwelling.chit for dwelling in load_catalog().dwellings]
    for slot in list_lying_slots(world, tile):
        found = world.slots[slot]
        if not found.face_up and found.chit in (*campfires, *catalog_lookups().red_chits):
            return slot
    return None


def has_unknown_chit(world: World, tile: TileId) -> bool:
    """Whether a tile has a face-down chit that not everyone knows; spectators of a solo game know none (Z3)."""
    slots = [world.slots[slot] for slot in list_lying_slots(world, tile)]
    is_solo = len(world.heroes) == 1
    return any(not slot.face_up and (is_solo or slot.seen != everyone(world)) for slot in slots)
