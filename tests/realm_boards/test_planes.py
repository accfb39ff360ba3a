"""Observations, against a slow version made from views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from realmtable.engine.protocol import View
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import realm_of
from tests.planes_checks import (
    Named,
    PlanesChecks,
    cell_of,
    cell_plane,
    phase_numbers,
    realm_cells_plane,
    realm_plane,
    side_of,
)
from tests.realm_boards.boards import BOARDS

PHASES = ("choose", "bases", "powers", "choose", "turn", "found", "create", "immobilise", "rearrange", "over")
SIDES = ("own", "opponent")
Kinds = Mapping[str, Mapping[str, Any]]  # what the pieces of a plane have in a view, by the plane's name


def planes_of_spaces(view: View, kinds: Kinds) -> dict[str, Any]:
    return {name: cell_plane(names) for name, names in _names_by_plane(view, kinds).items()}


def planes_of_realms(view: View, kinds: Kinds) -> dict[str, Any]:
    return {
        name: realm_plane(Counter(realm_of(cell_of(each)) for each in names))
        for name, names in _names_by_plane(view, kinds).items()
    }


def _names_by_plane(view: View, kinds: Kinds) -> dict[str, list[str]]:
    return {
        f"{side}_{name}": [
            piece["at"]
            for piece in view["pieces"]
            if side_of(view, piece["seat"]) == side and kind.items() <= piece.items()
        ]
        for side in SIDES
        for name, kind in kinds.items()
    }


def acting_and_turn(view: View) -> dict[str, int]:
    return {"seat": view["to_move"][0], "turn": view["turn"]["number"]}


class TestRealm(PlanesChecks):
    game = BOARDS["realm"].game
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
        kinds: Kinds = {
            "bases": {"kind": "base"},
            "powers": {"kind": "power"},
            **{f"enforcers_{facing}": {"kind": "enforcer", "facing": facing} for facing in "NESW"},
            "immobile_enforcers": {"kind": "enforcer", "mobile": False},
        }
        planes = planes_of_spaces(view, kinds)
        planes |= {name: realm_cells_plane(view["open"][name]) for name in ("origin", "target")}
        numbers = acting_and_turn(view) | {
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


class TestClassicRealm(PlanesChecks):
    game = BOARDS["classic_realm"].game
    cases = tuple((2, values) for values in game.info.presets.values())
    shape = (4, 4)

    def expect(self, view: View) -> Named:
        planes = planes_of_realms(view, {"pads": {"swims": False}, "water": {"swims": True}})
        rescued = view["rescued"]
        planes["rescued"] = realm_plane({} if rescued is None else {realm_of(cell_of(rescued)): 1})
        right = view["right"] or {"seat": None, "owed": 0}
        return planes, {
            **acting_and_turn(view),
            "own_right": int(right["seat"] == view["to_move"][0]),
            "opponent_right": int(right["seat"] == 1 - view["to_move"][0]),
            "owed_turns": right["owed"],
            **phase_numbers(view, ("place", "turn", "second", "over")),
        }


class TestMedievalRealm(PlanesChecks):
    game = BOARDS["medieval_realm"].game
    cases = ((2, {}), (2, {"duke_squares": "front_corners"}), (2, {"duke_draw": False}))
    steps = 100
    shape = (4, 4)
    constant = frozenset()

    def expect(self, view: View) -> Named:
        kinds: Kinds = {"dukes": {"kind": "duke"}, "men": {"kind": "man", "down": False}, "dislodged": {"down": True}}
        numbers = acting_and_turn(view)
        for seat in range(2):
            numbers[f"{side_of(view, seat)}_off"] = sum(view["off"][seat].values())
            numbers[f"{side_of(view, seat)}_duke_moves"] = view["duke_rows"][seat]
        return planes_of_realms(view, kinds), numbers


class TestOrientalRealm(PlanesChecks):
    game = BOARDS["oriental_realm"].game
    cases = ((2, {}), (2, {"free_setup": True}), (2, {"emperor": "choose"}))
    shape = (12, 12)

    def expect(self, view: View) -> Named:
        planes = planes_of_spaces(view, {"mandarins": {"kind": "mandarin"}, "emperor": {"kind": "emperor"}})
        planes["turn_realm"] = realm_cells_plane(view["realm"])
        planes["unmoved"] = cell_plane(view["unmoved"])
        return planes, acting_and_turn(view) | phase_numbers(view, ("place", "choose", "turn", "over"))


class TestModernRealm(PlanesChecks):
    game = BOARDS["modern_realm"].game
    cases = ((2, {}), (2, {"counter_agent": "choose"}), (2, {"capture_on_entry": True, "hq_counts": False}))
    shape = (12, 12)

    def expect(self, view: View) -> Named:
        planes = planes_of_spaces(
            view, {"hq": {"kind": "hq"}, "agents": {"kind": "agent"}, "counter": {"kind": "counter"}}
        )
        planes["origin"] = realm_cells_plane(view["open"]["origin"])
        planes["unmoved"] = cell_plane(view["open"]["left"])
        planes["dislodged"] = realm_cells_plane((view["dislodged"] or {"realm": None})["realm"])
        return planes, acting_and_turn(view) | phase_numbers(view, ("choose", "turn", "dislodge", "over"))
