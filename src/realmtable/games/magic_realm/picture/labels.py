"""Sentences for screen readers: what a clearing or a tile of the map is and what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.catalog.tiles import Clearing, Tile
from realmtable.games.magic_realm.picture.counters import Contents, DrawnChit, DrawnDenizens, chit_of
from realmtable.games.magic_realm.view_parts.map_schema import ActionChitData

_LETTERS: Final = {"V": "valley", "W": "woods", "C": "cave", "M": "mountain"}


def label_clearing(tile: Tile, clearing: Clearing, contents: Contents) -> str:
    """Return the label of a clearing, such as "Bad Valley 4, meadow. Inn. Elf, hidden. 3 of the Rogues"."""
    kind = "meadow" if clearing.is_open else clearing.kind
    magic = f", {' and '.join(clearing.magic)} magic" if clearing.magic else ""
    parts = [f"{tile.name} {clearing.number}, {kind}{magic}", contents.dwelling]
    parts += [hero.character + ", hidden" * hero.is_hidden for hero in contents.heroes]
    parts += map(label_group, contents.groups)
    parts += map(label_chit, contents.slips)
    parts.append(f"{contents.pile} abandoned thing{'s' * (contents.pile > 1)}" if contents.pile else "")
    return ". ".join(filter(None, parts))


def label_group(group: DrawnDenizens) -> str:
    """Return what equal denizens are called, such as "2 Wolves, dark side up"."""
    if group.is_native:
        words = f"{group.number} of the {group.name}" + " with their leader" * group.has_leader
    else:
        words = group.name if group.number == 1 else f"{group.number} {_plural(group.name)}"
    side = ", red side up" if group.is_deadly else ", dark side up" if group.side == "dark" else ""
    return words + side + ", hired" * (group.employer is not None)


def _plural(name: str) -> str:
    return f"{name.removesuffix('f')}ves" if name.endswith("f") else f"{name}s"


def label_chit(slip: DrawnChit) -> str:
    """Return what a chit is called, and whether everyone sees it."""
    chit = chit_of(slip)
    if chit is None:
        return f"Unknown {_LETTERS[slip.back]} chit"
    return chit.name.replace("-", " ") + ("" if slip.is_face_up else ", seen face down")


def label_tile(tile: Tile, side: str, chits: Sequence[DrawnChit]) -> str:
    """Return the label of a tile, such as "Crag, mountain tile. Unknown mountain chit"."""
    start = f"{tile.name}, {'enchanted ' if side == 'enchanted' else ''}{_LETTERS[tile.letter]} tile"
    return ". ".join([start, *map(label_chit, chits)])


def label_action_chit(data: ActionChitData) -> str:
    """Return what an action chit is called, such as "Move M3, 1 star, fatigued"."""
    name = data["label"].rstrip("*")
    stars = len(data["label"]) - len(name)
    effort = f", {stars} star{'s' if stars > 1 else ''}" if stars else ""
    return f"{name}{effort}, {data['state']}"
