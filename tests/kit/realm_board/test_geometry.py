"""The board of all Realm games: names, Realms, lines, symmetries, and the same as arrays."""

from __future__ import annotations

from typing import cast

import pytest

from realmtable.kit.realm_board.arrays import CENTER, DIRECTIONS_BETWEEN, IS_CENTER, REACH, REALM_OF, SPACES, STRIDE
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    DIRECTION_OFFSETS,
    FACINGS,
    REALMS,
    SIDE,
    Cell,
    Symmetry,
    cell_at,
    cell_name,
    center_of,
    direction_between,
    find_cell,
    ray,
    realm_of,
    spaces_of,
    transform_cell,
)

SYMMETRIES = [cast("Symmetry", number) for number in range(8)]


def require_cell(name: str) -> Cell:
    cell = find_cell(name)
    assert cell is not None
    return cell


# ---- names and Realms


def test_every_space_has_its_name() -> None:
    names = [cell_name(cell) for cell in range(CELLS)]
    assert len(set(names)) == 144
    assert [find_cell(name) for name in names] == list(range(CELLS))
    assert (names[0], names[11], names[-1], cell_name(cell_at(2, 9))) == ("a1", "l1", "l12", "c10")


@pytest.mark.parametrize("name", ["", "a", "a0", "a13", "m1", "A1", "a01", "1a", " a1", "a1 ", "aa1"])
def test_nothing_else_is_a_space(name: str) -> None:
    assert find_cell(name) is None


def test_sixteen_realms_of_nine_spaces() -> None:
    for realm in range(REALMS):
        spaces = spaces_of(realm)
        assert list(spaces) == sorted(spaces)
        assert {realm_of(space) for space in spaces} == {realm}
        assert spaces[4] == center_of(realm) == CENTERS[realm]
    assert [cell_name(center) for center in CENTERS[:5]] == ["b2", "e2", "h2", "k2", "b5"]
    assert {cell_name(cell) for cell in spaces_of(15)} == {f"{file}{rank}" for file in "jkl" for rank in (10, 11, 12)}


# ---- lines


def test_a_ray_runs_to_the_edge() -> None:
    rays = [[cell_name(cell) for cell in ray(require_cell("j11"), way)] for way in range(4)]
    assert rays == [
        ["j12"],
        ["k11", "l11"],
        [f"j{rank}" for rank in range(10, 0, -1)],
        [f"{file}11" for file in "ihgfedcba"],
    ]


def test_the_direction_between_two_spaces() -> None:
    for cell in range(CELLS):
        ways = {other: way for way in range(4) for other in ray(cell, way)}
        assert [direction_between(cell, other) for other in range(CELLS)] == [ways.get(other) for other in range(CELLS)]


def test_steps_are_north_east_south_west() -> None:
    assert dict(zip(FACINGS, DIRECTION_OFFSETS, strict=True)) == {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


# ---- symmetries


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_symmetry_keeps_spaces_realms_centers_and_lines(symmetry: Symmetry) -> None:
    image = [transform_cell(cell, symmetry) for cell in range(CELLS)]
    assert sorted(image) == list(range(CELLS))
    assert {image[center] for center in CENTERS} == set(CENTERS)
    for realm in range(REALMS):
        assert len({realm_of(image[space]) for space in spaces_of(realm)}) == 1
    for cell in range(CELLS):
        for way in range(4):
            if line := [image[other] for other in ray(cell, way)]:
                turned = direction_between(image[cell], line[0])
                assert turned is not None
                assert line == list(ray(image[cell], turned))


def test_the_eight_symmetries_differ() -> None:
    assert len({tuple(transform_cell(cell, symmetry) for cell in range(CELLS)) for symmetry in SYMMETRIES}) == 8
    assert [transform_cell(cell, 0) for cell in range(CELLS)] == list(range(CELLS))
    assert [cell_name(transform_cell(require_cell("b1"), symmetry)) for symmetry in SYMMETRIES] == [
        "b1", "a11", "k12", "l2", "k1", "a2", "b12", "l11"
    ]  # fmt: skip


# ---- the arrays


def test_the_arrays_say_the_same() -> None:
    assert REALM_OF.tolist() == [realm_of(cell) for cell in range(CELLS)]
    assert CENTER.tolist() == list(CENTERS)
    assert [cell for cell in range(CELLS) if IS_CENTER[cell]] == sorted(CENTERS)
    assert SPACES.tolist() == [list(spaces_of(realm)) for realm in range(REALMS)]
    for cell in range(CELLS):
        for way in range(4):
            line = ray(cell, way)
            assert REACH[cell, way] == len(line)
            assert list(line) == [cell + STRIDE[way] * number for number in range(1, len(line) + 1)]
    assert (SIDE, STRIDE.tolist()) == (12, [12, 1, -12, -1])


def test_the_ways_from_realm_to_realm() -> None:
    for source in range(REALMS):
        for target in range(REALMS):
            ways = {
                way
                for cell in spaces_of(source)
                for way in range(4)
                for end in ray(cell, way)
                if realm_of(end) == target
            }
            assert DIRECTIONS_BETWEEN[source, target] == (sum(1 << way for way in ways) if source != target else 0)
