"""Draw the three boxes of the viewer's sheet: attackers, the viewer's own plays, and the armour in each direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.combat_rules.harm import name_level
from realmtable.games.magic_realm.combat_rules.melee import ArmorPiece
from realmtable.games.magic_realm.picture.action_chits import CHIT_HEIGHT, CHIT_WIDTH, draw_chit
from realmtable.games.magic_realm.picture.combat_handles import box_handle
from realmtable.games.magic_realm.picture.emblems import draw_emblem
from realmtable.games.magic_realm.picture.geometry import translate
from realmtable.games.magic_realm.picture.melee.counters import (
    BOOT,
    COUNTER_GAP,
    COUNTER_HEIGHT,
    COUNTER_WIDTH,
    SWORD,
    draw_counter,
)
from realmtable.games.magic_realm.picture.melee.layout import EDGE, LINE, WIDTH, Section
from realmtable.games.magic_realm.picture.melee.pieces import draw_piece, is_chit
from realmtable.games.magic_realm.picture.melee.queries import format_goods, format_name, list_cover, read_plays
from realmtable.games.magic_realm.picture.style import text_element
from realmtable.games.magic_realm.view_parts.combat_schema import CounterData, WarriorData
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import wrap_text

_GAP: Final = 5
COLUMN: Final = (WIDTH - 2 * EDGE - 2 * _GAP) / 3
_HEAD: Final = 42  # the height of the two names of a box
_PLAY: Final = CHIT_HEIGHT + 6  # the height of played pieces


class _Box(NamedTuple):
    """One column."""

    direction: str
    maneuver: str
    counters: list[CounterData]
    attack: str  # the piece of the character's own attack here, or empty
    move: str  # and of its manoeuvre
    cover: list[str]  # the armour, line by line


def draw_columns(warrior: WarriorData, counters: Sequence[CounterData], is_own: bool, has_room: bool) -> Section:
    """Draw the boxes of a sheet; with `has_room` they show where plays go, and only a viewer's own can be clicked."""
    boxes = [_read_box(warrior, counters, number) for number in range(len(DIRECTIONS))]
    most = max(len(box.counters) for box in boxes)
    plays = _PLAY if has_room or any(box.attack or box.move for box in boxes) else 0
    top = _HEAD + most * (COUNTER_HEIGHT + COUNTER_GAP)
    height = top + plays + LINE * max(len(box.cover) for box in boxes) + 8
    columns = [_draw_box(box, top, plays, height, is_own) for box in boxes]
    return Section(
        [
            element("g", column, transform=translate((EDGE + number * (COLUMN + _GAP), 0)))
            for number, column in enumerate(columns)
        ],
        height + 6,
    )


def _read_box(warrior: WarriorData, counters: Sequence[CounterData], number: int) -> _Box:
    direction, maneuver = DIRECTIONS[number], MANEUVERS[number]
    lying = [counter for counter in counters if counter["box"] == direction]
    cover = [line for piece in list_cover(warrior, direction) for line in _describe_armor(piece)]
    plays = read_plays(warrior)
    attack = plays.fight if plays.attack == direction else ""
    move = plays.move if plays.maneuver == maneuver else ""
    return _Box(direction, maneuver, lying, attack, move, cover or ["no armour"])


def _describe_armor(piece: ArmorPiece) -> tuple[str, ...]:
    words = f"{format_goods(piece.name)} {name_level(piece.toughness)}" + ", damaged" * piece.damaged
    return wrap_text(words, 12, COLUMN - 4)


def _draw_box(box: _Box, top: float, plays: float, height: float, is_own: bool) -> Element:
    parts = [
        element("rect", class_="mr-column", width=COLUMN, height=height, rx=8),
        draw_emblem(SWORD, 14, 13, 7, "mr-sign"),
        text_element(box.direction.capitalize(), 26, 18, 14, "mr-left mr-bold"),
        draw_emblem(BOOT, 14, 31, 6, "mr-sign"),
        text_element(box.maneuver.capitalize(), 26, 36, 14, "mr-left mr-bold"),
    ]
    left = (COLUMN - COUNTER_WIDTH) / 2
    for row, counter in enumerate(box.counters):
        parts.append(draw_counter(counter, (left, _HEAD + row * (COUNTER_HEIGHT + COUNTER_GAP))))
    if plays:
        parts += [_draw_play(box.attack, SWORD, 1, top), _draw_play(box.move, BOOT, COLUMN - CHIT_WIDTH - 1, top)]
    parts += [
        text_element(line, COLUMN / 2, top + plays + 13 + LINE * row, 12, "mr-soft")
        for row, line in enumerate(box.cover)
    ]
    parts.append(element("rect", class_="mr-area", x=1, y=1, width=COLUMN - 2, height=height - 2, rx=8))
    return element(
        "g",
        *parts,
        role="button" if is_own else "group",
        tabindex=-1 if is_own else None,
        data_handle=box_handle(box.direction) if is_own else None,
        data_noun="box" if is_own else None,
        aria_label=_label_box(box),
    )


def _draw_play(name: str, sign: str, left: float, top: float) -> Element:
    """Draw a played piece, or the place of one with a sign of what goes there."""
    if not name:
        place = element("rect", class_="mr-place", x=left, y=top, width=CHIT_WIDTH, height=CHIT_HEIGHT, rx=6)
        return element("g", place, draw_emblem(sign, left + CHIT_WIDTH / 2, top + CHIT_HEIGHT / 2, 9, "mr-faint"))
    if is_chit(name):
        return draw_chit("", {"label": name, "state": "active"}, (left, top))
    return draw_piece(name, (left, top), width=CHIT_WIDTH)


def _label_box(box: _Box) -> str:
    parts = [f"{box.direction.capitalize()} and {box.maneuver}"]
    parts += [format_name(counter["name"]) for counter in box.counters]
    parts += [f"{word}: {name}" for word, name in (("attack", box.attack), ("manoeuvre", box.move)) if name]
    return ". ".join([*parts, f"Armour: {' '.join(box.cover)}"])
