"""The rules are symmetric: mirrored and half-turned games stay equivalent."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from realmtable.games.medieval_realm.first_state import State, state_of
from realmtable.games.medieval_realm.layout import (
    BORDER_COUNTS,
    DUKE_STREAK,
    EMPTY,
    OFF_BOARD,
    OFF_COUNT,
    PASS,
    SEAT,
    SEAT_SHIFT,
    TARGETS_PER_REALM,
)
from realmtable.games.medieval_realm.steps import code_of
from realmtable.kit.realm_board.geometry import REALMS, Realm, center_of, realm_of, transform_cell
from tests.medieval_realm.helpers import GAME, random_game

MIRROR: Final = "mirror"  # left for right
SWAP: Final = "swap"  # half a turn, and White for Black
SYMMETRIES = (MIRROR, SWAP)


def realm_after(realm: Realm, symmetry: str) -> Realm:
    return realm_of(transform_cell(center_of(realm), 4 if symmetry == MIRROR else 2))


def piece_after(piece: int, symmetry: str) -> int:
    return piece if symmetry == MIRROR or piece == EMPTY else piece ^ 1 << SEAT_SHIFT


def state_after(state: State, symmetry: str) -> State:
    """The state mirrored or swapped; what it has seen is not looked at."""
    position, old = state.position.copy(), state.position
    seats = (0, 1) if symmetry == MIRROR else (1, 0)
    for realm in range(REALMS):
        there = realm_after(realm, symmetry)
        position[there] = piece_after(int(old[realm]), symmetry)
        for seat in range(2):
            position[BORDER_COUNTS + 2 * there + seats[seat]] = old[BORDER_COUNTS + 2 * realm + seat]
    for entry in (DUKE_STREAK, OFF_COUNT):
        position[entry : entry + 2] = old[[entry + seats[0], entry + seats[1]]]
    position[SEAT] = seats[old[SEAT]]
    return state_of(position, state.options)


def code_after(code: int, symmetry: str) -> int:
    if code == PASS:
        return code
    source, target = divmod(code, TARGETS_PER_REALM)
    there = target if target == OFF_BOARD else realm_after(target, symmetry)
    return realm_after(source, symmetry) * TARGETS_PER_REALM + there


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("seed", range(4))
def test_a_turned_game_is_the_same_game(seed: int, symmetry: str) -> None:
    for state, step in random_game(seed):
        other = state_after(state, symmetry)
        assert sorted(code_after(code, symmetry) for code in state.legal_codes()) == other.legal_codes()
        if step is None:
            continue
        after = state.after(code_of(step))
        over_there = other.after(code_after(code_of(step), symmetry))
        if after.position[OFF_COUNT : OFF_COUNT + 2].max() < 8 and GAME.outcome(after) is None:
            expected = state_after(after, symmetry).position[: OFF_COUNT + 2]
            assert np.array_equal(over_there.position[: OFF_COUNT + 2], expected)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_set_up_is_symmetric(symmetry: str) -> None:
    for preset in GAME.info.presets:
        state = GAME.initial(2, GAME.options(preset))
        assert np.array_equal(state_after(state, symmetry).position[:REALMS], state.position[:REALMS])


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("seed", range(3))
def test_a_turned_position_is_worth_the_same(seed: int, symmetry: str) -> None:
    for state, _ in random_game(seed):
        if GAME.outcome(state) is None:
            seat = 0 if symmetry == MIRROR else 1
            image = state_after(state, symmetry)
            assert GAME.evaluate(state, 0) == GAME.evaluate(image, seat)
            assert GAME.measures(image) == tuple((1 - 2 * seat) * amount for amount in GAME.measures(state))
