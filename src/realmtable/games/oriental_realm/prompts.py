"""What the acting seat of Oriental Realm is asked to do, in one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.kit.realm_board.prompts import NO_LEGAL_MOVE, describe_realm, empty_line, occupied_cells, own_pieces


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "place":
        return _ask_for_placement(view)
    if view["phase"] == "choose":
        return "Choose which of your pieces is the Emperor."
    if view["realm"] is not None:
        realm = describe_realm(view["realm"])
        if _can_move(view):
            return f"Move another piece from {realm}, or end your turn."
        return f"End your turn: no other piece from {realm} can move."
    if not _can_move(view):
        return NO_LEGAL_MOVE
    return "Move one or more of your pieces in one Realm (a block of nine spaces)."


def _ask_for_placement(view: View) -> str:
    left = view["left"][view["viewer"]]
    pieces = ["a Mandarin"] * (left["mandarins"] > 0) + ["your Emperor"] * left["emperors"]
    return f"Place {' or '.join(pieces)} in an empty Realm."


def _can_move(view: View) -> bool:
    """Whether a piece that the turn allows is not pinned and has an empty space next to it (O2 to O4)."""
    occupied = occupied_cells(view)
    return any(
        not piece["pinned"] and (view["realm"] is None or piece["at"] in view["unmoved"])
        for cell, piece in own_pieces(view)
        if any(empty_line(cell, way, occupied) for way in range(4))
    )
