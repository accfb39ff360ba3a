"""The rules are symmetric: on a turned board, steps, results, warnings and worth are turned too.

Symmetries turn the texts of positions and steps: the spaces, the facings and, if colours are swapped, the seats.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.realm.layout import FIRST_PLACER
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import (
    FACINGS,
    SYMMETRIES,
    Symmetry,
    cell_name,
    direction_between,
    find_cell,
    ray,
    transform_cell,
)
from tests.realm_boards.boards import BOARDS, Board

State = ArrayState[Any]
SPACE = r"[a-l](?:1[0-2]|[1-9])(?!\d)"
SEATS = {"W": "B", "B": "W", "White": "Black", "Black": "White"}
# The words and letters that name a seat in a position or a step.
SEAT = re.compile(r"White|Black|[WB](?=:)|(?<==)[WB]\b|(?<=row)[WB]|(?<=[=,])[WB](?=[PE][a-l])")


class Turning(NamedTuple):
    """A symmetry of the board, with or without a swap of colours."""

    symmetry: Symmetry
    swap: bool

    def turn(self, text: str) -> str:
        """Turn the spaces and facings in a text, and swap the seats it names."""
        turned = re.sub(rf"({SPACE})([NESW]?)", self._turn_space, text)
        if not self.swap:
            return turned
        turned = SEAT.sub(lambda found: SEATS[found[0]], turned)
        return re.sub(r"=(\d+)/(\d+)", r"=\2/\1", turned)

    def _turn_space(self, found: re.Match[str]) -> str:
        cell = find_cell(found[1])
        assert cell is not None
        return cell_name(transform_cell(cell, self.symmetry)) + (found[2] and self._turn_facing(found[2]))

    def _turn_facing(self, facing: str) -> str:
        line = [transform_cell(cell, self.symmetry) for cell in ray(66, FACINGS.index(facing))]
        way = direction_between(line[0], line[-1])
        assert way is not None
        return FACINGS[way]


def line_of(tested: Board, state: State) -> str:
    """A state as a line without its history and options, with the fields whose defaults depend on the seat."""
    left_out = ("seen=", "options=", "right=", "owed=", "first=")
    words = [word for word in tested.game.encode(state).split() if not word.startswith(left_out)]
    if tested.game.info.id == "realm":
        words.append(f"first={'WB'[state.position[FIRST_PLACER]]}")
    if right := tested.game.view(state, None).get("right"):
        words += [f"right={'WB'[right['seat']]}", f"owed={right['owed']}"]
    return " ".join(words)


def read_line(tested: Board, line: str, like: State) -> State:
    """The state of a line under the options of another one."""
    options = re.search(r"options=\S+", tested.game.encode(like))
    return tested.game.decode(f"{line} {options[0] if options else ''}")


def turn_state(tested: Board, turning: Turning, state: State) -> State:
    return read_line(tested, turning.turn(line_of(tested, state)), state)


ALL = [Turning(symmetry, swap) for symmetry in SYMMETRIES for swap in (False, True)]
FORWARD = [Turning(4, swap=False), Turning(2, swap=True), Turning(6, swap=True)]  # where each seat has its own half
GAMES: dict[str, tuple[list[Turning], dict[str, OptionValue]]] = {  # symmetries, and options of the random games
    "realm": (ALL, {"choose_seat": "none", "max_turns": 40}),  # V11 is a privilege of Black's
    "classic_realm": (ALL, {"free_setup": False, "max_plies": 60}),
    "medieval_realm": (FORWARD, {}),
    "oriental_realm": (ALL, {"free_setup": False, "emperor": "e2", "warning": True, "max_turns": 20}),
    "modern_realm": (FORWARD, {"counter_agent": "e2", "max_turns": 40}),
}
each_turning = pytest.mark.parametrize(
    ("tested", "turning"),
    [
        pytest.param(BOARDS[name], turning, id=f"{name}-{turning.symmetry}{'-swapped' * turning.swap}")
        for name, (turnings, _) in GAMES.items()
        for turning in turnings
    ],
)


@cache
def sample(name: str, seed: int, size: int) -> list[State]:
    """Some states of a random game, with nothing seen before: keys of positions do not turn with the board."""
    tested, (_, options) = BOARDS[name], GAMES[name]
    states = [state for state, step in tested.random_game(seed, **options) if step is not None]
    chosen = Random(seed).sample(states, min(size, len(states)))
    return [read_line(tested, line_of(tested, state), state) for state in chosen]


def is_rearranging(tested: Board, state: State) -> bool:
    """Whether pieces are put back, by space in ascending order (S8), which a turned board does not keep."""
    return bool(tested.game.view(state, None)["phase"] == "rearrange")


@each_turning
def test_turned_boards_have_turned_steps_and_results(tested: Board, turning: Turning) -> None:
    for state in (state for seed in range(3) for state in sample(tested.game.info.id, seed, 6)):
        if is_rearranging(tested, state):
            continue
        image, texts = turn_state(tested, turning, state), sorted(tested.legal(state))
        assert {turning.turn(text) for text in texts} == tested.legal(image)
        for text in texts[::9]:
            after, image_after = tested.play(state, text), tested.play(image, turning.turn(text))
            found = read_line(tested, line_of(tested, image_after), image)
            assert turn_state(tested, turning, after) == found, text


@each_turning
def test_judgement_knows_no_direction_and_no_colour(tested: Board, turning: Turning) -> None:
    side = -1 if turning.swap else 1
    for state in sample(tested.game.info.id, turning.symmetry, 6):
        image = turn_state(tested, turning, state)
        assert tested.game.measures(image) == pytest.approx([side * amount for amount in tested.game.measures(state)])
        assert tested.game.evaluate(image, int(turning.swap)) == pytest.approx(tested.game.evaluate(state, 0))
        assert tested.game.evaluate(state, 1) == -tested.game.evaluate(state, 0)
        warned = [tested.game.view(each, None).get("warned", []) for each in (state, image)]
        assert {turning.turn(name) for name in warned[0]} == set(warned[1])


def find_results(tested: Board, state: State) -> set[str]:
    """Where the steps of a Rearrangement lead."""
    found: set[str] = set()
    open_states = [state]
    while open_states:
        state = open_states.pop()
        if is_rearranging(tested, state):
            open_states += [tested.play(state, text) for text in tested.legal(state)]
        else:
            found.add(line_of(tested, state))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_turned_rearrangements_have_turned_results(seed: int) -> None:
    tested, rng = BOARDS["realm"], Random(seed)
    states = [state for state, _ in tested.random_game(seed, choose_seat="none", max_turns=60)]
    lifted = [
        after
        for before, after in pairwise(states)
        if is_rearranging(tested, after) and not is_rearranging(tested, before)
        if len(tested.game.view(after, None)["lifted"]) <= 2
    ]
    for state in rng.sample(lifted, min(2, len(lifted))):
        turning = rng.choice(ALL)
        image = turn_state(tested, turning, state)
        lines = [turning.turn(line) for line in find_results(tested, state)]
        expected = {line_of(tested, read_line(tested, line, state)) for line in lines}
        assert expected == find_results(tested, image)


@pytest.mark.parametrize("name", ["medieval_realm", "oriental_realm", "modern_realm"])
def test_half_a_turn_with_swapped_colours_is_the_first_position_again(name: str) -> None:
    tested = BOARDS[name]
    for preset in tested.game.info.presets:
        first = tested.game.initial(2, tested.game.options(preset))
        image = read_line(tested, Turning(2, swap=True).turn(line_of(tested, first)).replace("move=B", "move=W"), first)
        assert tested.game.encode(image) == tested.game.encode(first)
