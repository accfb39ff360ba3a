"""A position as one line of text that people can also write by hand (F1 to F9), and back."""

from __future__ import annotations

from collections.abc import Iterable

from realmtable.engine.options import as_pairs
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.world import target_of
from realmtable.games.realms_of_etherium.notation.step_notation import SUPPLY_WORDS, hex_text, mage_text, target_text
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.kit.rules import Position

FIRST_TILES = "Portal@0,0"
SETUP_ONLY = (layout.IN_COLOURS, layout.IN_FIRST)


def encode_position(position: Position, options: EtheriumOptions) -> str:
    """Return a position as one line; `decode_position` restores an equal one."""
    fields = {
        **_world_fields(position),
        **_game_fields(position),
        **_turn_fields(position),
        **_agenda_fields(position),
        "options": ",".join(as_pairs(options)),
    }
    return " ".join(f"{name}={text}" if text is not True else name for name, text in fields.items() if text)


def _world_fields(position: Position) -> dict[str, str]:
    """Return F1 to F3."""
    seats = range(position.item(layout.SEATS))
    etherium = [f"{position[layout.WHITE + seat]}.{position[layout.BLACK + seat]}" for seat in seats]
    colours = [position.item(layout.PLAYER_COLOUR + seat) for seat in seats]
    reserve = [
        name for kind, name in enumerate(layout.KIND_NAMES) for _ in range(position[layout.RESERVE + kind])
    ]  # fmt: skip
    tiles = ";".join(_tile_text(position, tile) for tile in tiles_in_play(position))
    return {
        "tiles": "" if tiles == FIRST_TILES else tiles,
        "mages": "/".join(_mages_text(position, seat) for seat in seats),
        "etherium": "/".join(etherium) if {*etherium} != {"0.0"} else "",
        "colours": "/".join(layout.COLOUR_NAMES[colour].capitalize() for colour in colours if colour),
        "reserve": ";".join(reserve),
    }


def tiles_in_play(position: Position) -> list[int]:
    """Return the tiles in play, in the order of F1."""
    return [tile for tile in range(layout.PORTALS) if position[layout.TILE_HEX + tile]]


def tile_name(position: Position, tile: int) -> str:
    """Return the name of a tile, with its number if it is not the first copy."""
    kind = position.item(layout.TILE_KIND + tile)
    number = tile - position.item(layout.FIRST_TILE + kind) + 1
    return layout.KIND_NAMES[kind] + (f".{number}" if number > 1 else "")


def _tile_text(position: Position, tile: int) -> str:
    owner = position.item(layout.TILE_OWNER + tile)
    return f"{tile_name(position, tile)}@{hex_of(position, tile)}" + (f":{owner}" if owner else "")


def hex_of(position: Position, tile: int) -> str:
    """Return where a tile lies."""
    return hex_text(position.item(layout.TILE_HEX + tile))


def _mages_text(position: Position, seat: int) -> str:
    mages = range(seat * layout.MAX_MAGES, (seat + 1) * layout.MAX_MAGES)
    return ";".join(
        _place_text(position, layout.MAGE_PLACE + mage) + "x" * position.item(layout.EXHAUSTED + mage)
        for mage in mages
        if position[layout.MAGE_PLACE + mage] != layout.NONE
    )


def _place_text(position: Position, entry: int) -> str:
    place = position.item(entry)
    return "" if place == layout.NONE else target_text(target_of(position, place))


def _game_fields(position: Position) -> dict[str, str | bool]:
    """Return F4."""
    phase = position.item(layout.PHASE)
    return {
        "phase": "" if phase == layout.IN_MAGE else layout.PHASES[phase],
        "seat": _number_text(position.item(layout.ACTIVE_SEAT) + 1, 1),
        "turn": _number_text(position.item(layout.TURN), default_turn(phase)),
        "round": _number_text(position.item(layout.ROUND), 1),
        "steps": _number_text(position.item(layout.STEPS), 0),
        "triggered": bool(position[layout.TRIGGERED]),
        "end": layout.REASONS[position[layout.REASON]],
    }


def default_turn(phase: int) -> int:
    """Return the default number of the turn: 0 in phases that only the set-up has."""
    return 0 if phase in SETUP_ONLY else 1


def _number_text(number: int, default: int) -> str:
    return "" if number == default else str(number)


def _turn_fields(position: Position) -> dict[str, str | bool]:
    """Return F5."""
    tiles = tiles_in_play(position)
    left = position[layout.LEFT : layout.LEFT + position[layout.LEFT_COUNT]].tolist()
    used = [
        f"{seat + 1}@{hex_of(position, tile)}"
        for tile in tiles
        for seat in range(position[layout.SEATS])
        if position.item(layout.TILE_MARKS + tile) >> seat & layout.USED
    ]
    return {
        "before": _marked_text(position, tiles, layout.MOVED_BEFORE),
        "now": _marked_text(position, tiles, layout.MOVED_NOW),
        "active": _active_text(position),
        "moved": _number_text(position.item(layout.MOVED), 0),
        "received": bool(position[layout.RECEIVED]),
        "held": _marked_text(position, tiles, layout.HELD),
        "left": ";".join(hex_of(position, tile) for tile in left),
        "used": ";".join(used),
    }


def _active_text(position: Position) -> str:
    """Return the number of the active Mage, with its seat if it is an opponent's (V19)."""
    text = entry_mage(position, layout.ACTIVE_MAGE)
    return text.removeprefix(f"{position[layout.ACTIVE_SEAT] + 1}.")


def _marked_text(position: Position, tiles: Iterable[int], mark: int) -> str:
    return ";".join(hex_of(position, tile) for tile in tiles if position.item(layout.TILE_MARKS + tile) & mark)


def _agenda_fields(position: Position) -> dict[str, str | bool]:
    """Return F6 to F8."""
    has_source = position[layout.PHASE] in (layout.IN_DRAW, layout.IN_REFILL)
    gained = f"{position[layout.GAINED_WHITE]}.{position[layout.GAINED_BLACK]}"
    return {
        "hex": declared_hex(position),
        "supply": SUPPLY_WORDS[position.item(layout.SOURCE)] if has_source else "",
        "again": _number_text(position.item(layout.AGAIN), 0),
        "entering": entry_mage(position, layout.ENTERING),
        "picked": picked_hex(position),
        "asked": entry_mage(position, layout.ASKED),
        "spared": _mage_list(position.item(layout.SPARED)),
        "gained": "" if gained == "0.0" else gained,
        "lessen": _number_text(position.item(layout.LESSEN_LEFT), 0),
        "displace": _place_text(position, layout.DISPLACE_PLACE),
        "owner": _number_text(position.item(layout.DISPLACE_OWNER) + 1, 0),
        "tried": _mage_list(position.item(layout.TRIED)),
        "target": _place_text(position, layout.TARGET),
        "ending": bool(position[layout.ENDING]),
    }


def declared_hex(position: Position) -> str:
    """Return the hex that was declared; empty if none was."""
    hex_ = position.item(layout.DECLARED_HEX)
    return "" if hex_ == layout.NONE else hex_text(hex_)


def picked_hex(position: Position) -> str:
    """Return the hex of the Realm that was picked; empty if none was."""
    tile = position.item(layout.PICKED)
    return "" if tile == layout.NONE else hex_of(position, tile)


def entry_mage(position: Position, entry: int) -> str:
    """Return the Mage in an entry of the position; empty if there is none."""
    mage = position.item(entry)
    return "" if mage == layout.NONE else mage_text(mage)


def _mage_list(bits: int) -> str:
    return ";".join(mage_text(mage) for mage in range(layout.MAGE_COUNT) if bits >> mage & 1)
