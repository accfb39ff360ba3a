"""Short words for the tests of Oriental Realm: positions, steps, random options and random games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import Value, as_pairs
from realmtable.games.oriental_realm import game as made
from realmtable.games.oriental_realm.groups import men_of
from realmtable.games.oriental_realm.notation import bare_text, piece_text
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import PHASE, PHASES, REALM, SEAT, TURNS
from realmtable.games.oriental_realm.state import State
from realmtable.games.oriental_realm.steps import Kind, Step
from realmtable.games.oriental_realm.view import unmoved
from realmtable.kit.realm_board import CENTERS, cell_name, cell_named

GAME = made.GAME
THRONES = tuple(cell_name(cell) for cell in CENTERS[:8])
SHORT: dict[str, Value] = {"max_turns": 20}


# ---- positions


def options_of(**values: Value) -> OrientalOptions:
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
    """The legal steps as they are written."""
    return {bare_text(state, step) for step in GAME.legal_moves(state, seat_of(state))}


def targets(state: State, space: str) -> set[str]:
    """Where the piece on a space may move."""
    steps = GAME.legal_moves(state, seat_of(state))
    return {cell_name(step.to) for step in steps if step.kind == Kind.MOVE and cell_name(step.at) == space}


def movers(state: State) -> set[str]:
    """The spaces of the pieces that may move."""
    steps = GAME.legal_moves(state, seat_of(state))
    return {cell_name(step.at) for step in steps if step.kind == Kind.MOVE}


def refused(state: State, text: str) -> IllegalMove:
    """The refusal of a step."""
    with pytest.raises(IllegalMove) as caught:
        play(state, text)
    return caught.value


def cell(name: str) -> int:
    found = cell_named(name)
    assert found is not None
    return found


# ---- what a state holds


def pieces(state: State) -> dict[str, str]:
    """The piece on every occupied space: ``WM``, ``BE``."""
    return {
        cell_name(at): "WB"[seat] + piece_text(int(state.position[at]), at)[0]
        for seat in range(2)
        for at in men_of(state.position, seat)
    }


def ending(state: State) -> str | None:
    """Why the game is over, if it is."""
    outcome = GAME.outcome(state)
    return None if outcome is None else outcome.reason


def winner(state: State) -> int | None:
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.winner


def summary(state: State) -> dict[str, object]:
    """A state in the words of `OrientalTwin.summary`."""
    outcome = GAME.outcome(state)
    over: dict[str, object] | None = None
    if outcome is not None:
        over = {"reason": outcome.reason, "scores": list(outcome.scores), "winner": outcome.winner}
    realm = int(state.position[REALM])
    return {
        "pieces": pieces(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "realm": cell_name(CENTERS[realm]) if realm >= 0 else None,
        "unmoved": [cell_name(at) for at in unmoved(state)],
        "over": over,
    }


# ---- random games


def random_options(rng: Random, **fixed: Value) -> OrientalOptions:
    """Every option at random, the refused pair left out."""
    values: dict[str, Any] = {"free_setup": rng.random() < 0.3, "warning": rng.random() < 0.3}
    choices = [*THRONES, "e2", "e2"] if values["free_setup"] else [*THRONES, "choose", "choose"]
    values.update(emperor=rng.choice(choices), max_turns=rng.choice((20, 60, 100, 400)))
    return OrientalOptions(**(values | fixed))


def random_step(rng: Random, state: State) -> Step:
    """Any legal step."""
    return rng.choice(GAME.legal_moves(state, seat_of(state)))


def random_game(seed: int, **fixed: Value) -> Iterator[tuple[State, Step | None]]:
    """Every state of a random game under random options with the step then taken; None at the end."""
    rng = Random(seed)
    state = GAME.initial(2, random_options(rng, **fixed))
    while GAME.to_move(state):
        step = random_step(rng, state)
        yield state, step
        state = GAME.play(state, seat_of(state), step)
    yield state, None


def random_turns(seed: int, **fixed: Value) -> Iterator[tuple[State, list[Step], State]]:
    """Every turn of a random game: the state it begins in, its steps and the state after it."""
    begin: State | None = None
    steps: list[Step] = []
    for state, step in random_game(seed, **fixed):
        begin = begin or state
        if steps and state.position[REALM] < 0:
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
