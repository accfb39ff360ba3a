"""Checks what no single data file can show: that names in one file exist in another, and that numbers agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.catalog import Catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import EVERY_DAY, StartingGear
from realmtable.games.magic_realm.catalog.ids import GHOSTS
from realmtable.games.magic_realm.catalog.setup_card import LARGE, SITE, SMALL, SOUND, WARNING
from realmtable.games.magic_realm.catalog.tiles import INSIDE, OPEN


def check_catalog(catalog: Catalog) -> Catalog:
    """Return the catalog; raise `BadInput` with a sentence about the first mistake."""
    for mistakes in (_check_tiles, _check_people, _check_things, _check_boxes, _check_chart, _check_missions):
        for mistake in mistakes(catalog):
            raise BadInput(mistake)
    return catalog


def _missing(what: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each name that is not known; an empty name stands for none."""
    found = {*known, ""}
    return (f"{what} names {name}, which does not exist." for name in names if name not in found)


def _group_names(catalog: Catalog) -> list[str]:
    return [group.name for group in catalog.groups]


def _dwelling_names(catalog: Catalog) -> list[str]:
    return [dwelling.name for dwelling in catalog.dwellings]


def _check_tiles(catalog: Catalog) -> Iterator[str]:
    for road in catalog.roads:
        if road.edge != INSIDE and road.secret_id != OPEN:
            yield f"A road of {catalog.tiles[road.tile].name} that leads to an edge cannot be secret."


def _check_people(catalog: Catalog) -> Iterator[str]:
    groups, dwellings = _group_names(catalog), _dwelling_names(catalog)
    kinds = {monster.kind for monster in catalog.monsters}
    for character in catalog.characters:
        yield from _missing(character.name, character.starts, [*dwellings, GHOSTS])
        yield from _missing(character.name, [name for name, _ in character.relations], [*groups, *catalog.visitors])
        for gear in (character.gear, *character.levels):
            yield from _check_gear(catalog, character.name, gear)
        for effect in character.effects:
            if effect.verb == "spared_by":
                yield from _missing(character.name, effect.names, kinds)
    for group in catalog.groups:
        yield from _missing(group.name, [group.garrison, *group.comes_to], dwellings)
    for dwelling in catalog.dwellings:
        homes = [group.name for group in catalog.groups if group.garrison == dwelling.name]
        if homes != [dwelling.garrison] * bool(dwelling.garrison):
            yield f"The garrison of {dwelling.name} must be the group that begins there."
    spells = [spell.name for spell in catalog.spells]
    for monster in catalog.monsters:
        yield from _missing(monster.name, [monster.light.spell, monster.dark.spell], spells)


def _check_gear(catalog: Catalog, name: str, gear: StartingGear) -> Iterator[str]:
    yield from _missing(name, [gear.weapon], [weapon.kind for weapon in catalog.weapons])
    yield from _missing(name, gear.armor, [armor.kind for armor in catalog.armor])


def _check_things(catalog: Catalog) -> Iterator[str]:
    groups = _group_names(catalog)
    for armor in catalog.armor:
        yield from _missing(armor.name, [armor.home], groups)
    for treasure in catalog.treasures:
        yield from _missing(treasure.name, [treasure.reward_group], groups)
        yield from _missing(treasure.name, [treasure.home], [*groups, *catalog.visitors])
        yield from _missing(treasure.name, [visitor for visitor, _ in treasure.visitor_prices], catalog.visitors)


def _check_boxes(catalog: Catalog) -> Iterator[str]:
    owners = {
        "site": [chit.name for chit in catalog.map_chits if chit.kind == SITE],
        "natives": _group_names(catalog),
        "visitor": [*catalog.visitors],
        "within": [treasure.name for treasure in catalog.treasures if treasure.size == "within"],
        "book": [treasure.name for treasure in catalog.treasures if treasure.kind == "book"],
        "artifact": [treasure.name for treasure in catalog.treasures if treasure.kind == "artifact"],
    }
    for kind, names in owners.items():
        if sorted(box.name for box in catalog.boxes if box.kind == kind) != sorted(names):
            yield f"There must be one box of the kind {kind} for each of {', '.join(names)}."
    held = Counter(goods for box in catalog.boxes for goods in box.goods)
    for goods in (*catalog.weapons, *catalog.armor, *catalog.horses):
        if held[goods.id] != 1:
            yield f"{goods.name} must lie in exactly one box."
    yield from _check_slots(catalog)


def _check_slots(catalog: Catalog) -> Iterator[str]:
    slots = Counter(slot for box in catalog.boxes for slot in box.slots)
    sizes = Counter(treasure.size for treasure in catalog.treasures)
    if slots[SMALL] != sizes[SMALL] or slots[LARGE] != sizes[LARGE] + sizes["within"]:
        yield "The boxes must have as many slots for treasures as there are cards."
    types = Counter(spell.type for spell in catalog.spells)
    for kind in (*types,):
        if kind and slots[kind] > types[kind]:
            yield f"The boxes have more slots for spells of type {kind} than there are cards."


def _check_chart(catalog: Catalog) -> Iterator[str]:
    words = {chit.word for chit in catalog.map_chits if chit.kind in {WARNING, SOUND, SITE}}
    waiting = {monster for box in catalog.chart for monster in box.monsters}
    for box in catalog.chart:
        kind = catalog.monsters[box.monsters[0]].kind
        yield from _missing(f"The box of {kind}", [word for word, _ in box.chits], words)
        if any(catalog.monsters[monster].row != box.row for monster in box.monsters):
            yield f"The box of {kind} must be in the row in which they prowl."
    for monster in catalog.monsters:
        if (monster.id in waiting) == (monster.id in catalog.ghosts.monsters) or (
            (monster.row == EVERY_DAY) != (monster.id in catalog.ghosts.monsters)
        ):
            yield f"{monster.name} must wait in one box of the chart, or prowl every day as a Ghost."


def _check_missions(catalog: Catalog) -> Iterator[str]:
    groups, numbers = _group_names(catalog), catalog.numbers
    kinds = {monster.kind for monster in catalog.monsters}
    for mission in numbers.missions:
        yield from _missing(mission.name, [mission.to, mission.else_to], _dwelling_names(catalog))
    for campaign in numbers.campaigns:
        yield from _missing(campaign.name, campaign.partners, groups)
        yield from _missing(campaign.name, campaign.foes, [*groups, *kinds])
    sides = [name for chit in numbers.visitor_chits for name in chit]
    errands = [*(mission.name for mission in numbers.missions), *(campaign.name for campaign in numbers.campaigns)]
    if sorted(sides) != sorted([*catalog.visitors, *errands]):
        yield "The visitor chits must show every visitor, mission and campaign once."
    sites = [box.name for box in catalog.boxes if box.kind in {"site", "within"}]
    yield from _missing("visitor_boxes", [name for box in numbers.visitor_boxes for name in box], [*groups, *sites])
