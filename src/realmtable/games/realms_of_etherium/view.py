"""What a position says to everyone (W9): the outcome and all that is visible."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from realmtable.engine.protocol import Outcome, Seat
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import count_moves_left
from realmtable.games.realms_of_etherium.kernels.scoring import rank_of, value_of
from realmtable.games.realms_of_etherium.kernels.world import fact, is_constrained, target_of
from realmtable.games.realms_of_etherium.notation.position_writer import (
    declared_hex,
    entry_mage,
    hex_of,
    picked_hex,
    tile_name,
    tiles_in_play,
)
from realmtable.games.realms_of_etherium.notation.step_notation import mage_text, target_text
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.tiles.manifest import standard_manifest
from realmtable.kit.rules import Position
from realmtable.kit.wording import format_count, join_words

END_WORDS = {
    layout.BY_POINTS: "",
    layout.BY_MAX_ROUNDS: "The last Round is over. ",
    layout.BY_MAX_STEPS: "The game reached its last step. ",
}


TIE_BREAKS = (
    (layout.POINTS, "Controlled Realms"),
    (layout.CONTROLLED, "Black Etherium"),
    (layout.BLACK, "White Etherium"),
)  # an entry, and what decides if it is equal


def outcome(position: Position) -> Outcome | None:
    """Return points, ranking and reason once the game is over (E2 to E5)."""
    if position[layout.PHASE] != layout.OVER:
        return None
    seats = range(position[layout.SEATS])
    scores = tuple(float(position[layout.POINTS + seat]) for seat in seats)
    ranking = tuple(rank_of(position, seat) for seat in seats)
    reason = position.item(layout.REASON)
    first = [INFO.seat_names[seat] for seat, rank in enumerate(ranking) if rank == 1]
    points = int(max(scores[seat] for seat, rank in enumerate(ranking) if rank == 1))
    words = format_count(points, "point")
    if len(first) == 1:
        text = f"{END_WORDS[reason]}{first[0]} wins with {words}{_tie_break(position, ranking.index(1))}."
    else:
        text = f"{END_WORDS[reason]}{join_words(first)} share first place with {words}."
    return Outcome(scores, ranking, layout.REASONS[reason], text)


def _tie_break(position: Position, winner: Seat) -> str:
    """Return what decided between the winner and others with as many points (E2); empty if there are none."""
    level = [seat for seat in range(position[layout.SEATS]) if seat != winner]
    text = ""
    for entry, word in TIE_BREAKS:
        level = [seat for seat in level if position[entry + seat] == position[entry + winner]]
        if level:
            text = f" and more {word}"
    return text


def board_data(position: Position) -> dict[str, Any]:
    """Return all that can be seen. Nothing is hidden: the Supplies have no order before tiles are drawn (W9)."""
    seats = range(position[layout.SEATS])
    active = position.item(layout.ACTIVE_MAGE)
    return {
        "phase": layout.PHASES[position[layout.PHASE]],
        "round": position.item(layout.ROUND),
        "triggered": bool(position[layout.TRIGGERED]),
        "goal": position.item(layout.R_POINTS),
        "realms": [_realm_data(position, tile) for tile in tiles_in_play(position)],
        "mages": [
            _mage_data(position, mage)
            for mage in range(layout.MAGE_COUNT)
            if position[layout.MAGE_PLACE + mage] != layout.NONE
        ],
        "players": [_player_data(position, seat) for seat in seats],
        "reserve": _stock_data(position, layout.RESERVE),
        "supply": _stock_data(position, layout.SUPPLY),
        "active": None if active == layout.NONE else active % layout.MAX_MAGES + 1,
        "active_mage": entry_mage(position, layout.ACTIVE_MAGE) or None,
        "moves_left": 0 if active == layout.NONE else count_moves_left(position),
        "hex": declared_hex(position) or None,
        "entering": entry_mage(position, layout.ENTERING) or None,
        "asked": entry_mage(position, layout.ASKED) or None,
        "picked": picked_hex(position) or None,
        "changes": _changed_kinds(position),
    }


def _realm_data(position: Position, tile: int) -> dict[str, Any]:
    kind, owner = position.item(layout.TILE_KIND + tile), position.item(layout.TILE_OWNER + tile)
    # What Control is worth depends on the seat that has it, so a free Realm of that verb has no value yet.
    has_value = layout.IS_VICTORY[kind] and (owner or layout.VERB_OF[kind] != layout.SCORE_CONTROLLED)
    return {
        "at": hex_of(position, tile),
        "name": tile_name(position, tile),
        "kind": layout.KIND_NAMES[kind],
        "seat": owner - 1 if owner else None,
        "points": value_of(position, tile) if has_value else None,
        "constrained": is_constrained(position, tile),
        "held": bool(position[layout.TILE_MARKS + tile] & layout.HELD),
        "moved": bool(position[layout.TILE_MARKS + tile] & layout.MOVED_BEFORE),
    }


def _mage_data(position: Position, mage: int) -> dict[str, Any]:
    place = position.item(layout.MAGE_PLACE + mage)
    return {
        "mage": mage_text(mage),
        "seat": mage // layout.MAX_MAGES,
        "at": target_text(target_of(position, place)),
        "exhausted": bool(position[layout.EXHAUSTED + mage]),
        "protected": bool(position[layout.TRIED] >> mage & 1),
    }


def _player_data(position: Position, seat: Seat) -> dict[str, Any]:
    colour = position.item(layout.PLAYER_COLOUR + seat)
    return {
        "white": position.item(layout.WHITE + seat),
        "black": position.item(layout.BLACK + seat),
        "points": position.item(layout.POINTS + seat),
        "controlled": position.item(layout.CONTROLLED + seat),
        "markers": position.item(layout.R_MARKERS) - position.item(layout.CONTROLLED + seat),
        "colour": layout.COLOUR_NAMES[colour].capitalize() if colour else None,
    }


def _stock_data(position: Position, first: int) -> dict[str, int]:
    return {
        name: position.item(first + kind)
        for kind, name in enumerate(layout.KIND_NAMES)
        if position[first + kind]
    }  # fmt: skip


# ---- edited manifests


def _changed_kinds(position: Position) -> dict[str, dict[str, Any]]:
    """Return the facts of the kinds that differ from the standard manifest, usually none."""
    kinds = position[layout.KINDS : layout.KINDS + layout.KIND_COUNT]
    changed = np.flatnonzero(kinds != np.array(_standard_kinds())).tolist()
    return {layout.KIND_NAMES[kind]: _kind_data(position, kind) for kind in changed}


@cache
def _standard_kinds() -> tuple[int, ...]:
    options = EtheriumOptions()
    return tuple(layout.pack_kind(tile, options) for tile in standard_manifest().tiles)


def _kind_data(position: Position, kind: int) -> dict[str, Any]:
    control = fact(position, kind, layout.CONTROL_WHITE)
    return {
        "colour": _colour_name(position, kind, layout.COLOUR),
        "use": [fact(position, kind, layout.USE_WHITE), fact(position, kind, layout.USE_BLACK)],
        "control": None if control == layout.NO_PRICE else [control, fact(position, kind, layout.CONTROL_BLACK)],
        "white": fact(position, kind, layout.GIVES_WHITE),
        "black": fact(position, kind, layout.GIVES_BLACK),
        "per": _colour_name(position, kind, layout.PER),
        "of": _colour_name(position, kind, layout.OF),
        "second": _colour_name(position, kind, layout.SECOND_COLOUR),
        "points": fact(position, kind, layout.VALUE),
        "to_black": bool(fact(position, kind, layout.REACTS_TO)),
        "by_opponents": bool(fact(position, kind, layout.BY_OPPONENTS)),
        "connected": bool(fact(position, kind, layout.CONNECTED)),
    }


def _colour_name(position: Position, kind: int, shift: int) -> str:
    return layout.COLOUR_NAMES[fact(position, kind, shift)]
