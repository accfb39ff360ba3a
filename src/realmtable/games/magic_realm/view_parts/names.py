"""Names of places and goods as views write them."""

from __future__ import annotations

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.view_parts.schema import GoodsData
from realmtable.games.magic_realm.world.entities import OPEN_LARGE, OPEN_SMALL
from realmtable.games.magic_realm.world.knowledge import SeenGoods, card_back
from realmtable.games.magic_realm.world.places import is_clearing, is_road, road_ends

BACKS = {OPEN_LARGE: "large", OPEN_SMALL: "small", 0: ""}


def name_place(place: Place) -> str:
    """Return a clearing or roadway; empty for places off the map."""
    names = load_catalog().names.by_number("clearing")
    if is_road(place):
        return "-".join(names[end] for end in road_ends(place))
    return names[place] if is_clearing(place) else ""


def goods_data(seen: SeenGoods) -> GoodsData:
    """Return a thing as a viewer sees it."""
    if not seen.is_known:
        return {"name": "", "back": BACKS[seen.goods], "active": seen.active}
    found: GoodsData = {
        "name": load_catalog().goods[seen.goods].name,
        "back": BACKS[card_back(seen.goods)],
        "active": seen.active,
    }
    if seen.alerted:
        found["alerted"] = True
    if seen.damaged:
        found["damaged"] = True
    return found
