"""Observations of Realms of Etherium, against a slow version made from views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import State, View
from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.planes import NUMBERS
from tests.planes_checks import Named, PlanesChecks, phase_numbers

MIDDLE = 21
SHIFTING = (
    "tiles=Portal@0,0;Shift@1,0;Channel@0,1;Condense@1,-1;Affinity@2,-1 mages=1,0/portal;portal etherium=2.0/0.0 "
    "active=1 entering=1.1 phase=put picked=2,-1 held=1,0"
)
LENT = (
    "tiles=Portal@0,0;Transfer@1,0 mages=1,0x;portal/portal;portalx/portal phase=act active=2.2 received held=1,0 "
    "options=transfer_to=anyone"
)
SEATS = range(6)
MAGES = range(1, 6)


def place(text: str) -> tuple[int, int]:
    q, r = (int(part) for part in text.split(","))
    return MIDDLE + r, MIDDLE + q


class TestPlanes(PlanesChecks):
    game = GAME
    cases = (
        (2, {"manifest": "game.mages:5;game.most_mages:5"}),
        (3, {"player_powers": True}),
        (3, {"player_powers": True, "choose_colours": True}),
        (6, {}),
        (4, {"displace_by": "owner"}),
    )
    steps = 250
    every = 5
    shape = (43, 43)
    constant = frozenset(NUMBERS) | {"moved"}  # few random games get to all of them

    def states(self) -> Iterator[State]:
        yield from super().states()
        yield GAME.decode(SHIFTING)
        yield GAME.decode(LENT)

    def expect(self, view: View) -> Named:
        own, seats = view["to_move"][0], len(view["players"])

        def relative(seat: int) -> int:
            return int((seat - own) % seats)

        planes: dict[str, NDArray[np.int64]] = {
            name: np.zeros(self.shape, dtype=np.int64)
            for name in (
                *("kind", "owner", "held", "moved", "declared", "picked"),
                *(f"own_mage_{number}" for number in MAGES),
                *(f"seat_{seat}_mages" for seat in SEATS[1:]),
            )
        }
        for realm in view["realms"]:
            at = place(realm["at"])
            planes["kind"][at] = layout.KIND_NAMES.index(realm["kind"]) + 1
            planes["owner"][at] = 0 if realm["seat"] is None else relative(realm["seat"]) + 1
            planes["held"][at] = realm["held"]
            planes["moved"][at] = realm["moved"]
        for name, key in (("declared", "hex"), ("picked", "picked")):
            if view[key] is not None:
                planes[name][place(view[key])] = 1
        numbers = self.expect_numbers(view, own, seats)
        for mage in view["mages"]:
            seat, number = relative(mage["seat"]), int(mage["mage"].split(".")[1])
            name = f"seat_{seat}_mage_{number}"
            numbers[name] = 2 if mage["at"] == "portal" else 1
            numbers[f"{name}_exhausted"] = int(mage["exhausted"])
            numbers[f"{name}_protected"] = int(mage["protected"])
            if mage["at"] != "portal":
                planes[f"seat_{seat}_mages" if seat else f"own_mage_{number}"][place(mage["at"])] += 1
        return planes, numbers

    def expect_numbers(self, view: View, own: int, seats: int) -> dict[str, int]:
        lent_by = (int((view["active_mage"] or "1")[0]) - 1 - view["turn"]["seat"]) % seats
        numbers = {
            "seat": own,
            "seats": seats,
            "turn": view["turn"]["number"],
            "turn_seat": (view["turn"]["seat"] - own) % seats,
            "round": view["round"],
            "triggered": int(view["triggered"]),
            "active_mage": 5 * lent_by + view["active"] if view["active"] else 0,
            **phase_numbers(view, layout.PHASES),
        }
        for key in ("entering", "asked"):
            seat, number = map(int, view[key].split(".")) if view[key] else (0, 0)
            numbers[f"{key}_seat"] = (seat - 1 - own) % seats + 1 if seat else 0
            numbers[f"{key}_mage"] = number
        for seat in SEATS:
            player: dict[str, Any] = view["players"][(own + seat) % seats] if seat < seats else {}
            for name in ("white", "black", "points", "controlled"):
                numbers[f"seat_{seat}_{name}"] = player.get(name, 0)
            colour = player.get("colour")
            numbers[f"seat_{seat}_colour"] = layout.COLOUR_NAMES.index(colour.lower()) if colour else 0
            for number in MAGES:
                for ending in ("", "_exhausted", "_protected"):
                    numbers[f"seat_{seat}_mage_{number}{ending}"] = 0
        for stock in ("reserve", "supply"):
            for name in layout.KIND_NAMES:
                numbers[f"{stock}_{name}"] = view[stock].get(name, 0)
        return numbers
