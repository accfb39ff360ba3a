"""The seat chips: the pieces of each side that are free, pinned or still to be placed."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import SeatChip, SeatTotal
from realmtable.games.oriental_realm.picture import PIECE_SYMBOLS
from realmtable.kit.realm_board.seat_chips import count_facts, make_icons

_PIN: Final = "M-7-17H7L5-5 11 2V5H2V17H-2V5H-11V2L-5-5z"
ICONS: Final = make_icons({"mandarin": PIECE_SYMBOLS["M"], "emperor": PIECE_SYMBOLS["E"], "pin": _PIN})


def seat_chips(view: View) -> list[SeatChip]:
    """Return a chip for each seat."""
    return [_seat_chip(view, seat) for seat in range(2)]


def _seat_chip(view: View, seat: int) -> SeatChip:
    own = [piece for piece in view["pieces"] if piece["seat"] == seat]
    pinned, left = sum(piece["pinned"] for piece in own), view["left"][seat]
    facts = count_facts(
        ("pin", pinned, translate("pinned")),
        ("mandarin", left["mandarins"], translate("Mandarins to place")),
        ("emperor", left["emperors"], translate("Emperor to place")),
    )
    return SeatChip(facts=facts, total=SeatTotal(str(len(own) - pinned), translate("free pieces")))
