"""The pond may be turned or mirrored and the colours swapped: steps and worth are those of the image."""

from __future__ import annotations

from typing import cast

import pytest

from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import Symmetry, cell_name, center_of, find_cell, realm_of, transform_cell
from tests.classic_realm.helpers import GAME, random_game, seat_of


def transform_text(state: State, symmetry: Symmetry, swap: bool) -> str:
    """The line of a state after a symmetry of the board, without its history."""
    sides = ["", ""]
    view = GAME.view(state, None)
    for seat in range(2):
        frogs = []
        for piece in view["pieces"]:
            cell = find_cell(piece["at"])
            assert cell is not None
            if piece["seat"] == seat:
                pad = transform_cell(center_of(realm_of(cell)), symmetry)
                frogs.append(("~" if piece["swims"] else "F") + cell_name(pad))
        sides[seat ^ swap] = ",".join(frogs)
    fields = [f"W:{sides[0]}", f"B:{sides[1]}", f"move={'WB'[seat_of(state) ^ swap]}"]
    if view["right"]:
        fields.append(
            f"right={'WB'[view['right']['seat'] ^ swap]} owed={view['right']['owed']} options=double_moves=on"
        )
    if view["phase"] == "second":
        fields.append("phase=second")
    return " ".join(fields)


def transform_step(step: Step, symmetry: Symmetry) -> Step:
    if step.kind != StepKind.MOVE:
        return step
    return Step(step.kind, transform_cell(step.at, symmetry), transform_cell(step.to, symmetry))


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("symmetry", range(8))
def test_turned_ponds_have_turned_steps(symmetry: int, swap: bool) -> None:
    way = cast("Symmetry", symmetry)
    for seed in range(3):
        for state, step in list(random_game(seed, free_setup=False))[5:60:9]:
            if step is None:
                continue
            image = GAME.decode(transform_text(state, way, swap))
            steps = {transform_step(each, way) for each in GAME.legal_moves(state, seat_of(state))}
            assert steps == set(GAME.legal_moves(image, seat_of(image)))
            after = GAME.play(state, seat_of(state), step)
            image_after = GAME.play(image, seat_of(image), transform_step(step, way))
            if GAME.outcome(after) is None and GAME.outcome(image_after) is None:
                expected, found = transform_text(after, way, swap), transform_text(image_after, 0, False)
                assert GAME.decode(expected) == GAME.decode(found)
            assert GAME.evaluate(state, 0) == pytest.approx(GAME.evaluate(image, int(swap)))
            sign = -1 if swap else 1
            assert GAME.measures(image) == tuple(sign * amount for amount in GAME.measures(state))
