"""The seat chips: where each side's frogs are."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import SeatChip, SeatFact, SeatTotal
from realmtable.games.classic_realm.picture import PIECE_SYMBOLS
from realmtable.kit.realm_board.seat_chips import count_facts, make_icons

_RIPPLES: Final = "M-17-3Q-12-9-6-4T6-4T17-4V1Q12-4 6 1T-6 1T-17 2zM-17 9Q-12 3-6 8T6 8T17 8V13Q12 8 6 13T-6 13T-17 14z"
_TWO: Final = "M-16-14L0 0-16 14zM0-14L16 0 0 14z"
ICONS: Final = make_icons({"frog": PIECE_SYMBOLS["F"], "water": _RIPPLES, "double": _TWO})


def seat_chips(view: View) -> list[SeatChip]:
    """Return a chip for each seat."""
    return [_seat_chip(view, seat) for seat in range(2)]


def _seat_chip(view: View, seat: int) -> SeatChip:
    facts = (
        SeatFact("water", str(view["water"][seat]), translate("in the water")),
        *count_facts(("frog", view["unplaced"][seat], translate("to place"))),
        *_double_move(view, seat),
    )
    return SeatChip(facts=facts, total=SeatTotal(str(view["pads"][seat]), translate("on pads"), icon="frog"))


def _double_move(view: View, seat: int) -> tuple[SeatFact, ...]:
    """Return the seat's right to a double move (V2), if it has one."""
    right = view.get("right")
    if right is None or right["seat"] != seat or view["phase"] == "place":
        return ()
    if not right["owed"]:
        return (SeatFact("double", "", translate("double move ready")),)
    label = translate_count("double move after {count} turn", "double move after {count} turns", right["owed"])
    return (SeatFact("double", str(right["owed"]), label),)
