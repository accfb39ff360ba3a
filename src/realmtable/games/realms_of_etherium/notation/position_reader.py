"""Read a position from its line (F1 to F9); `validate.py` refuses those that no game can continue from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.realms_of_etherium.first_state import empty_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.scoring import update_points
from realmtable.games.realms_of_etherium.kernels.world import place_on, put_tile, tile_on
from realmtable.games.realms_of_etherium.notation.position_writer import FIRST_TILES, default_turn
from realmtable.games.realms_of_etherium.notation.step_notation import (
    PORTAL_WORD,
    SUPPLY_WORDS,
    find_hex,
    find_kind,
    find_mage,
)
from realmtable.games.realms_of_etherium.notation.validate import check_position
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.tiles.manifest import SEAT_COUNTS
from realmtable.kit.position_text import (
    MAX_TEXT,
    Reader,
    choice_reader,
    entry_reader,
    flag_reader,
    number_reader,
    read_choice,
    read_number,
    read_options,
    unknown_field,
)
from realmtable.kit.rules import Position

FLAGS: Final = {"triggered": layout.TRIGGERED, "received": layout.RECEIVED, "ending": layout.ENDING}
MOST_STEPS: Final = 99_999
MOST_GAINED: Final = 99
_TILE: Final = re.compile(r"([A-Za-z]+)(?:\.([1-9]\d?))?@(-?\d+,-?\d+)(?::([1-6]))?")
_USE: Final = re.compile(r"([1-6])@(-?\d+,-?\d+)")


def decode_position(text: str) -> tuple[Position, EtheriumOptions]:
    """Return the position and the options of a line; raise `BadPosition` if no game can continue from it."""
    fields = _split_fields(text)
    options = read_options(EtheriumOptions, fields.pop("options", ""))
    mages = fields.pop("mages", "").split("/")
    if len(mages) not in SEAT_COUNTS:
        raise BadPosition("A position needs the Mages of 2 to 6 players, such as mages=portal;portal/portal;portal.")
    position = empty_position(len(mages), options)
    _read_tiles(position, fields.pop("tiles", FIRST_TILES))
    for seat, texts in enumerate(mages):
        _read_mages(position, seat, texts)
    position[layout.PHASE] = read_choice("phase", fields.pop("phase", "mage"), layout.PHASES)
    position[layout.TURN] = default_turn(position.item(layout.PHASE))
    for name, value in sorted(fields.items(), key=lambda field: field[0] == "active"):  # it needs the field `seat`
        if name not in READERS:
            raise unknown_field(name, ["tiles", "mages", "phase", *READERS, "options"])
        READERS[name](position, name, value)
    update_points(position)
    check_position(position)
    return position, options


def _split_fields(text: str) -> dict[str, str]:
    if len(text) > MAX_TEXT:
        raise BadPosition(f"A position may have at most {MAX_TEXT:,} characters.")
    fields: dict[str, str] = {}
    for field in text.split():
        name, equals, value = field.partition("=")
        if name in fields:
            raise BadPosition(f"The field {name[:40]} is given twice.")
        if bool(equals) == (name in FLAGS):
            raise BadPosition(f"Write {name[:40]} {'without a value' if name in FLAGS else 'as name=value'}.")
        fields[name] = value
    return fields


# ---- tiles and Mages


def _read_tiles(position: Position, texts: str) -> None:
    for text in texts.split(";"):
        found = _TILE.fullmatch(text)
        kind = find_kind(found[1]) if found else None
        if found is None or kind is None:
            raise BadPosition(f"{text[:40] or 'Nothing'} is not a Realm; write Quicken@1,0 or Quicken.2@1,0:1.")
        tile = position.item(layout.FIRST_TILE + kind) + int(found[2] or 1) - 1
        if tile >= position[layout.FIRST_TILE + kind + 1]:
            raise BadPosition(f"There are not that many {layout.KIND_NAMES[kind]} tiles.")
        if position[layout.TILE_HEX + tile]:
            raise BadPosition(f"The tile {found[1]}{'.' + found[2] if found[2] else ''} is in play twice.")
        hex_ = _read_hex("tiles", found[3])
        if tile_on(position, hex_) != layout.NONE:
            raise BadPosition(f"Two Realms are on {found[3]}.")
        put_tile(position, tile, hex_)
        position[layout.SUPPLY + kind] -= 1
        position[layout.TILE_OWNER + tile] = int(found[4] or 0)


def _read_mages(position: Position, seat: int, texts: str) -> None:
    mages = texts.split(";") if texts else []
    if not 1 <= len(mages) <= position[layout.R_MOST_MAGES]:
        raise BadPosition(f"Seat {seat + 1} must have 1 to {position[layout.R_MOST_MAGES]} Mages, not {len(mages)}.")
    for number, text in enumerate(mages):
        mage = seat * layout.MAX_MAGES + number
        position[layout.MAGE_PLACE + mage] = _read_place(position, "mages", text.removesuffix("x"))
        position[layout.EXHAUSTED + mage] = text.endswith("x")


def _read_hex(name: str, text: str) -> int:
    hex_ = find_hex(text)
    if hex_ is None:
        raise BadPosition(f"{name} needs a hex of the world like 1,-2, not {text[:20] or 'nothing'}.")
    return hex_


def _read_tile(position: Position, name: str, text: str) -> int:
    tile = tile_on(position, _read_hex(name, text))
    if tile == layout.NONE:
        raise BadPosition(f"{name} names {text[:20]}, but no Realm is there.")
    return tile


def _read_place(position: Position, name: str, text: str) -> int:
    if text == PORTAL_WORD:
        return layout.PORTALS
    _read_tile(position, name, text)
    place = place_on(position, _read_hex(name, text))
    if place == layout.PORTALS:
        raise BadPosition(f"{name} must say portal instead of {text[:20]}: all Portals are one place.")
    return place


def _read_mage(position: Position, name: str, text: str) -> int:
    mage = find_mage(text)
    if mage is None or position[layout.MAGE_PLACE + mage] == layout.NONE:
        raise BadPosition(f"{name} needs a Mage in play like 2.1, not {text[:20] or 'nothing'}.")
    return mage


# ---- other fields


def _position_reader(entry: int, read: Callable[[Position, str, str], int]) -> Reader:
    """Return a reader that stores a number in one entry; `read` makes it from the position and the field."""

    def store(position: Position, name: str, text: str) -> None:
        position[entry] = read(position, name, text)

    return store


def _read_seat(position: Position, name: str, text: str) -> int:
    seat = read_number(name, text, position.item(layout.SEATS))
    if seat == 0:
        raise BadPosition(f"{name} must be a seat; seats count from 1.")
    return seat - 1


def _read_mages_as_bits(position: Position, name: str, text: str) -> int:
    return sum(1 << mage for mage in {_read_mage(position, name, mage) for mage in text.split(";")})


def _store_marks(mark: int, position: Position, name: str, text: str) -> None:
    for hex_ in text.split(";"):
        position[layout.TILE_MARKS + _read_tile(position, name, hex_)] |= mark


def _store_uses(position: Position, name: str, text: str) -> None:
    for use in text.split(";"):
        found = _USE.fullmatch(use)
        if found is None or int(found[1]) > position[layout.SEATS]:
            raise BadPosition(f"{name} lists a seat and a hex, such as 2@1,0, not {use[:20] or 'nothing'}.")
        position[layout.TILE_MARKS + _read_tile(position, name, found[2])] |= layout.USED << int(found[1]) - 1


def _store_left(position: Position, name: str, text: str) -> None:
    tiles = [_read_tile(position, name, hex_) for hex_ in text.split(";")]
    if len(tiles) > layout.MOST_LEFT:
        raise BadPosition(f"{name} can list at most {layout.MOST_LEFT} Realms.")
    if any(position[layout.TILE_KIND + tile] in (layout.PORTAL_KIND, layout.DISRUPTION_KIND) for tile in tiles):
        raise BadPosition(f"{name} cannot list Permanent Realms; they are never Dispelled.")
    position[layout.LEFT : layout.LEFT + len(tiles)] = tiles
    position[layout.LEFT_COUNT] = len(tiles)


def _store_etherium(position: Position, name: str, text: str) -> None:
    amounts = [_read_pair(name, pair, position.item(layout.R_ETHERIUM_CAP)) for pair in text.split("/")]
    if len(amounts) != position[layout.SEATS]:
        raise BadPosition(f"{name} needs White and Black for each seat, such as 3.1/0.0.")
    for seat, (white, black) in enumerate(amounts):
        position[layout.WHITE + seat] = white
        position[layout.BLACK + seat] = black


def _read_pair(name: str, text: str, most: int) -> tuple[int, int]:
    white, _, black = text.partition(".")
    return read_number(name, white, most), read_number(name, black, most)


def _store_colours(position: Position, name: str, text: str) -> None:
    words = text.lower().split("/")
    numbers = [read_choice(name, word, layout.COLOUR_NAMES[1:]) + 1 for word in words]
    if len(numbers) > position[layout.SEATS] or len({*numbers}) != len(numbers):
        raise BadPosition(f"{name} needs a different colour for each seat, such as Red/Green.")
    position[layout.PLAYER_COLOUR : layout.PLAYER_COLOUR + len(numbers)] = numbers


def _store_reserve(position: Position, name: str, text: str) -> None:
    for word in text.split(";"):
        kind = find_kind(word)
        if kind is None:
            raise BadPosition(f"{name} lists tiles by name, such as Quicken, not {word[:20] or 'nothing'}.")
        position[layout.RESERVE + kind] += 1
        position[layout.SUPPLY + kind] -= 1


def _store_active(position: Position, name: str, text: str) -> None:
    if "." in text:
        position[layout.ACTIVE_MAGE] = _read_mage(position, name, text)
    else:
        number = read_number(name, text, layout.MAX_MAGES)
        first = position[layout.ACTIVE_SEAT] * layout.MAX_MAGES
        position[layout.ACTIVE_MAGE] = first + number - 1 if number else layout.NONE


def _store_gained(position: Position, name: str, text: str) -> None:
    position[layout.GAINED_WHITE], position[layout.GAINED_BLACK] = _read_pair(name, text, MOST_GAINED)


READERS: Final[Mapping[str, Reader]] = {
    "etherium": _store_etherium,
    "colours": _store_colours,
    "reserve": _store_reserve,
    "seat": _position_reader(layout.ACTIVE_SEAT, _read_seat),
    "turn": number_reader(layout.TURN, MOST_STEPS),
    "round": number_reader(layout.ROUND, MOST_STEPS),
    "steps": number_reader(layout.STEPS, MOST_STEPS),
    "end": choice_reader(layout.REASON, layout.REASONS),
    "before": partial(_store_marks, layout.MOVED_BEFORE),
    "now": partial(_store_marks, layout.MOVED_NOW),
    "active": _store_active,
    "moved": number_reader(layout.MOVED, MOST_GAINED),
    "held": partial(_store_marks, layout.HELD),
    "left": _store_left,
    "used": _store_uses,
    "hex": entry_reader(layout.DECLARED_HEX, _read_hex),
    "supply": choice_reader(layout.SOURCE, SUPPLY_WORDS),
    "again": number_reader(layout.AGAIN, layout.MOST_AGAIN),
    "entering": _position_reader(layout.ENTERING, _read_mage),
    "picked": _position_reader(layout.PICKED, _read_tile),
    "asked": _position_reader(layout.ASKED, _read_mage),
    "spared": _position_reader(layout.SPARED, _read_mages_as_bits),
    "gained": _store_gained,
    "lessen": number_reader(layout.LESSEN_LEFT, layout.PORTALS),
    "displace": _position_reader(layout.DISPLACE_PLACE, _read_place),
    "owner": _position_reader(layout.DISPLACE_OWNER, _read_seat),
    "tried": _position_reader(layout.TRIED, _read_mages_as_bits),
    "target": _position_reader(layout.TARGET, _read_place),
    **{name: flag_reader(entry) for name, entry in FLAGS.items()},
}
