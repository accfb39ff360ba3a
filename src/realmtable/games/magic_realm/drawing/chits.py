"""Draw the twelve action chits of a character in three columns: active, fatigued and wounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.catalog.people import CHIT_KINDS, ActionChit, read_chit
from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.drawing.data import ActionChitData
from realmtable.games.magic_realm.drawing.emblems import star_path
from realmtable.games.magic_realm.drawing.geometry import Box, translate
from realmtable.games.magic_realm.drawing.labels import label_action_chit
from realmtable.games.magic_realm.drawing.map import make_document
from realmtable.games.magic_realm.drawing.style import text_element
from realmtable.kit.svg import Element, element

STATES: Final = ("active", "fatigued", "wounded")
CHIT_WIDTH: Final = 56
CHIT_HEIGHT: Final = 46
_STYLES: Final = {"active": "mr-chit", "fatigued": "mr-chit mr-tired", "wounded": "mr-chit mr-hurt"}
_PER_ROW: Final = 2
_GAP: Final = 5
_COLUMN: Final = _PER_ROW * (CHIT_WIDTH + _GAP) + 11
_TOP: Final = 30  # the height of the headings
_CUTS: Final = "M43 32l8 8M47 29l7 7"  # claw marks, so that a wound shows without its colour
_STAR: Final = star_path(5, 5.5, 2.4)


def draw_action_chits(chits: Sequence[ActionChitData], theme: str = "auto", title: str = "Action chits") -> Element:
    """Return the chits as a complete SVG document; each has the handle "chit:" and its position in `chits`."""
    columns = {state: _sort(chits, state) for state in STATES}
    rows = max(1, *(-(-len(column) // _PER_ROW) for column in columns.values()))
    high = _TOP + rows * (CHIT_HEIGHT + _GAP) + 6
    parts = [element("title", title)]
    for number, (state, column) in enumerate(columns.items()):
        left = number * _COLUMN
        heading = text_element(f"{len(column)} {state}", _COLUMN / 2, 21, 14, "mr-bold")
        plate = element("rect", class_="mr-plate", x=2, y=2, width=_COLUMN - 4, height=high - 4, rx=8)
        drawn = [_draw_chit(index, chits[index], _spot(place)) for place, index in enumerate(column)]
        parts.append(element("g", plate, heading, *drawn, transform=translate((left, 0))))
    box = Box(0, 0, _COLUMN * len(STATES), high)
    return make_document(box, theme, parts, {"role": "group", "aria_label": title})


def _sort(chits: Sequence[ActionChitData], state: str) -> list[int]:
    """Return the positions of the chits in a state, by kind and then the fastest first."""
    found = [(read_chit(chit["label"]), index) for index, chit in enumerate(chits) if chit["state"] == state]
    return [
        index for chit, index in sorted(found, key=lambda pair: (CHIT_KINDS.index(pair[0].kind), pair[0].time, pair[1]))
    ]


def _spot(place: int) -> Point:
    row, column = divmod(place, _PER_ROW)
    return 8 + column * (CHIT_WIDTH + _GAP), _TOP + row * (CHIT_HEIGHT + _GAP)


def _draw_chit(index: int, data: ActionChitData, at: Point) -> Element:
    chit = read_chit(data["label"])
    cuts = [element("path", class_="mr-cut", d=_CUTS)] if data["state"] == "wounded" else []
    return element(
        "g",
        element("rect", class_=_STYLES[data["state"]], width=CHIT_WIDTH, height=CHIT_HEIGHT, rx=6),
        text_element(chit.kind, CHIT_WIDTH / 2, 12.5, 11, "mr-ink"),
        *_draw_strength(chit),
        *cuts,
        element("rect", class_="mr-area", width=CHIT_WIDTH, height=CHIT_HEIGHT, rx=6),
        class_=f"mr-kind mr-{chit.kind.lower()}",
        transform=translate(at),
        role="button",
        tabindex=-1,
        data_handle=f"chit:{index}",
        aria_label=label_action_chit(data),
    )


def _draw_strength(chit: ActionChit) -> list[Element]:
    """Draw strength or type and time in large letters, and the stars below."""
    stars = [
        element(
            "path",
            class_="mr-star",
            d=_STAR,
            transform=translate((CHIT_WIDTH / 2 + 13 * (star - (chit.stars - 1) / 2), 38.5)),
        )
        for star in range(chit.stars)
    ]
    down = 29 if stars else 34
    return [
        text_element(f"{chit.strength or chit.magic}{chit.time}", CHIT_WIDTH / 2, down, 18, "mr-bold mr-ink"),
        *stars,
    ]
