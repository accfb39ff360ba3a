"""Observations of Classic Realm, against a slow version made from views."""

from __future__ import annotations

from collections import Counter

from realmtable.engine.protocol import View
from realmtable.games.classic_realm.game import GAME
from realmtable.kit.realm_board.geometry import realm_of
from tests.planes_checks import Named, PlanesChecks, cell_of, phase_numbers, realm_plane, side_of


class TestPlanes(PlanesChecks):
    game = GAME
    cases = (
        (2, {}),
        (2, {"free_setup": True}),
        (2, {"double_moves": True}),
        (2, {"free_setup": True, "double_moves": True}),
    )
    shape = (4, 4)

    def expect(self, view: View) -> Named:
        planes = {}
        for side in ("own", "opponent"):
            for name, swims in (("pads", False), ("water", True)):
                planes[f"{side}_{name}"] = realm_plane(
                    Counter(
                        realm_of(cell_of(piece["at"]))
                        for piece in view["pieces"]
                        if side_of(view, piece["seat"]) == side and piece["swims"] == swims
                    )
                )
        rescued = view["rescued"]
        planes["rescued"] = realm_plane({} if rescued is None else {realm_of(cell_of(rescued)): 1})
        right = view["right"] or {"seat": None, "owed": 0}
        return planes, {
            "seat": view["to_move"][0],
            "turn": view["turn"]["number"],
            "own_right": int(right["seat"] == view["to_move"][0]),
            "opponent_right": int(right["seat"] == 1 - view["to_move"][0]),
            "owed_turns": right["owed"],
            **phase_numbers(view, ("place", "turn", "second", "over")),
        }
