"""Observations of Modern Realm, against a slow version made from views."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.modern_realm.game import GAME
from tests.planes_checks import Named, PlanesChecks, cell_plane, phase_numbers, realm_cells_plane, side_of


class TestPlanes(PlanesChecks):
    game = GAME
    cases = ((2, {}), (2, {"counter_agent": "choose"}), (2, {"capture_on_entry": True, "hq_counts": False}))
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
            for name, kind in {"hq": "hq", "agents": "agent", "counter": "counter"}.items()
        }
        planes["origin"] = realm_cells_plane(view["open"]["origin"])
        planes["unmoved"] = cell_plane(view["open"]["left"])
        planes["dislodged"] = realm_cells_plane((view["dislodged"] or {"realm": None})["realm"])
        return planes, {
            "seat": view["to_move"][0],
            "turn": view["turn"]["number"],
            **phase_numbers(view, ("choose", "turn", "dislodge", "over")),
        }
