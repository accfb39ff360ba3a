"""The words of position texts, both ways: names without spaces, sets of seats, places and written phases (F1)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.errors import BadNotation, BadPosition
from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.parse_numbers import parse_number
from realmtable.games.magic_realm.world.places import GONE, HOME, NOWHERE, is_road, road_ends, road_place
from realmtable.games.magic_realm.world.step_text import PHASE_VERBS, format_step, parse_step
from realmtable.games.magic_realm.world.steps import Step

MAX_NUMBER: Final = 999_999
MAX_LIST: Final = 200
NO_ONE: Final = "-"
BASIC, SUNLIGHT, OWN = range(3)  # the sources of phases; goods have higher numbers (D5)
FIRST_GOODS_SOURCE: Final = 3
_SOURCES: Final = ("basic", "sunlight", "character")
_PLACES: Final = {"nowhere": NOWHERE, "home": HOME, "gone": GONE}


def split_list(text: str, mark: str = ";") -> list[str]:
    """Return the parts of a list; an empty text and a dash stand for an empty one."""
    parts = [] if text in ("", NO_ONE) else text.split(mark)
    if len(parts) > MAX_LIST:
        raise BadPosition(f"A list may have at most {MAX_LIST} entries.")
    return parts


def write_name(kind: str, number: int) -> str:
    """Return the name of a thing without spaces."""
    return load_catalog().names.by_number(kind)[number].replace(" ", "_")


def read_name(kind: str, text: str) -> int:
    """Return the number of the thing with a name."""
    number = load_catalog().names.by_name(kind).get(text.replace("_", " "))
    if number is None:
        raise BadPosition(f"There is no {kind} called {text[:40]!r}.")
    return number


def read_number(text: str, low: int = 0, high: int = MAX_NUMBER) -> int:
    """Read a whole number within bounds."""
    number = parse_number(text, len(str(max(high, MAX_NUMBER))))
    if number is None:
        raise BadPosition(f"Write a number, not {text[:20]!r}.")
    if not low <= number <= high:
        raise BadPosition(f"{number} is not a number from {low} to {high}.")
    return number


def write_seats(bits: int) -> str:
    """Return a set of seats as digits."""
    return "".join(str(seat + 1) for seat in range(bits.bit_length()) if bits >> seat & 1)


def read_seats(text: str, seats: int) -> int:
    """Read a set of seats."""
    return sum(1 << seat for seat in {read_seat(digit, seats) for digit in text})


def read_seat(text: str, seats: int) -> Seat:
    """Read one seat."""
    return read_number(text, 1, seats) - 1


def write_place(place: Place) -> str:
    """Return a clearing, a roadway or a place off the map."""
    for word, other in _PLACES.items():
        if place == other:
            return word
    if is_road(place):
        one, other = road_ends(place)
        return f"{write_name('clearing', one)}-{write_name('clearing', other)}"
    return write_name("clearing", place)


def read_place(text: str) -> Place:
    """Read a place."""
    if text in _PLACES:
        return _PLACES[text]
    one, dash, other = text.partition("-")
    place = read_name("clearing", one)
    return road_place(place, read_name("clearing", other)) if dash else place


def write_phase(step: Step) -> str:
    """Return a written phase."""
    return write_step(step)


def read_phase(text: str) -> Step:
    """Read a written phase."""
    step = read_step(text)
    if step.verb not in PHASE_VERBS:
        raise BadPosition(f"{text[:40]} cannot be written for a phase.")
    return step


def write_step(step: Step) -> str:
    """Return any step without spaces."""
    return format_step(step).replace(" ", "_")


def read_step(text: str) -> Step:
    """Read any step."""
    try:
        return parse_step(text.replace("_", " "))
    except BadNotation as error:
        raise BadPosition(str(error)) from None


def write_source(source: int) -> str:
    """Return the source of a phase."""
    return _SOURCES[source] if source <= OWN else write_name("goods", source - FIRST_GOODS_SOURCE)


def read_source(text: str) -> int:
    """Read the source of a phase."""
    return _SOURCES.index(text) if text in _SOURCES else FIRST_GOODS_SOURCE + read_name("goods", text)


def is_card(goods: int) -> bool:
    """Whether goods are a treasure card; all others are counters, which everyone knows."""
    return goods >= len(load_catalog().goods) - len(load_catalog().treasures)
