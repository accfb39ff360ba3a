"""Draw the characters that players can choose from, and the card of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character
from realmtable.games.magic_realm.picture.counters import draw_shield, seat_style
from realmtable.games.magic_realm.picture.style import MAP_STYLE, text_element
from realmtable.kit.map_picture import Box
from realmtable.kit.svg import Element, element, name_parts, parted_element
from realmtable.kit.text_metrics import SERIF_BOLD, fit_text

WEIGHTS: Final = {"N": "negligible", "L": "light", "M": "medium", "H": "heavy", "T": "tremendous"}
TAKEN: Final = "A player has this character."
_COLUMNS: Final = 4
_WIDTH: Final = 216  # wider than high, so that a page shows the whole card when one is pointed at
_HEIGHT: Final = 204
_GAP: Final = 10
_TEXT: Final = 28  # can be read on a phone; the card that is shown for a click has the details
_NAME_SIZES: Final = (_TEXT, 24)
_NAME_ROOM: Final = _WIDTH - 24


def draw_character_choice(taken: Mapping[str, Seat], theme: str, title: str) -> Element:
    """Return all characters as a complete SVG document; `taken` has the seats of those that have been chosen."""
    characters = load_catalog().characters
    rows = -(-len(characters) // _COLUMNS)
    box = Box(-_GAP, -_GAP, _COLUMNS * (_WIDTH + _GAP) + _GAP, rows * (_HEIGHT + _GAP) + _GAP)
    sea = element("rect", class_="mr-sea", x=-_GAP, y=-_GAP, width=box.wide, height=box.high)
    places = [_draw_place(number, taken.get(character.name)) for number, character in enumerate(characters)]
    group = parted_element("g", "places", name_parts(places, "places"), {"class_": "mr-places"})
    parts = {"title": element("title", title), "sea": sea, "places": group}
    # It cannot be panned: the view of the map begins where the character is, not where someone looked at cards.
    return MAP_STYLE.make_document(
        box, theme, parts, {"role": "group", "aria_label": title, "data_noun": "character"}
    )  # fmt: skip


@lru_cache(maxsize=256)
def _draw_place(number: int, seat: Seat | None) -> Element:
    character = load_catalog().characters[number]
    row, column = divmod(number, _COLUMNS)
    taken = "" if seat is None else f" {TAKEN}"
    size, _ = fit_text(character.name, _NAME_SIZES, _NAME_ROOM, 1, SERIF_BOLD)
    place = element(
        "g",
        element("rect", class_="mr-plate" + " mr-taken" * bool(taken), width=_WIDTH, height=_HEIGHT, rx=12),
        draw_large_shield(character.name, seat, _WIDTH / 2, 54, 3.4),
        text_element(character.name, _WIDTH / 2, 130, size, "mr-bold mr-letter"),
        *(
            text_element(words, _WIDTH / 2, 159 + 29 * line, _TEXT, "mr-soft")
            for line, words in enumerate(describe_kind(character).split(" ", 1))
        ),
        element("rect", class_="mr-area", x=3, y=3, width=_WIDTH - 6, height=_HEIGHT - 6, rx=10),
        role="button",
        tabindex=-1,
        data_handle=f"be {character.name}",
        data_card=character.name,
        data_now=_describe_briefly(character) + taken,
        aria_label=describe_character(character) + taken,
    )
    return element(
        "g", place, role="group", transform=f"translate({column * (_WIDTH + _GAP)} {row * (_HEIGHT + _GAP)})"
    )


def draw_large_shield(name: str, seat: Seat | None, across: float, down: float, scale: float) -> Element:
    """Draw the shield of a character around a point, in the colour of its seat."""
    kind = "mr-free" if seat is None else seat_style(seat)
    spot = f"translate({across:g} {down:g}) scale({scale:g})"
    return element("g", *draw_shield(name, is_hidden=False), class_=kind, transform=spot)


def describe_kind(character: Character) -> str:
    """Return what a character is, in two words."""
    kind = "fighter" if character.is_fighter else "magic user"
    return f"{WEIGHTS[character.weight].capitalize()} {kind}"


@cache
def describe_character(character: Character) -> str:
    """Return everything on the card of a character."""
    chits = ", ".join(chit.label for chit in character.chits)
    return f"{character.name}. {_describe_briefly(character)} Action chits: {chits}."


def _describe_briefly(character: Character) -> str:
    gear = ", ".join(filter(None, [character.gear.weapon, *character.gear.armor])) or "nothing"
    advantages = " ".join(f"{one.name}: {one.text}" for one in character.advantages)
    return f"{describe_kind(character)}. Starts at the {' or the '.join(character.starts)} with {gear}. {advantages}"
