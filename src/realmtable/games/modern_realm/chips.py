"""The seat chips: the headquarters that each side has founded, and what it has yet to place."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import SeatChip, SeatFact, SeatTotal
from realmtable.games.modern_realm.picture import HQ_GOAL, PIECE_SYMBOLS
from realmtable.kit.realm_board.seat_chips import count_facts, make_icons

ICONS: Final = make_icons({"hq": PIECE_SYMBOLS["H"], "agent": PIECE_SYMBOLS["A"]})


def seat_chips(view: View) -> list[SeatChip]:
    """Return a chip for each seat."""
    return [_seat_chip(view, seat) for seat in range(2)]


def _seat_chip(view: View, seat: int) -> SeatChip:
    founded = view["headquarters"][seat]
    dislodged = view.get("dislodged") is not None and view["turn"]["seat"] == seat
    facts = (
        SeatFact("hq", str(view["stock"][seat]), translate("HQs to found")),
        *count_facts(("agent", int(dislodged), translate("Agent in hand"))),
    )
    total = SeatTotal(str(founded), translate("HQs"), of=str(HQ_GOAL), icon="hq", share=min(1.0, founded / HQ_GOAL))
    return SeatChip(facts=facts, total=total)
