"""Draw the twelve action chits of a character: active ones, and below them fatigued and wounded ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from realmtable.games.magic_realm.catalog.characters_and_denizens import CHIT_KINDS, ActionChit, read_chit
from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.picture.chit_handles import list_chit_handles
from realmtable.games.magic_realm.picture.emblems import star_path
from realmtable.games.magic_realm.picture.geometry import translate
from realmtable.games.magic_realm.picture.labels import label_action_chit
from realmtable.games.magic_realm.picture.style import MAP_STYLE, text_element
from realmtable.games.magic_realm.view_parts.map_schema import ActionChitData
from realmtable.kit.map_picture import Box
from realmtable.kit.svg import Element, element

STATES: Final = ("active", "fatigued", "wounded")
CHIT_WIDTH: Final = 56
CHIT_HEIGHT: Final = 46
_STYLES: Final = {"active": "mr-chit", "fatigued": "mr-chit mr-tired", "wounded": "mr-chit mr-hurt"}
_PER_ROW: Final = 6
_GAP: Final = 5
_WIDTH: Final = _PER_ROW * (CHIT_WIDTH + _GAP) + 11
_TOP: Final = 28  # the height of a heading
_CUTS: Final = "M43 32l8 8M47 29l7 7"  # claw marks, so that a wound shows without its colour
STAR: Final = star_path(5, 5.5, 2.4)


def draw_action_chits(
    chits: Sequence[ActionChitData], theme: str = "auto", title: str = "Action chits", *, has_handles: bool = True
) -> Element:
    """Return the chits as a complete SVG document, each with its handle of `list_chit_handles` if they have handles."""
    return _draw_document(tuple([(chit["label"], chit["state"]) for chit in chits]), theme, title, has_handles)


@lru_cache(maxsize=256)
def _draw_document(labels: tuple[tuple[str, str], ...], theme: str, title: str, has_handles: bool) -> Element:
    chits: list[ActionChitData] = [{"label": label, "state": state} for label, state in labels]
    names = list_chit_handles(chits) if has_handles else [""] * len(chits)
    parts: list[Element] = []
    top = 0
    for state in STATES:
        found = _sort(chits, state)
        if found or state == STATES[0]:
            high = _TOP + max(1, -(-len(found) // _PER_ROW)) * (CHIT_HEIGHT + _GAP) + 4
            heading = text_element(f"{len(found)} {state}", _WIDTH / 2, 20, 14, "mr-bold")
            plate = element("rect", class_="mr-plate", x=2, y=2, width=_WIDTH - 4, height=high - 3, rx=8)
            drawn = [draw_chit(names[index], chits[index], _spot(place)) for place, index in enumerate(found)]
            parts.append(element("g", plate, heading, *drawn, transform=translate((0, top))))
            top += high
    children = {"title": element("title", title), "chits": element("g", *parts)}
    return MAP_STYLE.make_document(Box(0, 0, _WIDTH, top), theme, children, {"role": "group", "aria_label": title})


def _sort(chits: Sequence[ActionChitData], state: str) -> list[int]:
    """Return the positions of the chits in a state, by kind and then the fastest first."""
    found = [(read_chit(chit["label"]), index) for index, chit in enumerate(chits) if chit["state"] == state]
    return [
        index for chit, index in sorted(found, key=lambda pair: (CHIT_KINDS.index(pair[0].kind), pair[0].time, pair[1]))
    ]


def _spot(place: int) -> Point:
    row, column = divmod(place, _PER_ROW)
    return 8 + column * (CHIT_WIDTH + _GAP), _TOP + row * (CHIT_HEIGHT + _GAP)


def draw_chit(handle: str, data: ActionChitData, at: Point) -> Element:
    """Draw a chit with its corner at a point; without a handle it cannot be clicked."""
    chit = read_chit(data["label"])
    cuts = [element("path", class_="mr-cut", d=_CUTS)] if data["state"] == "wounded" else []
    return element(
        "g",
        *draw_plain_chit(chit, _STYLES[data["state"]]),
        *cuts,
        element("rect", class_="mr-area", width=CHIT_WIDTH, height=CHIT_HEIGHT, rx=6),
        class_=f"mr-kind mr-{chit.kind.lower()}",
        transform=translate(at),
        role="button" if handle else "img",
        tabindex=-1 if handle else None,
        data_handle=handle or None,
        aria_label=label_action_chit(data),
    )


def draw_plain_chit(chit: ActionChit, kind: str = "mr-chit") -> list[Element]:
    """Draw a chit with its corner at 0,0; an element around it has the style of its kind."""
    return [
        element("rect", class_=kind, width=CHIT_WIDTH, height=CHIT_HEIGHT, rx=6),
        text_element(chit.kind, CHIT_WIDTH / 2, 13, 13, "mr-ink"),
        *_draw_strength(chit),
    ]


def _draw_strength(chit: ActionChit) -> list[Element]:
    """Draw strength or type and time in large letters, and the stars below."""
    stars = [
        element(
            "path",
            class_="mr-star",
            d=STAR,
            transform=translate((CHIT_WIDTH / 2 + 13 * (star - (chit.stars - 1) / 2), 38.5)),
        )
        for star in range(chit.stars)
    ]
    down = 29 if stars else 34
    return [
        text_element(f"{chit.strength or chit.magic}{chit.time}", CHIT_WIDTH / 2, down, 18, "mr-bold mr-ink"),
        *stars,
    ]
