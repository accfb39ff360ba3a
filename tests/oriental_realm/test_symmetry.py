"""The rules know neither up from down nor White from Black: turned boards have turned steps and turned outcomes."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPTY,
    KEYS,
    PHASE,
    PLACED,
    REALM,
    SEAT,
    SEEN,
    SIDE_BIT,
    UNMOVED,
    WINNER,
)
from realmtable.games.oriental_realm.state import State, state_of
from realmtable.games.oriental_realm.steps import Kind, Step, code_of, step_of
from realmtable.games.oriental_realm.threats import threatened
from realmtable.games.oriental_realm.view import unmoved
from realmtable.kit.array_state import Position
from realmtable.kit.realm_board import CELLS, Symmetry, center_of, realm_of, spaces_of, turned
from tests.oriental_realm.helpers import GAME, random_game


class Turning:
    """One of the board's symmetries, with or without a swap of colours."""

    def __init__(self, symmetry: Symmetry, swap: bool) -> None:
        self.symmetry = symmetry
        self.swap = swap

    def cell(self, cell: int) -> int:
        return turned(cell, self.symmetry)

    def state(self, state: State) -> State:
        """The image, with nothing seen before: keys of positions do not turn with the board."""
        position = state.position
        image = position.copy()
        for cell in range(CELLS):
            piece = int(position[cell])
            image[self.cell(cell)] = piece if piece == EMPTY else piece ^ (self.swap << SIDE_BIT)
        if position[REALM] >= 0:
            image[REALM] = realm_of(self.cell(center_of(int(position[REALM]))))
            places = [spaces_of(int(image[REALM])).index(self.cell(cell)) for cell in unmoved(state)]
            image[UNMOVED] = sum(1 << place for place in places)
        if self.swap:
            image[SEAT] ^= 1
            if position[WINNER] >= 0:
                image[WINNER] ^= 1
        return without_history(image, state)

    def step(self, step: Step) -> Step:
        return Step(step.kind, *(self.cell(cell) if cell >= 0 else cell for cell in (step.at, step.to)))


def without_history(position: Position, state: State) -> State:
    position = position.copy()
    position[KEYS:] = 0
    position[SEEN] = 0
    return state_of(position, state.options)


TURNINGS = [Turning(cast("Symmetry", number), swap) for number in range(8) for swap in (False, True)]


def sample(seed: int) -> list[State]:
    states = [state for state, step in random_game(seed, max_turns=20) if step is not None]
    chosen = Random(seed).sample(states, min(6, len(states)))
    return [without_history(state.position, state) for state in chosen]


@pytest.mark.parametrize("turning", TURNINGS, ids=lambda turning: f"{turning.symmetry}{'-swapped' * turning.swap}")
def test_b1_turned_boards_have_turned_steps(turning: Turning) -> None:
    for seed in range(3):
        for state in sample(seed):
            image = turning.state(state)
            if state.position[PHASE] == CHOOSE:
                continue  # with V2 the sides of the board belong to the players
            assert {turning.step(step_of(code)) for code in state.codes()} == {step_of(code) for code in image.codes()}
            for code in state.codes()[::11]:
                after = turning.state(state.after(code))
                image_after = image.after(code_of(turning.step(step_of(code))))
                assert without_history(image_after.position, image) == after
            for seat in range(2):
                groups = {frozenset(map(turning.cell, group)) for group in threatened(state.position, seat)}
                assert {*map(frozenset, threatened(image.position, seat ^ turning.swap))} == groups


def test_v2_a_half_turn_with_swapped_colours_is_the_first_position_again() -> None:
    turning = Turning(2, True)
    for preset in ("standard", "open_choice"):
        first = GAME.initial(2, GAME.options(preset))
        image = turning.state(first)
        image.position[SEAT] ^= 1
        assert image == without_history(first.position, first)
    steps = {step_of(code) for code in GAME.initial(2, GAME.options("open_choice")).codes()}
    assert {step.kind for step in steps} == {Kind.EMPEROR}
    assert int(GAME.initial(2).position[PLACED]) == 0
