"""Short words for the tests of Modern Realm: positions, steps, random options and random games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import Value, as_pairs
from realmtable.games.modern_realm import game as made
from realmtable.games.modern_realm.notation import LETTERS, bare_text
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.position import EMPTY, KIND, PHASE, PHASES, SEAT, SIDE_BIT, TURNS, WAITING
from realmtable.games.modern_realm.state import State
from realmtable.games.modern_realm.steps import Kind, Step
from realmtable.kit.realm_board import CELLS, cell_name

GAME = made.GAME

HOMES = ("b2", "e2", "h2", "k2", "b5", "e5", "h5", "k5")
SHORT: dict[str, Value] = {"max_turns": 20}


def options_of(**values: Value) -> ModernOptions:
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


def pieces(state: State) -> dict[str, str]:
    """The piece on every occupied space: ``WA``, ``BC``, ``WH``."""
    board = state.position[:CELLS].tolist()
    return {
        cell_name(cell): "WB"[piece >> SIDE_BIT] + LETTERS[piece & KIND]
        for cell, piece in enumerate(board)
        if piece != EMPTY
    }


def changed(before: State, after: State) -> dict[str, str]:
    """The spaces that differ, with what stands there now; nothing is an empty text."""
    old, new = pieces(before), pieces(after)
    return {space: new.get(space, "") for space in old | new if old.get(space) != new.get(space)}


def ending(state: State) -> str | None:
    """Why the game is over, if it is."""
    outcome = GAME.outcome(state)
    return None if outcome is None else outcome.reason


def summary(state: State) -> dict[str, object]:
    """A state in the words of `ModernTwin.summary`."""
    view = GAME.view(state, None)
    over = view["outcome"] and {key: view["outcome"][key] for key in ("reason", "scores", "winner")}
    return {
        "pieces": pieces(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "realm": view["open"]["origin"],
        "unmoved": view["open"]["left"],
        "dislodging": view["dislodged"]["realm"] if state.position[WAITING] >= 0 else None,
        "over": over,
    }


# ---- random games


def random_options(rng: Random, **fixed: Value) -> ModernOptions:
    """Every option at random."""
    values: dict[str, Value] = {
        "counter_agent": rng.choice(("e2", "choose", "choose", *HOMES)),
        "hq_counts": rng.random() < 0.6,
        "max_turns": rng.choice((20, 60, 300, 1000)),
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
