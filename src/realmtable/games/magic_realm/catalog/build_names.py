"""The names of everything in the catalog, and of what steps and positions refer to (Z2, F1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from realmtable.games.magic_realm.catalog.catalog import Catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Monster
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import GHOSTS, GREEN, place_of
from realmtable.games.magic_realm.catalog.names import Names
from realmtable.games.magic_realm.catalog.tiles import Road

PILE: Final = "pile"


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


def build_names(catalog: Catalog) -> Names:
    """Return the names of a catalog that has none yet."""
    return Names(_list_names(catalog), _list_codes(catalog), _list_references(catalog))


def _list_names(catalog: Catalog) -> Iterator[tuple[str, int, str]]:
    """Yield kind, number and name of everything that steps and positions name."""
    for tile in catalog.tiles:
        yield "tile", tile.id, tile.name
        for number in tile.numbers:
            yield "clearing", place_of(tile.id, number), f"{tile.code}{number}"
    rows: dict[str, Sequence[_HasName]] = {
        "character": catalog.characters,
        "monster": catalog.monsters,
        "native": catalog.natives,
        "group": catalog.groups,
        "goods": catalog.goods,
        "spell": catalog.spells,
        "map chit": catalog.map_chits,
        "dwelling": catalog.dwellings,
        "mission": catalog.numbers.missions,
        "campaign": catalog.numbers.campaigns,
    }
    for kind, things in rows.items():
        yield from ((kind, number, thing.name) for number, thing in enumerate(things))
    yield from (("visitor", number, name) for number, name in enumerate(catalog.visitors))


def _list_codes(catalog: Catalog) -> Iterator[tuple[str, int, str]]:
    return (("tile", tile.id, tile.code) for tile in catalog.tiles)


def _list_references(catalog: Catalog) -> dict[str, dict[int, str]]:
    """Return the names of what steps and positions refer to, if it is no kind of thing by itself."""
    gear = sorted({goods.kind for goods in catalog.goods if not isinstance(goods, Treasure)})
    labels = [*dict.fromkeys(chit.label for character in catalog.characters for chit in character.chits)]
    cards = [card.name for card in catalog.treasures if card.kind == "site"]
    lists = {
        "tile code": [tile.code for tile in catalog.tiles],
        "denizen": [*(monster.name for monster in catalog.monsters), *(native.name for native in catalog.natives)],
        "looted": [PILE, *(box.name for box in catalog.boxes if box.kind == "site"), *cards],
        "action": labels,
        "force": [*labels, *(goods.name for goods in catalog.goods)],
        "piece": [
            *labels,
            *(goods.name for goods in catalog.goods),
            *(f"{goods.name} gallop" for goods in catalog.goods),
        ],
        "counter": [name for monster in catalog.monsters for name in _name_counters(monster)],
        "rest": [*labels, *(f"{state} {label}" for state in ("fatigued", "wounded") for label in labels)],
        "blocked": [*(row.name for row in catalog.characters), *(monster.name for monster in catalog.monsters)],
        "gear": gear,
        "short chit": [chit.word if chit.kind == "warning" else chit.name for chit in catalog.map_chits],
        "start": [*(dwelling.name for dwelling in catalog.dwellings), GHOSTS],
        "box": [box.name for box in catalog.boxes],
    }
    named = {kind: dict(enumerate(found)) for kind, found in lists.items()}
    secrets = {road.secret_id: _name_road(catalog, road) for road in catalog.secret_roads if road.side == GREEN}
    first_site = len(catalog.secret_roads)
    sites = [box.name for box in catalog.boxes if box.kind == "site"]
    named["discovery"] = {**secrets, **dict(enumerate([*sites, *cards], first_site))}
    return named


def _name_counters(monster: Monster) -> tuple[str, str]:
    """Return the names of a monster and of its head or club; one without such a part has a name that means nothing."""
    return monster.name, f"{monster.name} {'part' if monster.part is None else monster.part.name.split()[-1].lower()}"


def _name_road(catalog: Catalog, road: Road) -> str:
    code = catalog.tiles[road.tile].code
    return f"{code}{road.start}-{code}{road.end}"
