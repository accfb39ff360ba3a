"""The seat chips: what each side has left, and how many Realms it controls."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import SeatChip, SeatFact, SeatTotal
from realmtable.games.realm.picture import PIECE_SYMBOLS
from realmtable.kit.realm_board.seat_chips import count_facts, make_icons

ICONS: Final = make_icons({"base": PIECE_SYMBOLS["B"], "enforcer": PIECE_SYMBOLS["E"], "power": PIECE_SYMBOLS["P"]})


def seat_chips(view: View) -> list[SeatChip]:
    """Return a chip for each seat."""
    return [_seat_chip(view, seat) for seat in range(2)]


def _seat_chip(view: View, seat: int) -> SeatChip:
    stock = view["stock"][seat]
    in_hand = len(view.get("lifted") or ()) if view["turn"]["seat"] == seat else 0
    facts = (
        SeatFact("base", str(stock["bases"]), translate("Bases left")),
        SeatFact("enforcer", str(stock["enforcers"]), translate("Enforcers left")),
        *count_facts(
            ("base", stock["captured"], translate("Bases captured")), ("power", in_hand, translate("in hand"))
        ),
    )
    return SeatChip(facts=facts, total=SeatTotal(str(view["realms"][seat]), translate("Realms")))
