"""Observations of Realm, against a slow version made from views."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from realmtable.engine.protocol import View
from realmtable.games.realm.game import GAME
from realmtable.games.realm.steps import Step, StepKind
from tests.planes_checks import Named, PlanesChecks, cell_plane, realm_cells_plane, side_of

PHASES = ("choose", "bases", "powers", "choose", "turn", "found", "create", "immobilise", "rearrange", "over")
KINDS = {
    "bases": ("base", None, True),
    "powers": ("power", None, True),
    **{f"enforcers_{facing}": ("enforcer", facing, True) for facing in "NESW"},
    "immobile_enforcers": ("enforcer", None, False),
}


class TestPlanes(PlanesChecks):
    game = GAME
    cases = (
        (2, {}),
        (2, {"rearrange_both": True, "optional_creation": True, "first_turn_single_power": True}),
        (2, {"choose_seat": "both", "power_sacrifice": True}),
        (2, {"extra_base_second": True}),
    )
    steps = 250
    shape = (12, 12)
    constant = frozenset({"phase_9_over"})

    def choose(self, rng: Random, moves: Sequence[Step]) -> Step:
        """Leave accepting out, which would end the game."""
        rearranging = [step for step in moves if step.kind == StepKind.REARRANGE]
        if rearranging and rng.random() < 0.2:
            return rng.choice(rearranging)
        return rng.choice([step for step in moves if step.kind != StepKind.ACCEPT])

    def expect(self, view: View) -> Named:
        planes = {
            f"{side}_{name}": cell_plane(
                [
                    piece["at"]
                    for piece in view["pieces"]
                    if side_of(view, piece["seat"]) == side
                    and (piece["kind"], piece["facing"], piece["mobile"]) == kind
                ]
            )
            for side in ("own", "opponent")
            for name, kind in KINDS.items()
        }
        planes["origin"] = realm_cells_plane(view["open"]["origin"])
        planes["target"] = realm_cells_plane(view["open"]["target"])
        numbers = {
            "seat": view["to_move"][0],
            "turn": view["turn"]["number"],
            "moved": view["open"]["moves"],
            "offered": int(view["offered"]),
            "single_power": int(view["single_power"]),
        }
        for seat, stock in enumerate(view["stock"]):
            side = side_of(view, seat)
            numbers[f"{side}_bases_left"] = stock["bases"]
            numbers[f"{side}_enforcers_left"] = stock["enforcers"]
            numbers[f"{side}_captured"] = stock["captured"]
            in_hand = [piece for piece in view["lifted"] if piece["seat"] == seat]
            enforcers = [piece["mobile"] for piece in in_hand if piece["kind"] == "enforcer"]
            numbers[f"{side}_powers_in_hand"] = len(in_hand) - len(enforcers)
            numbers[f"{side}_mobile_enforcers_in_hand"] = enforcers.count(True)
            numbers[f"{side}_immobile_enforcers_in_hand"] = enforcers.count(False)
        for number, name in enumerate(PHASES):
            chosen_before = number == 3  # who moves first is chosen after the set-up, who places first in turn 0
            is_choice = name == "choose" and chosen_before == (view["turn"]["number"] == 0)
            numbers[f"phase_{number}_{name}"] = int(view["phase"] == name and not is_choice)
        return planes, numbers
