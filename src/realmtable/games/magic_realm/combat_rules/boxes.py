"""The boxes of a sheet: how counters are laid, change places and turn over (C11, C13, C14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import EVERY_DIRECTION, TREMENDOUS, Direction


class Counter(NamedTuple):
    """A counter on a sheet: a monster, or its head or club."""

    monster: MonsterId
    is_part: bool = False

    @property
    def changes_tactics(self) -> bool:
        """Whether it can turn over: all but the bodies of Tremendous monsters (C14)."""
        return self.is_part or level_of(load_catalog().monsters[self.monster].size) < TREMENDOUS


Boxes = Mapping[Counter, Direction]


def list_counters(monsters: Sequence[MonsterId]) -> list[Counter]:
    """Return the counters of monsters that attack: by number, each head or club after its monster (C11)."""
    rows = load_catalog().monsters
    return [
        Counter(monster, is_part)
        for monster in sorted(monsters)
        for is_part in (False, True)
        if not is_part or rows[monster].part is not None
    ]


def list_boxes(counters: Sequence[Counter], laid: Boxes, counter: Counter) -> list[Direction]:
    """Return the boxes in which a player can lay the next counter, so that as many as possible will be filled (C11)."""
    left, wanted = len(counters) - len(laid) - 1, min(len(counters), len(EVERY_DIRECTION))
    partner = laid.get(counter._replace(is_part=not counter.is_part))
    free = [box for box in EVERY_DIRECTION if box != partner]
    return [box for box in free if len({*laid.values(), box}) + left >= wanted]


def lay_counters(counters: Sequence[Counter], laid: Boxes) -> dict[Counter, Direction]:
    """Return the boxes of all counters: where a player laid them, others where the fewest lie (C11)."""
    boxes = dict(laid)
    for counter in counters:
        if counter not in boxes:
            partner = boxes.get(counter._replace(is_part=not counter.is_part))
            filled = [*boxes.values()]
            boxes[counter] = min((box for box in EVERY_DIRECTION if box != partner), key=filled.count)
    return boxes


def reposition(boxes: Boxes, die: int) -> dict[Counter, Direction]:
    """Return where the counters of a sheet lie after a roll (C13)."""
    moves = load_catalog().tables.reposition[die - 1]
    return {counter: moves[box] for counter, box in boxes.items()}


def list_tactics_boxes(boxes: Boxes) -> list[Direction]:
    """Return the boxes for which dice are rolled: those with something that can turn over (C14)."""
    return sorted({box for counter, box in boxes.items() if counter.changes_tactics})


def list_turned(boxes: Boxes, box: Direction, dice: tuple[int, int]) -> list[Counter]:
    """Return the counters of a box that a roll turns over (C14)."""
    if max(dice) < load_catalog().tables.tactics_turn_on:
        return []
    return [counter for counter, where in boxes.items() if where == box and counter.changes_tactics]
