"""What a position says to everyone (W9): the acting seat, the turn, the outcome and all that is visible."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import ChanceOutcome, Outcome, Seat, Turn
from realmtable.games.realms_of_etherium import INFO, layout
from realmtable.games.realms_of_etherium.codec import tile_name, tiles_in_play
from realmtable.games.realms_of_etherium.legal import chance_weight, count_moves_left
from realmtable.games.realms_of_etherium.notation import hex_text, mage_text, target_text
from realmtable.games.realms_of_etherium.scoring import rank_of, value_of
from realmtable.games.realms_of_etherium.steps import step_of
from realmtable.games.realms_of_etherium.world import is_constrained, target_of
from realmtable.kit.rules import Position

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


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return the acting seat, or none once the game is over."""
    return () if position[layout.PHASE] == layout.OVER else (position.item(layout.SEAT),)


def turn(position: Position) -> Turn:
    """Return the number and the owner of the activation (N2)."""
    return Turn(position.item(layout.TURN), position.item(layout.ACTIVE_SEAT))


def chance(position: Position, codes: list[int]) -> list[ChanceOutcome]:
    """Return the results of chance with their weights, given the codes of the legal steps (N11)."""
    if to_move(position) != (layout.CHANCE,):
        return []
    return [ChanceOutcome(step_of(code), chance_weight(position, code)) for code in codes]


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
    words = f"{points} point{'' if points == 1 else 's'}"
    if len(first) == 1:
        text = f"{END_WORDS[reason]}{first[0]} wins with {words}{_tie_break(position, ranking.index(1))}."
    else:
        text = f"{END_WORDS[reason]}{', '.join(first[:-1])} and {first[-1]} share first place with {words}."
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
    hex_ = position.item(layout.DECLARED_HEX)
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
        "active": None if active == layout.NONE else active + 1,
        "moves_left": 0 if active == layout.NONE else count_moves_left(position),
        "hex": None if hex_ == layout.NONE else hex_text(hex_),
    }


def _realm_data(position: Position, tile: int) -> dict[str, Any]:
    kind, owner = position.item(layout.TILE_KIND + tile), position.item(layout.TILE_OWNER + tile)
    is_scoring = owner and layout.IS_VICTORY[kind]
    return {
        "at": hex_text(position.item(layout.TILE_HEX + tile)),
        "name": tile_name(position, tile),
        "kind": layout.KIND_NAMES[kind],
        "seat": owner - 1 if owner else None,
        "points": value_of(position, tile) if is_scoring else None,
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
