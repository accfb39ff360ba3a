"""Observations of Medieval Realm, against a slow version made from views."""

from __future__ import annotations

from collections import Counter

from realmtable.engine.protocol import View
from realmtable.games.medieval_realm.game import GAME
from realmtable.kit.realm_board.geometry import realm_of
from tests.planes_checks import Named, PlanesChecks, cell_of, realm_plane, side_of


class TestPlanes(PlanesChecks):
    game = GAME
    cases = ((2, {}), (2, {"duke_squares": "front_corners"}), (2, {"duke_draw": False}))
    steps = 100
    shape = (4, 4)
    constant = frozenset()

    def expect(self, view: View) -> Named:
        planes = {}
        kinds = {"dukes": ("duke", False), "men": ("man", False), "dislodged": ("man", True)}
        for side in ("own", "opponent"):
            for name, (kind, down) in kinds.items():
                planes[f"{side}_{name}"] = realm_plane(
                    Counter(
                        realm_of(cell_of(piece["at"]))
                        for piece in view["pieces"]
                        if (side_of(view, piece["seat"]), piece["kind"], piece["down"]) == (side, kind, down)
                    )
                )
        numbers = {"seat": view["to_move"][0], "turn": view["turn"]["number"]}
        for seat in range(2):
            numbers[f"{side_of(view, seat)}_off"] = sum(view["off"][seat].values())
            numbers[f"{side_of(view, seat)}_duke_moves"] = view["duke_rows"][seat]
        return planes, numbers
