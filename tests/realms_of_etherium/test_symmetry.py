"""The rules are the same in a turned or mirrored world (W1, W2): steps and states go with it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.kernels.world import put_tile
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.steps import Step, StepKind, code_of, step_of
from realmtable.kit.rules import Position
from tests.realms_of_etherium.helpers import busy_ones, list_codes

LIVELY = (
    "game.mages:5;displace.copies:4;displace.use:0/0;shift.copies:6;shift.use:0/0;swap.copies:6;swap.use:0/0;"
    "quicken.copies:4;portal.copies:8;tribute.copies:4;paralyze.use:0/0"
)
AT_HEX = (StepKind.TO, StepKind.SUMMON, StepKind.SHIFT, StepKind.PUT, StepKind.SWAP, StepKind.WITH)
Turn = Callable[[int], int]  # of a hex


def make_turn(rotations: int, *, mirrored: bool) -> Turn:
    """One of the twelve symmetries of the hexagon."""

    def turn(hex_: int) -> int:
        if hex_ == layout.TO_PORTALS:
            return hex_
        q, r = layout.coordinates(hex_)
        if mirrored:
            q, r = r, q
        for _ in range(rotations):
            q, r = -r, q + r
        return layout.hex_at(q, r)

    return turn


SYMMETRIES = [make_turn(rotations, mirrored=mirrored) for mirrored in (False, True) for rotations in range(6)]


def turn_position(position: Position, turn: Turn) -> Position:
    turned = position.copy()
    turned[layout.HEXES : layout.TILE_HEX] = 0
    turned[layout.TILE_HEX : layout.TILE_OWNER] = 0
    for tile in np.flatnonzero(position[layout.TILE_HEX : layout.TILE_OWNER]).tolist():
        put_tile(turned, tile, turn(position.item(layout.TILE_HEX + tile)))
    if position[layout.DECLARED_HEX] != layout.NONE:
        turned[layout.DECLARED_HEX] = turn(position.item(layout.DECLARED_HEX))
    return turned


def turn_code(code: int, turn: Turn) -> int:
    step = step_of(code)
    if step.kind in AT_HEX:
        return code_of(Step(step.kind, turn(step.at)))
    return code_of(Step(step.kind, step.at, turn(step.to))) if step.kind == StepKind.PUSH else code


def check_symmetry(seed: int, turn: Turn, steps: int, options: EtheriumOptions) -> None:
    """Play a random game and compare some of its states with those of the turned world."""
    rng = random.Random(seed)
    position = first_position(2 + seed % 5, options)
    for number in range(steps):
        codes = list_codes(position)
        if not codes:
            return
        code = rng.choice(busy_ones(codes))
        after = position.copy()
        apply_step(after, code)
        if number % 4 == 0:
            turned = turn_position(position, turn)
            assert list_codes(turned) == sorted(turn_code(each, turn) for each in codes)
            assert [chance_weight(turned, turn_code(each, turn)) for each in codes] == [
                chance_weight(position, each) for each in codes
            ]
            apply_step(turned, turn_code(code, turn))
            assert (turned == turn_position(after, turn)).all()
        position = after


@pytest.mark.parametrize("symmetry", range(1, 12))
def test_w1_the_rules_have_all_symmetries_of_the_hexagon(symmetry: int) -> None:
    check_symmetry(symmetry, SYMMETRIES[symmetry], 150, EtheriumOptions(max_rounds=8, manifest=LIVELY))


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32),
    turn=st.sampled_from(SYMMETRIES),
    values=st.fixed_dictionaries(
        {
            name: st.booleans()
            for name in ("one_gain_power", "displace_self", "keep_connected", "portals_touch_as_one", "player_powers")
        }
    ),
)
def test_w1_symmetries_with_any_options(seed: int, turn: Turn, values: dict[str, Any]) -> None:
    check_symmetry(seed, turn, 500, EtheriumOptions(max_rounds=20, manifest=LIVELY, **values))


def test_w2_the_turned_edge_is_the_edge() -> None:
    inside = {hex_ for hex_ in range(layout.HEX_COUNT) if layout.INSIDE[hex_]}
    assert len(inside) == 1 + 6 * sum(range(1, layout.RADIUS + 1))
    assert all({turn(hex_) for hex_ in inside} == inside for turn in SYMMETRIES)
    assert len({tuple(map(turn, sorted(inside))) for turn in SYMMETRIES}) == 12
