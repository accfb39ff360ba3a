"""The rules are symmetric: on turned boards, steps and outcomes are turned too."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.oriental_realm.first_state import State, state_of
from realmtable.games.oriental_realm.layout import (
    CHOOSE,
    EMPTY,
    KEY_COUNT,
    KEYS,
    PHASE,
    PLACED,
    SEAT,
    SEAT_SHIFT,
    TURN_REALM,
    UNMOVED_PLACES,
    WINNER,
)
from realmtable.games.oriental_realm.steps import Step, StepKind, code_of, step_of
from realmtable.games.oriental_realm.threats import find_threatened_groups
from realmtable.games.oriental_realm.view import find_unmoved_cells
from realmtable.kit.realm_board.geometry import CELLS, spaces_of
from realmtable.kit.rules import Position
from tests.oriental_realm.helpers import GAME, random_game
from tests.symmetry_checks import SYMMETRIES, BoardSymmetry


class Turning(BoardSymmetry):
    """A symmetry of the board, with or without a swap of colours, and what it makes of states and steps."""

    def state(self, state: State) -> State:
        """The image, with nothing seen before: keys of positions do not turn with the board."""
        position = state.position
        image = position.copy()
        for cell in range(CELLS):
            piece = int(position[cell])
            image[self.cell(cell)] = piece if piece == EMPTY else piece ^ (self.swap << SEAT_SHIFT)
        if position[TURN_REALM] >= 0:
            image[TURN_REALM] = self.realm(int(position[TURN_REALM]))
            places = [spaces_of(int(image[TURN_REALM])).index(self.cell(cell)) for cell in find_unmoved_cells(state)]
            image[UNMOVED_PLACES] = sum(1 << place for place in places)
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
    position[KEY_COUNT] = 0
    return state_of(position, state.options)


TURNINGS = [Turning(symmetry, swap=swap) for symmetry in SYMMETRIES for swap in (False, True)]


def sample(seed: int) -> list[State]:
    states = [state for state, step in random_game(seed, max_turns=20) if step is not None]
    chosen = Random(seed).sample(states, min(6, len(states)))
    return [without_history(state.position, state) for state in chosen]


@pytest.mark.parametrize("turning", TURNINGS, ids=repr)
def test_b1_turned_boards_have_turned_steps(turning: Turning) -> None:
    for seed in range(3):
        for state in sample(seed):
            image = turning.state(state)
            if state.position[PHASE] == CHOOSE:
                continue  # with V2 the sides of the board belong to the players
            assert {turning.step(step_of(code)) for code in state.legal_codes()} == {
                step_of(code) for code in image.legal_codes()
            }
            for code in state.legal_codes()[::11]:
                after = turning.state(state.after(code))
                image_after = image.after(code_of(turning.step(step_of(code))))
                assert without_history(image_after.position, image) == after
            for seat in range(2):
                groups = {frozenset(map(turning.cell, group)) for group in find_threatened_groups(state.position, seat)}
                assert {*map(frozenset, find_threatened_groups(image.position, seat ^ turning.swap))} == groups


def test_v2_a_half_turn_with_swapped_colours_is_the_first_position_again() -> None:
    turning = Turning(2, swap=True)
    for preset in ("standard", "open_choice"):
        first = GAME.initial(2, GAME.options(preset))
        image = turning.state(first)
        image.position[SEAT] ^= 1
        assert image == without_history(first.position, first)
    steps = {step_of(code) for code in GAME.initial(2, GAME.options("open_choice")).legal_codes()}
    assert {step.kind for step in steps} == {StepKind.EMPEROR}
    assert int(GAME.initial(2).position[PLACED]) == 0


@pytest.mark.parametrize("turning", TURNINGS[1::2], ids=lambda turning: f"{turning.symmetry}-swapped")
def test_judgement_knows_neither_up_from_down_nor_white_from_black(turning: Turning) -> None:
    for state in [state for state, step in random_game(turning.symmetry, max_turns=30) if step is not None][::4]:
        image = turning.state(state)
        assert GAME.measures(image) == pytest.approx([-amount for amount in GAME.measures(state)])
        assert GAME.evaluate(image, 1) == pytest.approx(GAME.evaluate(state, 0))
        assert GAME.evaluate(state, 1) == -GAME.evaluate(state, 0)
