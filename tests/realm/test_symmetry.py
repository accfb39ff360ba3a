"""The rules are symmetric: on turned boards, steps and outcomes are turned too."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from realmtable.games.realm.first_state import State, state_of
from realmtable.games.realm.layout import (
    BASES_LEFT,
    CAPTURED,
    EMPTY,
    ENFORCER,
    ENFORCERS_LEFT,
    EVENT_CELL,
    FIRST_PLACER,
    IMMOBILE,
    KEY_COUNT,
    KEYS,
    KIND_MASK,
    LIFTED,
    ORIGIN,
    PHASE,
    REARRANGE,
    SEAT,
    SEAT_SHIFT,
    STREAK_LENGTH,
    STREAK_REALM,
    TARGET,
)
from realmtable.games.realm.rearrangement import pieces_in_hand
from realmtable.games.realm.steps import Step, StepKind, code_of, step_of
from realmtable.kit.realm_board.geometry import CELLS, spaces_of, transform_direction
from realmtable.kit.rules import Position
from tests.realm.helpers import random_game
from tests.symmetry_checks import SYMMETRIES, BoardSymmetry

SWAPPED = (STREAK_REALM, STREAK_LENGTH, BASES_LEFT, ENFORCERS_LEFT, CAPTURED)  # [2] entries by seat


class Turning(BoardSymmetry):
    """A symmetry of the board, with or without a swap of colours, and what it makes of positions and steps."""

    def piece(self, piece: int) -> int:
        kind = piece & KIND_MASK
        if ENFORCER <= kind < IMMOBILE:
            kind = ENFORCER + transform_direction(kind - ENFORCER, self.symmetry)
        return EMPTY if piece == EMPTY else kind + ((piece >> SEAT_SHIFT ^ self.swap) << SEAT_SHIFT)

    def position(self, position: Position) -> Position:
        image = position.copy()
        for cell in range(CELLS):
            image[self.cell(cell)] = self.piece(int(position[cell]))
        for entry in (ORIGIN, TARGET, STREAK_REALM, STREAK_REALM + 1):
            image[entry] = self.realm(int(position[entry]))
        if position[EVENT_CELL] >= 0:
            image[EVENT_CELL] = self.cell(int(position[EVENT_CELL]))
        if position[PHASE] == REARRANGE:
            before, after = (spaces_of(int(board[ORIGIN])) for board in (position, image))
            for place, space in enumerate(before):
                image[LIFTED + after.index(self.cell(space))] = self.piece(int(position[LIFTED + place]))
        if self.swap:
            image[[SEAT, FIRST_PLACER]] ^= 1
            for entry in SWAPPED:
                image[[entry, entry + 1]] = image[[entry + 1, entry]]
        return image

    def step(self, step: Step) -> Step:
        at, to, facing = step.at, step.to, step.facing
        if step.kind in (StepKind.MOVE, StepKind.PUT, StepKind.IMMOBILISE, StepKind.REARRANGE, StepKind.SACRIFICE):
            at = self.cell(at)
        if step.kind in (StepKind.MOVE, StepKind.SACRIFICE):
            to = self.cell(to)
        if 0 <= facing < 4:
            facing = transform_direction(facing, self.symmetry)
        return Step(step.kind, at, to, facing)


TURNINGS = [Turning(symmetry, swap=swap) for symmetry in SYMMETRIES for swap in (False, True)]


def without_history(state: State) -> State:
    """The state with nothing seen before: keys of positions do not turn with the board."""
    position = state.position.copy()
    position[KEYS:] = 0
    position[KEY_COUNT] = 0
    return state_of(position, state.options)


def contents(state: State) -> bytes:
    return state.position[:KEYS].tobytes()


def results(state: State) -> set[bytes]:
    """Where the legal steps lead; through a Rearrangement to its end, for the order of its puts does not turn."""
    found: set[bytes] = set()
    open_states = [state]
    while open_states:
        state = open_states.pop()
        for code in state.legal_codes():
            after = state.after(code)
            if after.position[PHASE] == REARRANGE:
                open_states.append(after)
            else:
                found.add(contents(after))
    return found


def transform_results(turning: Turning, states: set[bytes], like: State) -> set[bytes]:
    images = set()
    for content in states:
        position = like.position.copy()
        position[:KEYS] = np.frombuffer(content, dtype=np.int64)
        images.add(turning.position(position)[:KEYS].tobytes())
    return images


def count_puts(state: State) -> int:
    return int(np.count_nonzero(state.position[LIFTED : LIFTED + 9])) - len(pieces_in_hand(state.position))


def sample(seed: int) -> list[State]:
    """Some states of a random game; Black's privilege of V11 is no matter of symmetry."""
    states = [state for state, _ in random_game(seed, choose_seat="none", max_turns=40)]
    return [without_history(state) for state in Random(seed).sample(states, min(12, len(states)))]


@pytest.mark.parametrize("turning", TURNINGS, ids=repr)
def test_b3_turned_boards_have_turned_steps(turning: Turning) -> None:
    for seed in range(4):
        for state in sample(seed):
            image = state_of(turning.position(state.position), state.options)
            if state.position[PHASE] == REARRANGE:
                assert len(pieces_in_hand(state.position)) == len(pieces_in_hand(image.position))
                continue  # puts rise by space (S8), which a turned board does not keep; results are compared below
            steps = {turning.step(step_of(code)) for code in state.legal_codes()}
            assert steps == {step_of(code) for code in image.legal_codes()}
            for code in state.legal_codes()[::5]:
                after = state.after(code)
                image_after = image.after(code_of(turning.step(step_of(code))))
                assert contents(image_after) == turning.position(after.position)[:KEYS].tobytes()


@pytest.mark.parametrize("seed", range(8))
def test_s8_turned_rearrangements_have_turned_results(seed: int) -> None:
    rng = Random(seed)
    lifted = [
        state
        for state, _ in random_game(seed, choose_seat="none", max_turns=60)
        if len(pieces_in_hand(state.position)) in {1, 2} and count_puts(state) == 0
    ]
    for state in map(without_history, rng.sample(lifted, min(2, len(lifted)))):
        turning = rng.choice(TURNINGS)
        image = state_of(turning.position(state.position), state.options)
        assert transform_results(turning, results(state), state) == results(image)
