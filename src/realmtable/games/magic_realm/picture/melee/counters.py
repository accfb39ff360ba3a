"""Draw the counters of monsters, heads and clubs on melee sheets, with the numbers of the side that shows.

Sides differ without colour: dark ones have a folded corner and the word, and heads and clubs a broken rim.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Face, Monster
from realmtable.games.magic_realm.catalog.ids import RED
from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.picture.action_chits import STAR
from realmtable.games.magic_realm.picture.characters import WEIGHTS
from realmtable.games.magic_realm.picture.combat_handles import COUNTER
from realmtable.games.magic_realm.picture.emblems import TREASURE_EMBLEMS, draw_emblem, monster_emblem
from realmtable.games.magic_realm.picture.geometry import translate
from realmtable.games.magic_realm.picture.melee.queries import format_name
from realmtable.games.magic_realm.picture.style import text_element
from realmtable.games.magic_realm.view_parts.combat_schema import CounterData
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import SANS_BOLD, truncate_text

COUNTER_WIDTH: Final = 110
COUNTER_HEIGHT: Final = 54
COUNTER_GAP: Final = 5
COUNTERS_PER_ROW: Final = 3
SWORD: Final = "M-1.6-10L0-10 1.6-10V3H5V5H1.6V10H-1.6V5H-5V3H-1.6z"
BOOT: Final = TREASURE_EMBLEMS["boots"]
_LINES: Final = (32.5, 49)  # the lower edges of the two rows of numbers
_NUMBERS: Final = 43  # where the numbers begin


def draw_counters(counters: Sequence[CounterData], top: float, left: float = 6) -> list[Element]:
    """Draw counters in rows below a line; each can be clicked."""
    drawn = []
    for number, counter in enumerate(counters):
        row, column = divmod(number, COUNTERS_PER_ROW)
        spot = left + column * (COUNTER_WIDTH + COUNTER_GAP), top + row * (COUNTER_HEIGHT + COUNTER_GAP)
        drawn.append(draw_counter(counter, spot, f"{COUNTER}{counter['name']}"))
    return drawn


def measure_counters(count: int) -> float:
    """Return the height of counters in rows."""
    return -(-count // COUNTERS_PER_ROW) * (COUNTER_HEIGHT + COUNTER_GAP)


def draw_counter(counter: CounterData, at: Point, handle: str = "") -> Element:
    """Draw a counter with its corner at a point; without a handle it cannot be clicked."""
    return element(
        "g",
        *_draw_face(counter["name"], counter["monster"], counter["side"]),
        transform=translate(at),
        role="button" if handle else "img",
        tabindex=-1 if handle else None,
        data_handle=handle or None,
        aria_label=label_counter(counter),
    )


def label_counter(counter: CounterData) -> str:
    """Return a counter in words: "Giant 1 club, dark side up, attack time 4, harm tremendous"."""
    monster = _find_monster(counter["monster"])
    face = _find_face(monster, counter["side"], counter["name"] != counter["monster"])
    parts = [format_name(counter["name"])]
    parts += [f"{counter['side']} side up"] if counter["side"] != "light" else []
    parts.append(f"attack time {face.attack}, {_describe_harm(face)}" if face.attack else "no attack")
    parts += [f"move time {face.move}"] if face.move else []
    parts += [f"in the box {counter['box']}"] if counter["box"] else []
    return ", ".join(parts)


def _describe_harm(face: Face) -> str:
    if face.spell:
        return "magic instead of harm"
    if face.harm == RED:
        return "kills"
    stars = f" and {face.stars} star{'s' * (face.stars > 1)}" if face.stars else ""
    return f"harm {WEIGHTS[face.harm]}{stars}"


def _find_monster(name: str) -> Monster:
    catalog = load_catalog()
    return catalog.monsters[catalog.names.by_name("monster")[name]]


def _find_face(monster: Monster, side: str, is_part: bool) -> Face:
    whole = monster.part if is_part and monster.part is not None else monster
    return whole.light if side == "light" else whole.dark


@lru_cache(maxsize=512)
def _draw_face(name: str, monster_name: str, side: str) -> list[Element]:
    monster, is_part, is_dark = _find_monster(monster_name), name != monster_name, side != "light"
    face = _find_face(monster, side, is_part)
    kind = "mr-token" + " mr-part" * is_part + {"red": " mr-deadly", "dark": " mr-turned"}.get(side, "")
    ink = "mr-on" if is_dark else "mr-ink"
    (title,) = truncate_text(format_name(monster_name), 12, COUNTER_WIDTH - 10 - 8 * is_dark, 1, SANS_BOLD)
    parts = [element("rect", class_=kind, width=COUNTER_WIDTH, height=COUNTER_HEIGHT, rx=6)]
    if is_dark:
        parts.append(element("path", class_="mr-fold", d=f"M{COUNTER_WIDTH - 13} 2.5H{COUNTER_WIDTH - 2.5}V13z"))
    parts += [
        text_element(title, 6, 14.5, 12, f"mr-left mr-bold {ink}"),
        draw_emblem(monster_emblem(monster.kind), 20, 36, 12 if is_part else 15, f"mr-beast {ink}"),
        *_draw_attack(face, ink),
        *_draw_move(face, ink),
    ]
    if is_part:
        parts.append(text_element(name.rpartition(" ")[2], _NUMBERS, _LINES[1], 12, f"mr-left {ink}"))
    if is_dark:
        parts.append(text_element(side, COUNTER_WIDTH - 5, _LINES[1], 12, f"mr-right {ink}"))
    parts.append(element("rect", class_="mr-area", width=COUNTER_WIDTH, height=COUNTER_HEIGHT, rx=6))
    return parts


def _draw_attack(face: Face, ink: str) -> list[Element]:
    """Draw the time of the attack and its harm."""
    if not face.attack:
        return [text_element("no attack", _NUMBERS, _LINES[0], 12, f"mr-left {ink}")]
    harm = "kills" if face.harm == RED else "magic" if face.spell else face.harm
    spots = [translate((_NUMBERS + 46 + 12 * star, _LINES[0] - 5)) for star in range(face.stars)]
    return [
        draw_emblem(SWORD, _NUMBERS + 4, _LINES[0] - 5, 6.5, f"mr-beast {ink}"),
        text_element(str(face.attack), _NUMBERS + 14, _LINES[0], 15, f"mr-left mr-bold {ink}"),
        _draw_harm(harm, ink),
        *(element("path", class_="mr-star", d=STAR, transform=spot) for spot in spots),
    ]


def _draw_harm(harm: str, ink: str) -> Element:
    """Draw a letter, or a word for what is no harm."""
    is_letter = len(harm) == 1
    kind = f"mr-left mr-bold {ink}" if is_letter else f"mr-left {ink}"
    return text_element(harm, _NUMBERS + 28, _LINES[0], 15 if is_letter else 12, kind)


def _draw_move(face: Face, ink: str) -> list[Element]:
    if not face.move:
        return []
    return [
        draw_emblem(BOOT, _NUMBERS + 4, _LINES[1] - 5, 5.5, f"mr-beast {ink}"),
        text_element(str(face.move), _NUMBERS + 14, _LINES[1], 15, f"mr-left mr-bold {ink}"),
    ]
