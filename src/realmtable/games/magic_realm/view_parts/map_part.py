"""The map of a view, with everything that lies on it, and the boxes of the sites."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import GREEN, MAX_CLEARING, SIDES, place_of
from realmtable.games.magic_realm.view_parts.map_schema import (
    ChitData,
    DenizenData,
    DwellingData,
    HeroData,
    MapData,
    PileData,
    TileData,
)
from realmtable.games.magic_realm.view_parts.names import goods_data, name_place
from realmtable.games.magic_realm.view_parts.schema import BoxData, PileGoodsData
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_CHARACTER, NO_SLOT
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.open_slots import site_slot, stack_slots, warning_slot
from realmtable.games.magic_realm.world.places import TILES, is_clearing, is_road, road_ends


def map_data(seen: SeatView, piles: list[PileGoodsData], focus: str) -> MapData:
    """Return the map as the viewer sees it; `focus` is the clearing or tile that matters now."""
    return {
        "tiles": _list_tiles(seen),
        "chits": _list_chits(seen) if len(seen.layout) == TILES else [],
        "dwellings": _list_dwellings(seen),
        "heroes": _list_heroes(seen),
        "denizens": _list_denizens(seen),
        "piles": [_count_pile(pile) for pile in piles],
        "known_roads": _list_known_roads(seen),
        "route": _list_route(seen),
        "focus": focus,
    }


def _list_tiles(seen: SeatView) -> list[TileData]:
    tiles = load_catalog().tiles
    return [
        {"tile": tiles[tile].code, "column": column, "row": row, "turn": turn, "side": SIDES[GREEN]}
        for tile, column, row, turn in seen.layout
    ]


def _list_chits(seen: SeatView) -> list[ChitData]:
    """Return the chits of each tile, except warnings that a dwelling or the Ghosts have replaced."""
    catalog, red = load_catalog(), catalog_lookups().red_chits
    found: list[ChitData] = []
    for tile in catalog.tiles:
        second = site_slot(tile.id)
        slots = [] if seen.tile(tile.id).dwelling else [warning_slot(tile.id)]
        if seen.chit(second) != NO_SLOT:
            slots.append(second)
        if seen.is_face_up(second) and seen.chit(second) in red:
            slots += stack_slots(red.index(seen.chit(second)))
        for slot in slots:
            chit = seen.chit(slot)
            name = catalog.map_chits[chit].name if chit >= 0 else ""
            found.append({"tile": tile.code, "back": tile.letter, "name": name, "face_up": seen.is_face_up(slot)})
    return found


@cache
def _dwelling_names() -> dict[int, str]:
    """Return the dwellings by the warnings that they replace."""
    return {dwelling.chit: dwelling.name for dwelling in load_catalog().dwellings}


def _list_dwellings(seen: SeatView) -> list[DwellingData]:
    found: list[DwellingData] = []
    for tile in range(TILES):
        number = seen.tile(tile).dwelling
        name = _dwelling_names().get(seen.chit(warning_slot(tile)), "") if number else ""
        if name:
            found.append({"at": name_place(place_of(tile, number)), "name": name})
    return found


def _list_heroes(seen: SeatView) -> list[HeroData]:
    characters = load_catalog().characters
    heroes = [(seat, seen.hero(seat)) for seat in range(seen.seats)]
    return [
        {"seat": seat, "character": characters[hero.character].name, "at": at, "hidden": hero.hidden}
        for seat, hero in heroes
        if hero.character != NO_CHARACTER and not hero.dead and (at := name_place(hero.place))
    ]


def _list_denizens(seen: SeatView) -> list[DenizenData]:
    names = load_catalog().names
    clearings = names.by_number("clearing")
    found: list[DenizenData] = []
    for number, name in names.by_number("denizen").items():
        denizen = seen.denizen(number)
        if is_clearing(denizen.place):
            found.append({"at": clearings[denizen.place], "name": name, "side": "light"})
            if denizen.blocked:
                found[-1]["blocked"] = True
    return found


def _count_pile(pile: PileGoodsData) -> PileData:
    return {"at": pile["at"], "count": len(pile["goods"])}


def _list_known_roads(seen: SeatView) -> list[int]:
    if seen.seat is None:
        return []
    hero = seen.hero(seen.seat)
    everything = hero.character != NO_CHARACTER and knows_all_roads(hero.character)
    known = -1 if everything else hero.discoveries or 0
    return [road.id for road in load_catalog().secret_roads if known >> road.secret_id & 1]


def knows_all_roads(character: int) -> bool:
    """Whether a character knows all hidden paths and secret passages from the start (M9)."""
    return any(effect.verb == "know_roads" for effect in load_catalog().characters[character].effects)


def _list_route(seen: SeatView) -> list[str]:
    """Return where the viewer is and the clearings of the Moves that they have written and not done."""
    if seen.seat is None or seen.hero(seen.seat).dead:
        return []
    hero = seen.hero(seen.seat)
    targets = [step.args[0] for step in hero.plan[hero.phase :] if step.verb == "M"]
    start = [] if is_road(hero.place) else [hero.place]
    return [name_place(place) for place, _ in groupby([*start, *targets])] if targets else []


def piles_data(seen: SeatView) -> list[PileGoodsData]:
    """Return the piles of abandoned goods."""
    found: list[PileGoodsData] = []
    for tile in range(TILES):
        for number in range(1, MAX_CLEARING + 1) if seen.has_piles(tile) else ():
            goods = [goods_data(thing) for thing in seen.pile(place_of(tile, number))]
            if goods:
                found.append({"at": name_place(place_of(tile, number)), "goods": goods})
    return found


def boxes_data(seen: SeatView) -> list[BoxData]:
    """Return the boxes of the sites and of the cards that lead to other treasures."""
    return [
        {
            "name": box.name,
            "is_site": box.kind == "site",
            "goods": [goods_data(thing) for thing in seen.box(box.id)],
            "opened": seen.is_open(box.id),
        }
        for box in load_catalog().boxes
        if box.kind in ("site", "within")
    ]


def find_focus(seen: SeatView, seat: int | None, place: int) -> str:
    """Return the clearing that matters now: a place, else where a seat is; empty if there is none."""
    if not is_clearing(place) and seat is not None:
        place = seen.hero(seat).place
    return name_place(road_ends(place)[0] if is_road(place) else place)
