"""What the acting seat of Medieval Realm is asked to do, in one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.medieval_realm.legal import FAR_ROW
from realmtable.kit.realm_board.geometry import realm_of
from realmtable.kit.realm_board.prompts import NO_LEGAL_MOVE, own_pieces


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "pass":
        return NO_LEGAL_MOVE
    far_row = FAR_ROW[view["viewer"]]
    if any(far_row >> realm_of(cell) & 1 and not piece["down"] for cell, piece in own_pieces(view)):  # M8
        return "Move one of your pieces, or bear one off the board."
    return "Move one of your pieces."
