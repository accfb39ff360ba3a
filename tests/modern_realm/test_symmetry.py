"""The rules are symmetric: on turned boards, steps and results are turned too."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.modern_realm.first_state import State, state_of
from realmtable.games.modern_realm.layout import (
    DISLODGED_REALM,
    EMPTY,
    KIND_MASK,
    ORIGIN,
    SEAT,
    SEAT_SHIFT,
    UNMOVED_PLACES,
)
from realmtable.games.modern_realm.steps import Step, StepKind, code_of, step_of
from realmtable.kit.realm_board.geometry import CELLS, spaces_of
from realmtable.kit.realm_board.steps import NOWHERE
from realmtable.kit.rules import Position
from tests.modern_realm.helpers import GAME, random_game
from tests.seeds import list_seeds
from tests.symmetry_checks import BoardSymmetry


class Turning(BoardSymmetry):
    """A symmetry of the board that keeps or swaps its halves, and with them the colours."""

    def piece(self, piece: int) -> int:
        return EMPTY if piece == EMPTY else (piece & KIND_MASK) + ((piece >> SEAT_SHIFT ^ self.swap) << SEAT_SHIFT)

    def position(self, position: Position) -> Position:
        image = position.copy()
        for cell in range(CELLS):
            image[self.cell(cell)] = self.piece(int(position[cell]))
        for entry in (ORIGIN, DISLODGED_REALM):
            image[entry] = self.realm(int(position[entry]))
        if position[ORIGIN] >= 0:
            before, after = (spaces_of(int(board[ORIGIN])) for board in (position, image))
            places = [place for place in range(9) if position[UNMOVED_PLACES] >> place & 1]
            image[UNMOVED_PLACES] = sum(1 << after.index(self.cell(before[place])) for place in places)
        image[SEAT] ^= self.swap
        return image

    def step(self, step: Step) -> Step:
        if step.kind == StepKind.PASS:
            return step
        return Step(step.kind, self.cell(step.at), self.cell(step.to) if step.to != NOWHERE else NOWHERE)


TURNINGS = [Turning(4, swap=False), Turning(2, swap=True), Turning(6, swap=True)]


def sample(seed: int) -> list[State]:
    """Return some states of a random game; the order of the choices (V1) is not symmetric."""
    states = [state for state, _ in random_game(seed, counter_agent="e2", max_turns=40)]
    return Random(seed).sample(states, min(8, len(states)))


@pytest.mark.parametrize("turning", TURNINGS, ids=("mirrored", "half-turn, swapped", "upside down, swapped"))
@pytest.mark.parametrize("seed", range(3))
def test_b1_turned_boards_have_turned_steps(turning: Turning, seed: int) -> None:
    for state in sample(seed):
        image = state_of(turning.position(state.position), state.options)
        assert {turning.step(step_of(code)) for code in state.legal_codes()} == {
            step_of(code) for code in image.legal_codes()
        }
        for code in state.legal_codes()[::9]:
            after = state.after(code)
            image_after = image.after(code_of(turning.step(step_of(code))))
            assert image_after.position.tobytes() == turning.position(after.position).tobytes()


def test_v1_the_first_position_is_its_own_half_turn() -> None:
    for space in GAME.info.options()[0].choices[:-1]:
        first = GAME.initial(2, GAME.options(counter_agent=space)).position
        image = Turning(2, swap=True).position(first)
        image[SEAT] = 0
        assert image.tobytes() == first.tobytes()


@pytest.mark.parametrize("turning", TURNINGS, ids=("mirrored", "half-turn, swapped", "upside down, swapped"))
@pytest.mark.parametrize("seed", list_seeds(3, quick=1))
def test_judgement_knows_neither_left_from_right_nor_white_from_black(turning: Turning, seed: int) -> None:
    for state in [state for state, step in random_game(seed, max_turns=60) if step is not None][::9]:
        image = state_of(turning.position(state.position), state.options)
        side = -1 if turning.swap else 1
        assert GAME.measures(image) == pytest.approx([side * amount for amount in GAME.measures(state)])
        assert GAME.evaluate(image, int(turning.swap)) == pytest.approx(GAME.evaluate(state, 0))
        assert GAME.evaluate(state, 1) == -GAME.evaluate(state, 0)
