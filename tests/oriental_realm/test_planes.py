"""Observations of Oriental Realm, against a slow version made from views."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.oriental_realm.game import GAME
from tests.planes_checks import Named, PlanesChecks, cell_plane, phase_numbers, realm_cells_plane, side_of


class TestPlanes(PlanesChecks):
    game = GAME
    cases = ((2, {}), (2, {"free_setup": True}), (2, {"emperor": "choose"}))
    shape = (12, 12)

    def expect(self, view: View) -> Named:
        planes = {
            f"{side}_{name}": cell_plane(
                [
                    piece["at"]
                    for piece in view["pieces"]
                    if (side_of(view, piece["seat"]), piece["kind"]) == (side, kind)
                ]
            )
            for side in ("own", "opponent")
            for name, kind in {"mandarins": "mandarin", "emperor": "emperor"}.items()
        }
        planes["turn_realm"] = realm_cells_plane(view["realm"])
        planes["unmoved"] = cell_plane(view["unmoved"])
        return planes, {
            "seat": view["to_move"][0],
            "turn": view["turn"]["number"],
            **phase_numbers(view, ("place", "choose", "turn", "over")),
        }
