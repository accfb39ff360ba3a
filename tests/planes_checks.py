"""The tests of observations that every game with planes shares; a game's `test_planes.py` subclasses `PlanesChecks`.

`expect` is the slow version: it makes planes and numbers by name from a view alone, so that nothing which a view does
not show can be in them.
"""

from __future__ import annotations

import importlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import CHANCE, AnyGame, State, View
from realmtable.kit.realm_board.geometry import CENTERS, REALM_SIDE, SIDE, find_cell, realm_of, spaces_of

Named = tuple[dict[str, NDArray[np.int64]], dict[str, int]]


class PlanesChecks:
    """Observations say what the acting seat's view says."""

    game: AnyGame
    cases: Sequence[tuple[int, Mapping[str, Any]]]  # seats and options
    steps = 60  # of each random game
    every = 1  # how many steps are between two tested states
    shape: tuple[int, int]
    constant: frozenset[str] = frozenset({"phase_over"})  # names that may have one value in all tested states

    def expect(self, view: View) -> Named:
        raise NotImplementedError

    def observe(self, state: State) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
        module = importlib.import_module(f"realmtable.games.{self.game.info.id}.planes")
        planes = np.full((len(module.PLANES), *module.SHAPE), 7, dtype=np.uint8)
        numbers = np.full(len(module.NUMBERS), 7, dtype=np.int16)
        module.write_observation(state.position, planes.reshape(-1), numbers)
        return planes, numbers

    def states(self) -> Iterator[State]:
        """States in which a seat acts, of random games with every set of options."""
        for number, (seats, options) in enumerate(self.cases):
            yield from islice(self.states_of_game(Random(number), seats, options), 0, None, self.every)

    def states_of_game(self, rng: Random, seats: int, options: Mapping[str, Any]) -> Iterator[State]:
        game = self.game
        state = game.initial(seats, game.options(**options))
        for _ in range(self.steps):
            acting = game.to_move(state)
            if not acting:
                return
            if acting == (CHANCE,):
                moves = [result.move for result in game.chance(state)]
            else:
                yield state
                moves = game.legal_moves(state, acting[0])
            state = game.play(state, acting[0], self.choose(rng, moves))

    def choose(self, rng: Random, moves: Sequence[Any]) -> Any:  # noqa: ANN401 - a step of any game
        return rng.choice(moves)

    def test_names_are_unique_and_fit(self) -> None:
        module = importlib.import_module(f"realmtable.games.{self.game.info.id}.planes")
        assert self.shape == module.SHAPE
        for names in (module.PLANES, module.NUMBERS):
            assert len({*names}) == len(names)

    def test_an_observation_says_what_the_view_says(self) -> None:
        """Different boards have different observations, and every plane and number is tested with several values."""
        module = importlib.import_module(f"realmtable.games.{self.game.info.id}.planes")
        seen: defaultdict[str, set[int]] = defaultdict(set)
        boards: dict[bytes, str] = {}
        for state in self.states():
            view = self.game.view(state, self.game.to_move(state)[0])
            planes, numbers = self.observe(state)
            expected_planes, expected_numbers = self.expect(view)
            for name, plane in zip(module.PLANES, planes, strict=True):
                assert np.array_equal(plane, expected_planes.pop(name)), (name, view)
                seen[name] |= {*np.unique(plane).tolist()}
            assert expected_planes == {}
            assert dict(zip(module.NUMBERS, numbers.tolist(), strict=True)) == expected_numbers, view
            for name, value in expected_numbers.items():
                seen[name].add(value)
            board = json.dumps([view.get("pieces"), view.get("realms"), view.get("mages"), view["to_move"]])
            assert boards.setdefault(planes.tobytes() + numbers.tobytes(), board) == board
        never = {name for name, values in seen.items() if len(values) == 1}
        assert never <= self.constant, never - self.constant
        assert len(boards) > 20


# ---- planes of the Realm board


def realm_plane(counts: Mapping[int, int]) -> NDArray[np.int64]:
    """A plane of 4 x 4 Realms."""
    plane = np.zeros((REALM_SIDE, REALM_SIDE), dtype=np.int64)
    for realm, count in counts.items():
        plane[divmod(realm, REALM_SIDE)] = count
    return plane


def cell_plane(names: Sequence[str]) -> NDArray[np.int64]:
    """A plane of 12 x 12 spaces with these set."""
    plane = np.zeros((SIDE, SIDE), dtype=np.int64)
    for name in names:
        plane[divmod(cell_of(name), SIDE)] = 1
    return plane


def realm_cells_plane(center: str | None) -> NDArray[np.int64]:
    """A plane of 12 x 12 spaces with all of one Realm set."""
    plane = np.zeros((SIDE, SIDE), dtype=np.int64)
    if center is not None:
        assert cell_of(center) in CENTERS
        for cell in spaces_of(realm_of(cell_of(center))):
            plane[divmod(cell, SIDE)] = 1
    return plane


def cell_of(name: str) -> int:
    cell = find_cell(name)
    assert cell is not None
    return cell


def side_of(view: View, seat: int) -> str:
    """What the acting seat calls a seat."""
    return "own" if seat == view["to_move"][0] else "opponent"


def phase_numbers(view: View, phases: Sequence[str]) -> dict[str, int]:
    """One number for each phase."""
    return {f"phase_{name}": int(name == view["phase"]) for name in phases}
