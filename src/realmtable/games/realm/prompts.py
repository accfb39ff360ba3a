"""What the acting seat of Realm is asked to do, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import groupby
from typing import Final

from realmtable.engine.protocol import View
from realmtable.kit.realm_board.geometry import FACINGS, SEAT_NAMES, Cell, Realm, find_cell, realm_of
from realmtable.kit.realm_board.prompts import END_TURN, describe_realm, empty_line, occupied_cells, own_pieces


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    return _PHASE_PROMPTS[view["phase"]](view)


def _ask_for_first_seat(view: View) -> str:
    return f"Choose who {'moves' if view['pieces'] else 'places'} first."


def _ask_for_enforcer(view: View) -> str:
    return f"Place the new Enforcer and choose where it faces{', or decline it' if view['may_decline'] else ''}."


def _ask_for_lifted_piece(view: View) -> str:
    piece = view["lifted"][0]
    whose = "your" if piece["seat"] == view["viewer"] else f"{SEAT_NAMES[piece['seat']]}'s"  # V14
    if piece["kind"] == "power":
        return f"Put {whose} Power back on a highlighted space."
    if piece["mobile"]:
        return f"Put {whose} Enforcer back and choose where it faces."
    return f"Put {whose} immobile Enforcer back on a highlighted space."


# ---- the turn


def _ask_for_move(view: View) -> str:
    origin = view["open"]["origin"]
    if view["open"]["moves"]:
        plays = [] if view["single_power"] else _open_plays(view)
        return f"Keep moving {' or '.join(plays)}, or end your turn." if plays else END_TURN
    if origin is not None:
        return f"Move a piece out of {describe_realm(origin)}."  # V13
    if view["offered"]:
        return "Accept the offer to end the game, or play on."
    if view["single_power"]:
        return "Move a single Power."
    if next(_possible_moves(view), None) is None:
        return "Rearrange a Realm, or pass if you cannot."
    return "Move a piece, or several out of or into one Realm."


def _open_plays(view: View) -> list[str]:
    """Return how the turn can go on (S4): "from" a Realm, "into" a Realm, or one phrase if every move does both."""
    names = view["open"]["origin"], view["open"]["target"]
    origin, target = map(_find_realm, names)
    fits = {(source == origin, reached == target) for source, reached in _possible_moves(view)}
    leave, enter = f"from {describe_realm(names[0])}", f"into {describe_realm(names[1])}"
    plays = [leave] * ((True, False) in fits) + [enter] * ((False, True) in fits)
    return plays or [f"{leave} {enter}"] * ((True, True) in fits)


def _find_realm(name: str | None) -> Realm | None:
    cell = find_cell(name or "")
    return None if cell is None else realm_of(cell)


def _possible_moves(view: View) -> Iterator[tuple[Realm, Realm]]:
    """Yield from which Realm to which the viewer's pieces can move, whatever the turn so far (R7, R8)."""
    occupied = occupied_cells(view)
    closed = _enemy_realms(view) if view["stop_in_enemy_realm"] else set()
    for cell, piece in own_pieces(view):
        if piece["kind"] == "base" or not piece["mobile"]:
            continue
        back = None if piece["facing"] is None else FACINGS.index(piece["facing"]) ^ 2
        for way in range(4):
            if way != back:
                line = empty_line(cell, way, occupied)
                yield from ((realm_of(cell), realm) for realm in _reachable_realms(line, realm_of(cell), closed))


def _reachable_realms(line: list[Cell], start: Realm, closed: Collection[Realm]) -> Iterator[Realm]:
    """Yield the Realms on a line where a piece from `start` can stop; it cannot go past a closed one (V5)."""
    for realm, _ in groupby(line, realm_of):
        if realm == start:
            continue
        yield realm  # the first of its spaces is on the Border
        if realm in closed:
            return


def _enemy_realms(view: View) -> set[Realm]:
    bases = [piece for piece in view["pieces"] if piece["kind"] == "base" and piece["seat"] != view["viewer"]]
    return {realm for piece in bases if (realm := _find_realm(piece["at"])) is not None}


_PHASE_PROMPTS: Final[dict[str, Callable[[View], str]]] = {
    "choose": _ask_for_first_seat,
    "bases": lambda _: "Place a Base on a highlighted Center.",
    "powers": lambda _: "Place a Power next to one of your Bases.",
    "turn": _ask_for_move,
    "found": lambda _: "Place the new Base, or decline it.",
    "create": _ask_for_enforcer,
    "immobilise": lambda _: "Choose an enemy Enforcer to immobilise.",
    "rearrange": _ask_for_lifted_piece,
}
