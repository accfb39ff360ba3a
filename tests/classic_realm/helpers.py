"""Short words for the tests of Classic Realm: positions, steps, what a state holds, random options and games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import strategies as st

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import Value, as_pairs
from realmtable.games.classic_realm import game as made
from realmtable.games.classic_realm.notation import bare_text
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.position import HOLDER, NOBODY, OWED, PADS, PHASE, PHASES, SEAT, TURNS, WATER
from realmtable.games.classic_realm.state import State
from realmtable.games.classic_realm.steps import Kind, Step
from realmtable.kit.realm_board import CENTERS, REALMS, cell_name

GAME = made.GAME

NAMES = [cell_name(cell) for cell in CENTERS]


# ---- positions


def options_of(**values: Value) -> ClassicOptions:
    return GAME.options(None, **values)


def position(text: str, **options: Value) -> State:
    """A state from its line, with options apart."""
    pairs = as_pairs(options_of(**options))
    return GAME.decode(f"{text} options={','.join(pairs)}" if pairs else text)


def start(**options: Value) -> State:
    return GAME.initial(2, options_of(**options))


def seat_of(state: State) -> int:
    return int(state.position[SEAT])


def phase_of(state: State) -> str:
    return PHASES[state.position[PHASE]]


def play(state: State, texts: str) -> State:
    """Play steps written one after another."""
    for text in texts.split():
        state = GAME.play(state, seat_of(state), GAME.parse_move(state, text))
    return state


def legal(state: State) -> set[str]:
    """The legal steps, without what they set off."""
    return {bare_text(state, step) for step in GAME.legal_moves(state, seat_of(state))}


def targets(state: State, pad: str) -> set[str]:
    """Where the frog on a pad may move."""
    steps = GAME.legal_moves(state, seat_of(state))
    return {cell_name(step.to) for step in steps if step.kind == Kind.MOVE and cell_name(step.at) == pad}


def refused(state: State, text: str) -> IllegalMove:
    """The refusal of a step."""
    with pytest.raises(IllegalMove) as caught:
        play(state, text)
    return caught.value


# ---- what a state holds


def pads(state: State) -> dict[str, str]:
    """The letter of the frog on every occupied pad."""
    return {
        name: "WB"[seat]
        for realm, name in enumerate(NAMES)
        for seat in range(2)
        if state.position[PADS + seat] >> realm & 1
    }


def water(state: State) -> dict[str, list[int]]:
    """White's and Black's frogs in the water of every Realm that holds any."""
    pairs = {
        name: [int(state.position[WATER + seat * REALMS + realm]) for seat in range(2)]
        for realm, name in enumerate(NAMES)
    }
    return {name: pair for name, pair in pairs.items() if any(pair)}


def right(state: State) -> tuple[int | None, int]:
    """Who holds the right to a double move and how many turns he owes."""
    holder = int(state.position[HOLDER])
    return None if holder == NOBODY else holder, int(state.position[OWED])


def ending(state: State) -> str | None:
    """Why the game is over, if it is."""
    outcome = GAME.outcome(state)
    return None if outcome is None else outcome.reason


def summary(state: State) -> dict[str, object]:
    """A state in the words of `ClassicTwin.summary`."""
    outcome = GAME.outcome(state)
    over = outcome and {"reason": outcome.reason, "scores": list(outcome.scores), "winner": outcome.winner}
    return {
        "pads": pads(state),
        "water": water(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "holder": right(state)[0],
        "owed": right(state)[1],
        "second_half": phase_of(state) == "second",
        "over": over,
    }


# ---- random games


def random_options(rng: Random, **fixed: Value) -> ClassicOptions:
    values: dict[str, Value] = {
        "free_setup": rng.random() < 0.5,
        "double_moves": rng.random() < 0.5,
        "max_plies": rng.choice((20, 60, 300, 300, 500)),
    }
    return options_of(**(values | fixed))


def random_game(seed: int, **fixed: Value) -> Iterator[tuple[State, Step | None]]:
    """Every state of a random game under random options with the step then taken; None at the end."""
    rng = Random(seed)
    state = GAME.initial(2, random_options(rng, **fixed))
    while GAME.to_move(state):
        step = rng.choice(GAME.legal_moves(state, seat_of(state)))
        yield state, step
        state = GAME.play(state, seat_of(state), step)
    yield state, None


def random_turns(seed: int, **fixed: Value) -> Iterator[tuple[State, list[Step], State]]:
    """Every turn of a random game: the state it begins in, its steps and the state after it."""
    begin: State | None = None
    steps: list[Step] = []
    for state, step in random_game(seed, **fixed):
        begin = begin or state
        if steps and (step is None or GAME.turn(state) != GAME.turn(begin)):
            yield begin, steps, state
            begin, steps = state, []
        if step is not None:
            steps.append(step)


seeds = st.integers(min_value=0, max_value=2**32)


@st.composite
def states(draw: st.DrawFn, /, **fixed: Value) -> State:
    """A state of some random game, after at most 80 steps."""
    chosen = None
    steps = draw(st.integers(min_value=0, max_value=80))
    for _, (state, _) in zip(range(steps + 1), random_game(draw(seeds), **fixed), strict=False):
        chosen = state
    assert chosen is not None
    return chosen
