"""The seat chips: the pieces that each side has borne off."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import SeatChip, SeatFact, SeatTotal
from realmtable.games.medieval_realm.picture import PIECE_SYMBOLS
from realmtable.kit.realm_board.seat_chips import count_facts, make_icons

GOAL: Final = 8
_STREAK: Final = "M-16-14L0 0-16 14zM0-14L16 0 0 14z"
ICONS: Final = make_icons({"duke": PIECE_SYMBOLS["D"], "man": PIECE_SYMBOLS["M"], "streak": _STREAK})


def seat_chips(view: View) -> list[SeatChip]:
    """Return a chip for each seat."""
    return [_seat_chip(view, seat) for seat in range(2)]


def _seat_chip(view: View, seat: int) -> SeatChip:
    off = view["off"][seat]
    borne_off = off["dukes"] + off["men"]
    streak = view["duke_rows"][seat] if view["duke_draw"] else 0  # three of both players in a row are a draw
    facts = (
        SeatFact("duke", str(off["dukes"]), translate("Dukes borne off")),
        SeatFact("man", str(off["men"]), translate("Men borne off")),
        *count_facts(("streak", streak, translate("Duke moves in a row"))),
    )
    total = SeatTotal(str(borne_off), translate("borne off"), of=str(GOAL), share=borne_off / GOAL)
    return SeatChip(facts=facts, total=total)
