"""Load and check the manifest: the tiles with their copies, colours, costs and powers (W3).

`data/tiles.toml` describes the format. Designers edit a copy of it, so every mistake is answered with one sentence that
names the tile and says what to do.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import LARGEST_PRINTED
from realmtable.kit.wording import format_count

MAX_FILE: Final = 60_000  # characters
MAX_KINDS: Final = 64  # what the array of a position has room for
MAX_TILES: Final = 96
MAX_COPIES: Final = 12
MAX_COST: Final = 9  # of one colour
MAX_SENTENCE: Final = 160
MAX_QUOTED: Final = 40
PLACEHOLDER: Final = re.compile(r"{(\w+)}")

CLASSES: Final = ("permanent", "normal", "victory")
COLOURS: Final = ("red", "blue", "green", "purple", "orange", "yellow")
ETHERIUM: Final = ("white", "black")
ALTERATION: Final = "alteration"  # a colour that an option decides (V8)
NO_COLOUR: Final = "none"
SOURCES: Final = ("rulebook", "deduced", "ours")
SOURCED_FIELDS: Final = ("name", "class", "colour", "copies", "use", "control", "power")
TILE_FIELDS: Final = ("id", "name", "class", "colour", "copies", "use", "control", "power", "text", "sources")
# Bounds of the numbers in [game].
GAME_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "etherium_cap": (5, 50),
    "control_markers": (1, 20),
    "mages": (1, 5),
    "most_mages": (1, 5),
}
SEAT_COUNTS: Final = (2, 3, 4, 5, 6)
MAX_POINTS: Final = 30


class Verb(NamedTuple):
    """What a verb needs: the class of its tiles, how it is triggered, and its parameters."""

    tile_class: str
    trigger: str  # static, enter, gain, persistent or victory (P1)
    parameters: tuple[str, ...] = ()
    prices: str = ""  # which Etherium its use may cost: "white", "black", "either" or nothing


VERBS: Final[Mapping[str, Verb]] = {
    "portal": Verb("permanent", "static"),
    "disrupt": Verb("permanent", "enter"),
    "gain": Verb("normal", "enter", ("white", "black", "per")),
    "conjure": Verb("normal", "enter", prices="either"),
    "convert": Verb("normal", "enter", prices="white"),
    "push": Verb("normal", "persistent", prices="either"),
    "protect": Verb("normal", "persistent", prices="either"),
    "extra_move": Verb("normal", "persistent"),
    "transfer": Verb("normal", "persistent", prices="either"),
    "exhaust": Verb("normal", "enter", prices="either"),
    "shift": Verb("normal", "enter", prices="either"),
    "swap": Verb("normal", "enter", prices="either"),
    "tribute": Verb("normal", "enter", prices="white"),
    "react": Verb("normal", "gain", ("to", "white", "black")),
    "lessen": Verb("normal", "persistent"),
    "streamline": Verb("normal", "persistent"),
    "score_adjacent": Verb("victory", "victory", ("of", "points")),
    "score_pairs": Verb("victory", "victory", ("colours", "points")),
    "score_connected": Verb("victory", "victory", ("of", "points")),
    "score_controlled": Verb("victory", "victory", ("by", "where", "points")),
    "score_types": Verb("victory", "victory", ("points",)),
}
FIXED_COLOURS: Final[Mapping[str, str]] = {"convert": "green"}  # its price depends on the Green player (Y6)
OPTIONAL_PARAMETERS: Final = frozenset({"white", "black", "per"})


class Cost(NamedTuple):
    """A price in Etherium."""

    white: int
    black: int


@dataclass(frozen=True)
class Power:
    """What a tile does; parameters that its verb does not have keep their defaults."""

    verb: str
    white: int = 0
    black: int = 0
    per: str = ""  # the colour whose touching Realms are counted; empty: once
    to: str = ""  # the Etherium whose gain triggers it
    of: str = ""  # the colour that scores, or ALTERATION
    colours: tuple[str, ...] = ()  # the two colours of pairs
    by: str = ""  # whose Control scores: "owner" or "opponents"
    where: str = ""  # "adjacent" or "connected"
    points: int = 0

    @property
    def trigger(self) -> str:
        """How the power is triggered (P1)."""
        return VERBS[self.verb].trigger


@dataclass(frozen=True)
class Tile:
    """One kind of tile."""

    id: str
    name: str
    tile_class: str
    colour: str  # NO_COLOUR for none
    copies: int
    use: Cost
    control: Cost | None
    power: Power
    text: str  # with placeholders
    sources: tuple[tuple[str, str], ...]  # of the fields that do not come from the rulebook

    def sentence(self) -> str:
        """Return what the tile does, for players."""
        return self.text.format_map(placeholders(self.power, self.use))


@dataclass(frozen=True)
class Manifest:
    """All kinds of tiles, in the order of the file, and the numbers of the game."""

    tiles: tuple[Tile, ...]
    etherium_cap: int
    control_markers: int
    mages: int  # per player at the start
    most_mages: int
    points: tuple[int, ...]  # that trigger the end, for each number of players from 2 on

    def tile(self, tile_id: str) -> Tile:
        """Return the tile with an id; raise `BadOptions` if there is none."""
        found = next((tile for tile in self.tiles if tile.id == tile_id), None)
        if found is None:
            raise BadOptions(f"The manifest has no tile {quote(tile_id)}; ids are lower case, like generate.")
        return found

    def count(self, **facts: str) -> int:
        """Return the number of copies of all tiles with these facts, such as ``colour="red"`` or ``verb="push"``."""
        return sum(tile.copies for tile in self.tiles if all(_fact(tile, name) == facts[name] for name in facts))


def _fact(tile: Tile, name: str) -> object:
    return tile.power.verb if name == "verb" else getattr(tile, name)


@cache
def standard_manifest() -> Manifest:
    """Return the manifest of this package."""
    return parse_manifest(Path(__file__).parents[1].joinpath("data").joinpath("tiles.toml").read_text(encoding="utf-8"))


def parse_manifest(text: str) -> Manifest:
    """Return the manifest that a TOML text describes; raise `BadOptions` with a sentence about the first mistake."""
    if len(text) > MAX_FILE:
        raise BadOptions(f"A manifest may have at most {MAX_FILE:,} characters.")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadOptions(f"The manifest is not valid TOML: {error}.") from None
    for name in data:
        if name not in {"game", "tile"}:
            raise BadOptions(f"A manifest has a table [game] and entries [[tile]], but no {quote(name)}.")
    entries = data.get("tile", [])
    if not (isinstance(entries, list) and entries and all(isinstance(entry, dict) for entry in entries)):
        raise BadOptions("A manifest needs at least one entry [[tile]].")
    if len(entries) > MAX_KINDS:
        raise BadOptions(f"A manifest may have at most {MAX_KINDS} kinds of tiles, not {len(entries)}.")
    return check_manifest(Manifest(tuple(map(make_tile, entries)), **read_game(data.get("game"))))


def read_game(table: object) -> dict[str, Any]:
    """Return the checked numbers of the table [game]."""
    if not isinstance(table, dict):
        raise BadOptions("A manifest needs a table [game] with the numbers of the game.")
    known = [*GAME_BOUNDS, "points"]
    for name in table:
        if name not in known:
            raise BadOptions(f"[game] has no {quote(name)}; it has {', '.join(known)}.")
    for name, (low, high) in GAME_BOUNDS.items():
        if not _is_number(table.get(name), low, high):
            raise BadOptions(f"{name} in [game] must be a number from {low} to {high}, not {quote(table.get(name))}.")
    points = table.get("points")
    if not (
        isinstance(points, list)
        and len(points) == len(SEAT_COUNTS)
        and all(_is_number(number, 1, MAX_POINTS) for number in points)
    ):
        raise BadOptions(
            f"points in [game] must be five numbers from 1 to {MAX_POINTS}, for 2 to 6 players, not {quote(points)}."
        )
    return {**table, "points": tuple(points)}


def quote(value: object) -> str:
    """Return a wrong value as a sentence can show it.

    >>> quote("one"), quote(""), quote(13), quote(None), quote([3, "x"])
    ('"one"', 'an empty text', '13', 'nothing', '3/"x"')
    """
    if isinstance(value, list) and value:
        return "/".join(map(quote, value))[:MAX_QUOTED]
    if isinstance(value, str):
        return f'"{value[:MAX_QUOTED]}"' if value else "an empty text"
    if isinstance(value, int) and abs(value) > LARGEST_PRINTED:
        return "a number that large"
    return "nothing" if value is None else str(value)[:MAX_QUOTED]


def _is_number(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


# ---- single tiles


def make_tile(entry: Mapping[str, Any]) -> Tile:
    """Return the tile that an entry [[tile]] describes; raise `BadOptions` with a sentence about the first mistake."""
    tile_id = entry.get("id")
    if not (isinstance(tile_id, str) and tile_id.isascii() and tile_id.isalpha() and tile_id.islower()):
        raise BadOptions(f"Every tile needs an id of lower-case letters, not {quote(tile_id)}.")
    if len(tile_id) > 20:  # noqa: PLR2004 - long enough for any word
        raise BadOptions(f"The id {tile_id[:20]}… is longer than 20 letters.")
    for field in entry:
        if field not in TILE_FIELDS:
            raise BadOptions(f"{tile_id} has an unknown field {quote(field)}; the fields are {', '.join(TILE_FIELDS)}.")
    for field in TILE_FIELDS[:-1]:
        if field not in entry:
            raise BadOptions(f"{tile_id} needs the field {field}.")
    power = _parse_power(tile_id, entry["power"])
    tile = Tile(
        tile_id,
        _parse_name(tile_id, entry["name"]),
        _parse_word(tile_id, "class", entry["class"], CLASSES),
        _parse_word(tile_id, "colour", entry["colour"], (*COLOURS, NO_COLOUR)),
        _parse_number(tile_id, "copies", entry["copies"], 0, MAX_COPIES),
        _parse_cost(tile_id, "use", entry["use"]),
        None if entry["control"] == "none" else _parse_cost(tile_id, "control", entry["control"]),
        power,
        _parse_text(tile_id, entry["text"], power),
        _parse_sources(tile_id, entry.get("sources", {})),
    )
    _check_tile(tile)
    return tile


def _parse_name(tile_id: str, value: object) -> str:
    if not (isinstance(value, str) and value.isascii() and value.isalpha() and value.istitle() and len(value) <= 20):  # noqa: PLR2004
        raise BadOptions(f"The name of {tile_id} must be one capitalised word of up to 20 letters, not {quote(value)}.")
    return value


def _parse_word(tile_id: str, field: str, value: object, words: tuple[str, ...]) -> str:
    if not (isinstance(value, str) and value in words):
        raise BadOptions(f"{field} of {tile_id} must be {', '.join(words[:-1])} or {words[-1]}, not {quote(value)}.")
    return value


def _parse_number(tile_id: str, field: str, value: object, low: int, high: int) -> int:
    if not _is_number(value, low, high):
        raise BadOptions(f"{field} of {tile_id} must be a number from {low} to {high}, not {quote(value)}.")
    return int(str(value))


def _parse_cost(tile_id: str, field: str, value: object) -> Cost:
    parts = value.split("/") if isinstance(value, str) else []
    if len(parts) != 2 or not all(len(part) == 1 and part in "0123456789" for part in parts):  # noqa: PLR2004
        raise BadOptions(
            f'{field} of {tile_id} must be White/Black, such as "2/1", each 0 to {MAX_COST}, not {quote(value)}.'
        )
    return Cost(int(parts[0]), int(parts[1]))


def _parse_power(tile_id: str, value: object) -> Power:
    if not (isinstance(value, dict) and isinstance(value.get("verb"), str)):
        raise BadOptions(
            f'power of {tile_id} must name a verb, such as {{ verb = "gain", white = 2 }}, not {quote(value)}.'
        )
    if value["verb"] not in VERBS:
        raise BadOptions(
            f"power of {tile_id} has an unknown verb {quote(value['verb'])}; the verbs are {', '.join(VERBS)}."
        )
    allowed = VERBS[value["verb"]].parameters
    read: dict[str, Any] = {}
    for name, given in value.items():
        if name == "verb":
            continue
        if name not in allowed:
            raise BadOptions(f"The verb {value['verb']} of {tile_id} has no parameter {quote(name)}.")
        read[name] = _parse_parameter(tile_id, name, given)
    for name in allowed:
        if name not in read and name not in OPTIONAL_PARAMETERS:
            raise BadOptions(f"The verb {value['verb']} of {tile_id} needs the parameter {name}.")
    power = Power(value["verb"], **read)
    if "white" in allowed and power.white == power.black == 0:
        raise BadOptions(f"The power of {tile_id} must give White or Black Etherium.")
    return power


def _parse_parameter(tile_id: str, name: str, value: object) -> int | str | tuple[str, ...]:
    if name in {"white", "black"}:
        return _parse_number(tile_id, name, value, 0, MAX_COST)
    if name == "points":
        return _parse_number(tile_id, name, value, 1, MAX_COST)
    if name == "colours":
        if not (isinstance(value, list) and len(value) == 2 and value[0] != value[1]):  # noqa: PLR2004 - a pair
            raise BadOptions(f"colours of {tile_id} must be two different colours, not {quote(value)}.")
        return tuple(_parse_word(tile_id, name, colour, COLOURS) for colour in value)
    words = {
        "per": COLOURS,
        "to": ETHERIUM,
        "of": (*COLOURS, ALTERATION),
        "by": ("owner", "opponents"),
        "where": ("adjacent", "connected"),
    }
    return _parse_word(tile_id, name, value, words[name])


def placeholders(power: Power, use: Cost) -> dict[str, str]:
    """Return what the placeholders of a sentence stand for."""
    first, second = (colour.capitalize() for colour in power.colours or ("", ""))
    return {
        "white": str(power.white),
        "black": str(power.black),
        "per": power.per.capitalize(),
        "to": power.to.capitalize(),
        "of": "Victory" if power.of == "yellow" else power.of.capitalize(),
        "first": first,
        "second": second,
        "points": format_count(power.points, "point"),
        "use": describe_cost(use),
    }


def describe_cost(cost: Cost) -> str:
    """Return a price in words.

    >>> describe_cost(Cost(2, 0)), describe_cost(Cost(1, 3)), describe_cost(Cost(0, 0))
    ('2 White', '1 White and 3 Black', 'nothing')
    """
    parts = [f"{amount} {word}" for amount, word in ((cost.white, "White"), (cost.black, "Black")) if amount]
    return " and ".join(parts) or "nothing"


def _parse_text(tile_id: str, value: object, power: Power) -> str:
    if not (isinstance(value, str) and value.endswith(".") and value.isprintable() and len(value) <= MAX_SENTENCE):
        raise BadOptions(
            f"text of {tile_id} must be a sentence of up to {MAX_SENTENCE} characters with a full stop, "
            f"not {quote(value)}."
        )
    names = placeholders(power, Cost(0, 0))
    rest = PLACEHOLDER.sub(lambda found: "" if found[1] in names else found[0], value)
    if "{" in rest or "}" in rest:
        raise BadOptions(f"text of {tile_id} has an unknown placeholder; write one of {{{'}, {'.join(names)}}}.")
    return value


def _parse_sources(tile_id: str, value: object) -> tuple[tuple[str, str], ...]:
    unknown = [name for name in value if name not in SOURCED_FIELDS] if isinstance(value, dict) else value
    if not isinstance(value, dict) or unknown:
        raise BadOptions(f"sources of {tile_id} may name {', '.join(SOURCED_FIELDS)}, not {quote(unknown)}.")
    return tuple((name, _parse_word(tile_id, "a source", word, SOURCES)) for name, word in value.items())


def _check_tile(tile: Tile) -> None:
    verb = VERBS[tile.power.verb]
    if tile.tile_class != verb.tile_class:
        raise BadOptions(
            f"class of {tile.id} must be {verb.tile_class}, not {tile.tile_class}: its verb is {tile.power.verb}."
        )
    if (tile.colour == "yellow") != (tile.tile_class == "victory"):
        raise BadOptions(
            f"colour of {tile.id} cannot be {quote(tile.colour)}: Victory Realms are yellow, and no other Realm is."
        )
    if (tile.colour == NO_COLOUR) != (tile.tile_class == "permanent"):
        raise BadOptions(
            f"colour of {tile.id} cannot be {quote(tile.colour)}: Permanent Realms have none, and every other has one."
        )
    if tile.tile_class == "permanent" and tile.control is not None:
        raise BadOptions(
            f'control of {tile.id} must be "none", not "{tile.control.white}/{tile.control.black}": '
            "Permanent Realms cannot be Controlled."
        )
    if (tile.use.white and verb.prices not in {"white", "either"}) or (tile.use.black and verb.prices != "either"):
        allowed, reason = ('White only, such as "2/0"', "") if verb.prices else ('"0/0"', ": this power is free")
        raise BadOptions(f'use of {tile.id} must be {allowed}, not "{tile.use.white}/{tile.use.black}"{reason}.')
    if FIXED_COLOURS.get(tile.power.verb, tile.colour) != tile.colour:
        colour = FIXED_COLOURS[tile.power.verb]
        raise BadOptions(
            f"colour of {tile.id} must stay {colour}, not {quote(tile.colour)}: a player power depends on it."
        )
    if tile.power.verb == "convert" and tile.use.white < 1:
        raise BadOptions(f"use of {tile.id} must be at least 1 White, or Etherium would be endless.")


# ---- the whole manifest


def check_manifest(manifest: Manifest) -> Manifest:
    """Return the manifest; raise `BadOptions` if its tiles do not make a game together."""
    for field in ("id", "name"):
        values = [str(_fact(tile, field)).lower() for tile in manifest.tiles]
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            raise BadOptions(f"Two tiles have the {field} {twice}; every {field} must be different.")
    if manifest.mages > manifest.most_mages:
        raise BadOptions(
            f"mages in [game] must be at most most_mages, which is {manifest.most_mages}, not {manifest.mages}."
        )
    if (total := manifest.count()) > MAX_TILES:
        raise BadOptions(f"There may be at most {MAX_TILES} tiles, not {total}.")
    for verb in ("portal", "disrupt"):
        kinds = [tile.id for tile in manifest.tiles if tile.power.verb == verb]
        if len(kinds) != 1:
            raise BadOptions(f"Exactly one tile must have the verb {verb}, not {len(kinds)}.")
    if manifest.count(verb="portal") == 0:
        raise BadOptions("There must be at least one Portal: the world begins with it.")
    for tile_class in ("normal", "victory"):
        if (number := manifest.count(tile_class=tile_class)) < 3:  # noqa: PLR2004 - a Reserve
            raise BadOptions(f"There must be at least three {tile_class} tiles for the Reserve, not {number}.")
    return manifest
