"""Draw what the viewer can play: action chits, gloves, boots and horses, the weapon and the shield."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.catalog.characters_and_denizens import read_chit
from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.combat_rules.harm import name_level
from realmtable.games.magic_realm.combat_rules.plays import (
    BERSERK,
    DUCK,
    FIGHT,
    GALLOP,
    MOVE,
    STAR_LIMIT,
    Piece,
)
from realmtable.games.magic_realm.picture.action_chits import CHIT_HEIGHT, CHIT_WIDTH, draw_chit
from realmtable.games.magic_realm.picture.chit_handles import list_chit_handles
from realmtable.games.magic_realm.picture.combat_handles import PIECE, SHIELD, WEAPON
from realmtable.games.magic_realm.picture.counters import SHIELD as SHIELD_SHAPE
from realmtable.games.magic_realm.picture.emblems import draw_emblem
from realmtable.games.magic_realm.picture.geometry import translate
from realmtable.games.magic_realm.picture.melee.counters import SWORD
from realmtable.games.magic_realm.picture.melee.layout import (
    EDGE,
    HEADING,
    ROOM,
    Section,
    draw_heading,
    draw_lines,
    draw_stars,
)
from realmtable.games.magic_realm.picture.melee.queries import (
    count_stars_left,
    find_free_shield,
    find_goods,
    find_weapon,
    format_goods,
    format_name,
    list_goods_pieces,
    list_pieces,
    list_used,
)
from realmtable.games.magic_realm.picture.style import text_element
from realmtable.games.magic_realm.text.conditions import count_chits
from realmtable.games.magic_realm.view_parts.combat_schema import CombatData, WarriorData
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import truncate_text

HALF: Final = (ROOM - 4) / 2
PIECE_WIDTH: Final = 2 * CHIT_WIDTH + 2  # of gloves, boots and horses, which have long names
_GAP: Final = 2
_PER_ROW: Final = 3  # chits of a kind
_ALL_PER_ROW: Final = 6
_PLATE: Final = 62
_LOW_PLATE: Final = 44
_SHORT: Final = {FIGHT: "Gloves", MOVE: "Boots"}
_GROUPS: Final = {"Fight chits": (FIGHT,), "Move chits": (MOVE, DUCK)}


# ---- single pieces


def is_chit(name: str) -> bool:
    """Whether a piece is an action chit."""
    return name.split(" ", maxsplit=1)[0] in (FIGHT, MOVE, DUCK, BERSERK)


def draw_piece(name: str, at: Point, is_clickable: bool = False, width: float = PIECE_WIDTH) -> Element:
    """Draw gloves, boots or one side of a horse, "Pony-1 gallop", with the corner at a point."""
    piece = _find_piece(name)
    words = f"{name_level(piece.strength)}{piece.time}"
    title = _name_piece(piece) if width == PIECE_WIDTH else piece.gait.capitalize() or _SHORT[piece.kind]
    (title,) = truncate_text(title, 13, width - 6)
    return element(
        "g",
        element("rect", class_="mr-chit", width=width, height=CHIT_HEIGHT, rx=6),
        text_element(title, width / 2, 16, 13, "mr-ink"),
        text_element(words, width / 2, 37, 18, "mr-bold mr-ink"),
        element("rect", class_="mr-area", width=width, height=CHIT_HEIGHT, rx=6),
        class_=f"mr-kind mr-{piece.kind.lower()}",
        transform=translate(at),
        role="button" if is_clickable else "img",
        tabindex=-1 if is_clickable else None,
        data_handle=f"{PIECE}{name}" if is_clickable else None,
        aria_label=f"{_name_piece(piece)}, {words}",
    )


def _find_piece(name: str) -> Piece:
    """Return the piece that a belonging is."""
    goods = name.removesuffix(f" {GALLOP}")
    return next(piece for piece in list_goods_pieces(find_goods(goods)) if name_piece(piece) == name)


def name_piece(piece: Piece) -> str:
    """Return a piece as steps name it: a horse without "gallop" walks."""
    return f"{piece.name} {GALLOP}" if piece.gait == GALLOP else piece.name


def _name_piece(piece: Piece) -> str:
    """Return a piece as people name it: "Pony walk"."""
    return f"{format_goods(piece.name)} {piece.gait}".strip()


# ---- weapon, target and shield


def draw_gear(warrior: WarriorData, is_own: bool) -> Section:
    """Draw the weapon, and next to it the target and a shield that has not been put anywhere."""
    gear, weapon = find_weapon(warrior)
    is_alerted = gear is not None and gear["alerted"]
    state = "" if gear is None else "alerted, " if is_alerted else "unalerted, "
    side = weapon.alerted if is_alerted else weapon.unalerted
    # Without a time on the weapon, that of the Fight chit counts (C16).
    time = f"time {side.time}" if side.time else "chit's time"
    lines = [
        format_goods(weapon.name),
        f"{state}length {weapon.length}",
        f"harm {side.harm}{'*' * side.stars}, {time}",
    ]
    # A filled triangle for an alerted weapon, an empty one for an unalerted: it shows without colour.
    mark = [element("path", class_="mr-sign" if is_alerted else "mr-miss", d=_TRIANGLE)] if gear is not None else []
    sign = element("g", draw_emblem(SWORD, 14, 30, 13, "mr-sign"), *mark)
    parts = [_draw_plate(lines, EDGE, 0, sign, WEAPON if is_own else "")]
    target = format_name(warrior["target"]) or "no target yet"
    shield, right = find_free_shield(warrior), EDGE + HALF + 4
    if shield is None:
        aim = element("path", class_="mr-miss", d=_AIM, transform="translate(16 30)")
        parts.append(_draw_plate(["Target", target], right, 0, aim))
        return Section(parts, _PLATE + 6)
    strength = f"strength {name_level(shield.toughness)}"
    lines = [format_goods(shield.name), f"{strength}, damaged" if shield.damaged else strength]
    sign = element("path", class_="mr-sign", d=SHIELD_SHAPE, transform="translate(16 22)")
    parts.append(
        text_element(f"Target: {target}" if warrior["target"] else "No target yet", right + 2, 12, 13, "mr-left")
    )
    parts.append(_draw_plate(lines, right, _PLATE - _LOW_PLATE, sign, SHIELD if is_own else "", _LOW_PLATE))
    return Section(parts, _PLATE + 6)


_TRIANGLE: Final = "M25 42L29 49H21z"
_AIM: Final = "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0zM-12 0H-5M12 0H5M0-12V-5M0 12V5"


def _draw_plate(
    lines: Sequence[str], left: float, top: float, sign: Element, handle: str = "", height: float = _PLATE
) -> Element:
    shown = [truncate_text(line, 13, HALF - 36)[0] for line in lines]
    return element(
        "g",
        element("rect", class_="mr-plate", width=HALF, height=height, rx=8),
        sign,
        text_element(shown[0], 33, 19, 13, "mr-left mr-bold"),
        *draw_lines(shown[1:], 23, 33),
        element("rect", class_="mr-area", width=HALF, height=height, rx=8),
        transform=translate((left, top)),
        role="button" if handle else "img",
        tabindex=-1 if handle else None,
        data_handle=handle or None,
        aria_label=", ".join(lines),
    )


# ---- chits and other pieces


def draw_hand(combat: CombatData, warrior: WarriorData, is_own: bool) -> Section:
    """Draw what a character can play: Fight pieces on the left, Move pieces on the right."""
    used = list_used(combat, warrior)
    left = count_stars_left(used)
    words = "Stars you can play" if is_own else "Stars left"
    parts = [draw_heading(words), *draw_stars(EDGE + 156, 10, left, STAR_LIMIT)]
    unable = count_chits(warrior["chits"])
    parts += [text_element(unable, EDGE + ROOM, 14, 13, "mr-right mr-soft")] if unable else []
    heights = []
    for number, (title, kinds) in enumerate(_GROUPS.items()):
        drawn, height = _draw_group(combat, warrior, kinds, used, is_own)
        heading = draw_heading(title, HEADING + 14, 0)
        spot = translate((EDGE + number * (HALF + 4), 0))
        parts.append(element("g", heading, *drawn, transform=spot, role="group", aria_label=title))
        heights.append(height)
    return Section(parts, max(heights) + 6)


def _draw_group(
    combat: CombatData, warrior: WarriorData, kinds: Sequence[str], used: Sequence[str], is_own: bool
) -> tuple[list[Element], float]:
    names, chits = list_chit_handles(warrior["chits"]), warrior["chits"]
    active = [index for index, chit in enumerate(chits) if chit["state"] == "active"]
    found = [index for index in active if _kind_of(chits[index]["label"]) in kinds]
    found.sort(key=lambda index: (read_chit(chits[index]["label"]).time, index))
    # Of equal chits the last ones count as played, because steps name the first.
    spent, gone = Counter(used), set()
    for index in reversed(found):
        if spent[chits[index]["label"]]:
            spent[chits[index]["label"]] -= 1
            gone.add(index)
    top, drawn = float(2 * HEADING), []
    for place, index in enumerate(found):
        row, column = divmod(place, _PER_ROW)
        spot = column * (CHIT_WIDTH + _GAP), top + row * (CHIT_HEIGHT + 4)
        chit = draw_chit(names[index] if is_own else "", chits[index], spot)
        drawn.append(element("g", chit, class_="mr-used") if index in gone else chit)
    top += -(-len(found) // _PER_ROW) * (CHIT_HEIGHT + 4)
    for piece in list_pieces(warrior, combat["cave"]):
        if piece.kind in kinds:
            drawn.append(draw_piece(name_piece(piece), (0, top), is_own))
            top += CHIT_HEIGHT + 4
    return drawn, top


def _kind_of(label: str) -> str:
    return label.split(" ", maxsplit=1)[0]


def draw_all_chits(warrior: WarriorData, is_own: bool) -> Section:
    """Draw all chits, for the end of a round; wounded ones cannot be chosen."""
    names, chits = list_chit_handles(warrior["chits"]), warrior["chits"]
    parts, top = [], 0.0
    for state in ("active", "fatigued", "wounded"):
        found = [index for index, chit in enumerate(chits) if chit["state"] == state]
        found.sort(key=lambda index: (_kind_of(chits[index]["label"]), read_chit(chits[index]["label"]).time, index))
        if found:
            parts.append(draw_heading(f"Your {state} chits" if is_own else f"{state.capitalize()} chits", top + 14))
            for place, index in enumerate(found):
                row, column = divmod(place, _ALL_PER_ROW)
                spot = EDGE + column * (CHIT_WIDTH + _GAP), top + HEADING + row * (CHIT_HEIGHT + 4)
                handle = names[index] if is_own and state != "wounded" else ""
                parts.append(draw_chit(handle, chits[index], spot))
            top += HEADING + -(-len(found) // _ALL_PER_ROW) * (CHIT_HEIGHT + 4) + 4
    return Section(parts, top + 4)
