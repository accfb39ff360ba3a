"""Draw the counters on the map: heroes, denizens, dwellings, piles and map chits.

Nothing is shown by colour alone: heroes have emblems, hidden ones a leaf and a broken rim; monsters have emblems and
natives the letter of their group; a token with its dark side up has a folded corner; sites, sounds and warnings differ
in shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import RED
from realmtable.games.magic_realm.catalog.setup_card import RED_CHIT, SITE, SOUND, MapChit
from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.picture.emblems import CHARACTER_EMBLEMS, DWELLINGS, draw_emblem, monster_emblem
from realmtable.games.magic_realm.picture.geometry import format_coordinate, translate
from realmtable.games.magic_realm.picture.style import SEAT_COLOURS, text_element
from realmtable.games.magic_realm.view_parts.map_schema import DenizenData
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import SANS_BOLD, text_width

SHIELD: Final = "M-9.5-10.5Q0-13 9.5-10.5V-1C9.5 6 4 10 0 12-4 10-9.5 6-9.5-1z"
_LEAF: Final = "M3 11C3 4 8 2 14 3 14 9 10 13 5 12L3 14z"
_SACK: Final = "M-2.5-8L-4-12H4L2.5-8C7-6 8-1 7 2H-7C-8-1-7-6-2.5-8zM-3-8H3"
_EYE: Final = "M-5 0Q0-5 5 0 0 5-5 0zM-1.3 0a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0z"
_HALVES: Final = {"T": 10.5, "H": 9.5}  # half the side of a square token; others are smaller
_SMALL_HALF: Final = 8.5
_SLIP_HEIGHT: Final = 13
_SLIP_SIZE: Final = 9
_GAP: Final = 2


class DrawnDenizens(NamedTuple):
    """Equal denizens in a clearing."""

    name: str  # the kind of a monster, or a native group
    is_native: bool
    size: str  # weight of a monster, empty for natives
    side: str
    is_deadly: bool  # whether the red side is up
    employer: int | None
    has_leader: bool
    number: int


class DrawnCharacter(NamedTuple):
    """A hero in a clearing."""

    character: str
    is_hidden: bool


class DrawnChit(NamedTuple):
    """A map chit as the viewer knows it."""

    back: str  # the letter on its back
    name: str  # empty if the viewer does not know the chit
    is_face_up: bool

    @property
    def is_peeked(self) -> bool:
        """Whether the viewer knows it, although it is face down."""
        return bool(self.name) and not self.is_face_up


class Ghost(NamedTuple):
    """Where the viewer's hero will be if everything planned succeeds."""

    character: str
    seat: int


class Contents(NamedTuple):
    """What is in a clearing."""

    dwelling: str  # or empty
    heroes: tuple[DrawnCharacter, ...]
    groups: tuple[DrawnDenizens, ...]
    pile: int  # how many things lie there
    slips: tuple[DrawnChit, ...]  # sounds and sites
    ghost: Ghost | None = None  # whoever plans to be here
    coming: tuple[DrawnDenizens, ...] = ()  # monsters that the viewer meets if their turn ends here


def group_denizens(denizens: Sequence[DenizenData]) -> tuple[DrawnDenizens, ...]:
    """Return the denizens of a clearing in groups of equal ones, in the order of the first of each."""
    groups: dict[tuple[str, str, int | None], DrawnDenizens] = {}
    for denizen in denizens:
        one = _describe(denizen["name"], denizen["side"], denizen.get("employer"))
        key = one.name, one.side, one.employer
        old = groups.get(key)
        if old is not None:
            one = one._replace(number=old.number + 1, has_leader=old.has_leader or one.has_leader)
        groups[key] = one
    return tuple(groups.values())


@lru_cache(maxsize=512)
def _describe(name: str, side: str, employer: int | None) -> DrawnDenizens:
    catalog = load_catalog()
    kind, number = catalog.names.find(name, "monster", "native")
    if kind == "native":
        native = catalog.natives[number]
        return DrawnDenizens(
            catalog.groups[native.group].name, True, "", side, False, employer, native.is_leader, 1
        )  # fmt: skip
    monster = catalog.monsters[number]
    is_deadly = (monster.dark if side == "dark" else monster.light).harm == RED
    return DrawnDenizens(monster.kind, False, monster.size, side, is_deadly, employer, False, 1)


# ---- heroes


def seat_style(seat: int) -> str:
    """Return the style with the colour of a seat."""
    return f"mr-seat{seat % len(SEAT_COLOURS)}"


def draw_shield(character: str, is_hidden: bool) -> list[Element]:
    """Draw a hero's shield around 0,0 in the colour of the seat that a surrounding element has."""
    return [
        element("path", class_="mr-outline", d=SHIELD),
        element("path", class_="mr-shield", d=SHIELD),
        draw_emblem(CHARACTER_EMBLEMS[character], 0, -1, 6.4, "mr-emblem"),
        *([element("path", class_="mr-cover", d=_LEAF)] if is_hidden else []),
    ]


def draw_ghost(ghost: Ghost) -> list[Element]:
    """Draw the shield of a hero who is not here yet."""
    emblem = draw_emblem(CHARACTER_EMBLEMS[ghost.character], 0, -1, 6.4, "mr-emblem")
    shield = element("path", class_="mr-shield mr-taken", d=SHIELD)
    return [element("g", shield, emblem, class_=seat_style(ghost.seat))]


# ---- what lies in a clearing


def draw_dwelling(name: str) -> list[Element]:
    """Draw a dwelling that stands on 0,0."""
    return [element("path", class_=kind, d=data) for kind, data in DWELLINGS[name]]


def draw_pile(count: int) -> list[Element]:
    """Draw abandoned things that lie a little below 0,0."""
    sack = element("path", class_="mr-sack", d=_SACK)
    return [sack, text_element(str(count), 0, 0, 9, "mr-bold mr-ink")] if count > 1 else [sack]


def draw_rest(count: int) -> list[Element]:
    """Draw how many more denizens there are."""
    badge = element("circle", class_="mr-badge", r=_SMALL_HALF)
    return [badge, text_element(f"+{count}", 0, 3.5, 10, "mr-bold mr-on")]


def half_of(group: DrawnDenizens) -> float:
    """Return half the side of the token of equal denizens."""
    return _HALVES.get(group.size, _SMALL_HALF)


def draw_token(group: DrawnDenizens, flags: Mapping[int, str]) -> list[Element]:
    """Draw the token of equal denizens around 0,0."""
    half = half_of(group)
    is_turned = group.side == "dark"
    kind = "mr-token" + " mr-deadly" * group.is_deadly + " mr-turned" * (is_turned and not group.is_deadly)
    parts = [_draw_plate(group, half, kind)]
    if is_turned:
        edge = half - 1.5
        parts.append(element("path", class_="mr-fold", d=f"M{edge - 5:g}-{edge:g}H{edge:g}V{5 - edge:g}z"))
    face = "mr-on" if is_turned else "mr-ink"
    if group.is_native:
        down, size = (6.2, 11) if group.has_leader else (4.6, 13)
        parts.append(text_element(group.name[0], 0, down, size, f"mr-bold mr-letter {face}"))
        if group.has_leader:
            parts.append(element("path", class_=f"mr-beast {face}", d="M-4-3L-5-7-2-5 0-8 2-5 5-7 4-3z"))
    else:
        parts.append(draw_emblem(monster_emblem(group.name), 0, 0, half - 2.5, f"mr-beast {face}"))
    if group.employer is not None:
        parts += _draw_flag(group.employer, flags.get(group.employer, ""))
    if group.number > 1:
        # On the left, where the next token does not cover it.
        parts.append(element("circle", class_="mr-badge", cx=1 - half, cy=half - 1, r=5.6))
        parts.append(text_element(str(group.number), 1 - half, half + 2.2, 9, "mr-bold mr-on"))
    return parts


def _draw_plate(group: DrawnDenizens, half: float, kind: str) -> Element:
    """Draw the body of a token: a square for natives and large monsters, else a disc."""
    if group.size in _HALVES or group.is_native:
        return element("rect", class_=kind, x=-half, y=-half, width=2 * half, height=2 * half, rx=2.5)
    return element("circle", class_=kind, r=half)


def _draw_flag(seat: int, character: str) -> list[Element]:
    """Draw a small flag with the first letters of the employer."""
    flag = element("path", class_="mr-flag", d="M-11-13H1L-1-9.5 1-6H-11z")
    return [element("g", flag, text_element(character[:2], -5.5, -7, 7, "mr-bold mr-on"), class_=seat_style(seat))]


# ---- map chits


@cache
def chit_of(slip: DrawnChit) -> MapChit | None:
    """Return the chit, if the viewer knows it."""
    catalog = load_catalog()
    return catalog.map_chits[catalog.names.find(slip.name, "map chit").id] if slip.name else None


class TraySize(NamedTuple):
    """How wide the chits of a tile are, and in how many rows they lie."""

    wide: float
    rows: int


@lru_cache(maxsize=256)
def measure_tray(chits: tuple[DrawnChit, ...]) -> TraySize:
    """Return the size of what `draw_tray` draws."""
    pairs = [chits[row : row + 2] for row in range(0, len(chits), 2)]
    return TraySize(max((sum(map(slip_width, pair)) + _GAP for pair in pairs), default=0), len(pairs))


def draw_tray(chits: Sequence[DrawnChit], at: Point, rises: bool) -> list[Element]:
    """Draw the chits of a tile in rows of two; the middle of the first row is at a point."""
    parts = []
    step = -(_SLIP_HEIGHT + _GAP) if rises else _SLIP_HEIGHT + _GAP
    for row in range(0, len(chits), 2):
        pair = chits[row : row + 2]
        left = -(sum(map(slip_width, pair)) + _GAP * (len(pair) - 1)) / 2
        for chit in pair:
            spot = translate((round(at[0] + left + slip_width(chit) / 2), round(at[1]) + row // 2 * step))
            parts.append(element("g", *draw_slip(chit), transform=spot))
            left += slip_width(chit) + _GAP
    return parts


def _slip_text(slip: DrawnChit) -> str:
    chit = chit_of(slip)
    if chit is None:
        return slip.back
    return chit.name if chit.kind == RED_CHIT else f"{chit.word} {chit.clearing or chit.letter}"


def slip_width(slip: DrawnChit) -> float:
    """Return how wide a chit is."""
    return max(16, 2 * round(text_width(_slip_text(slip), _SLIP_SIZE, SANS_BOLD) / 2) + 8) + 14 * slip.is_peeked


def draw_slip(slip: DrawnChit) -> list[Element]:
    """Draw a chit around 0,0: its back, or its name with an eye if only some have looked at it."""
    chit, wide = chit_of(slip), slip_width(slip)
    kind = "mr-back" if chit is None else "mr-slip" + " mr-peek" * slip.is_peeked + " mr-red" * (chit.kind == RED_CHIT)
    is_light = chit is None or chit.kind == RED_CHIT
    parts = [element("path", class_=kind, d=_slip_path(chit, wide))]
    shift = 7.0 if slip.is_peeked else 0.0
    if slip.is_peeked:
        parts.append(
            element("path", class_="mr-eye", d=_EYE, transform=f"translate({format_coordinate(9 - wide / 2)} 0)")
        )
    parts.append(text_element(_slip_text(slip), shift, 3.2, _SLIP_SIZE, "mr-bold" + " mr-on" * is_light))
    return parts


def _slip_path(chit: MapChit | None, wide: float) -> str:
    """Return the outline: sites are banners, sounds have round ends, and all others are rectangles."""
    half, high = wide / 2, _SLIP_HEIGHT / 2
    if chit is not None and chit.kind == SITE:
        return f"M{-half - 3:g}-{high:g}H{half + 3:g}L{half:g} 0 {half + 3:g} {high:g}H{-half - 3:g}L{-half:g} 0z"
    if chit is not None and chit.kind == SOUND:
        return (
            f"M{-half:g}-{high:g}H{half:g}a4 {high:g} 0 0 1 0 {2 * high:g}H{-half:g}a4 {high:g} 0 0 1 0-{2 * high:g}z"
        )
    return f"M{-half:g}-{high:g}H{half:g}V{high:g}H{-half:g}z"
