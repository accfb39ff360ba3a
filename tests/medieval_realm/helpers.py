"""Short words for the tests of Medieval Realm: positions, steps, what changed, random options and random games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st

import realmtable
from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import Value, as_pairs
from realmtable.engine.record import Record, load
from realmtable.games.medieval_realm import game as made
from realmtable.games.medieval_realm.notation import bare_text
from realmtable.games.medieval_realm.options import DUKE_SQUARES, MedievalOptions
from realmtable.games.medieval_realm.position import BORDER, DUKE_ROW, OFF, SEAT, TURNS
from realmtable.games.medieval_realm.state import State
from realmtable.games.medieval_realm.steps import Step
from realmtable.kit.realm_board import REALMS, cell_name, center_of

GAME = made.GAME

# ---- positions


def options_of(**values: Value) -> MedievalOptions:
    return GAME.options(None, **values)


def position(text: str, **options: Value) -> State:
    """A state from its line, with options apart."""
    pairs = as_pairs(options_of(**options))
    return GAME.decode(f"{text} options={','.join(pairs)}" if pairs else text)


def start(**options: Value) -> State:
    return GAME.initial(2, options_of(**options))


def seat_of(state: State) -> int:
    return int(state.position[SEAT])


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
    return {text[1 + len(space) :] for text in legal(state) if text[1:].startswith(space)}


def refused(state: State, text: str) -> IllegalMove:
    """The refusal of a step."""
    with pytest.raises(IllegalMove) as caught:
        play(state, text)
    return caught.value


# ---- records

FOLDER = Path(realmtable.__file__).parent / "games" / "medieval_realm"


@cache
def text_of(name: str) -> str:
    return (FOLDER / "records" / f"{name}.record").read_text(encoding="utf-8")


@cache
def record_of(name: str) -> Record:
    return load(text_of(name), realmtable.game)


# ---- what a state holds


def pair(state: State, entry: int) -> list[int]:
    return [int(state.position[entry]), int(state.position[entry + 1])]


def centers(state: State) -> dict[str, str]:
    """The piece on every Center that is held: ``WD``, ``BM``."""
    pieces = {cell_name(center_of(realm)): int(state.position[realm]) for realm in range(REALMS)}
    return {name: "WB"[piece >> 2] + " DM"[piece & 3] for name, piece in pieces.items() if piece}


def border(state: State) -> dict[str, list[int]]:
    """How many Men of each seat lie in a Realm, where any do."""
    lying = {cell_name(center_of(realm)): pair(state, BORDER + 2 * realm) for realm in range(REALMS)}
    return {name: men for name, men in lying.items() if men != [0, 0]}


def off(state: State) -> list[int]:
    return pair(state, OFF)


def duke_rows(state: State) -> list[int]:
    return pair(state, DUKE_ROW)


def ending(state: State) -> str | None:
    """Why the game is over, if it is."""
    outcome = GAME.outcome(state)
    return None if outcome is None else outcome.reason


def summary(state: State) -> dict[str, object]:
    """A state in the words of `MedievalTwin.summary`."""
    outcome = GAME.outcome(state)
    over: dict[str, object] | None = None
    if outcome is not None:
        over = {"reason": outcome.reason, "scores": list(outcome.scores), "winner": outcome.winner}
    return {
        "centers": centers(state),
        "border": border(state),
        "off": off(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "duke_rows": duke_rows(state),
        "over": over,
    }


# ---- random games


def random_options(rng: Random, **fixed: Value) -> MedievalOptions:
    values: dict[str, Value] = {
        "duke_squares": rng.choice(DUKE_SQUARES),
        "duke_draw": rng.random() < 0.5,
        "max_plies": rng.choice((20, 60, 300, 500)),
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


seeds = st.integers(min_value=0, max_value=2**32)


@st.composite
def states(draw: st.DrawFn, /, **fixed: Value) -> State:
    """A state of some random game, after at most 80 steps."""
    steps = draw(st.integers(min_value=0, max_value=80))
    found = [state for _, (state, _) in zip(range(steps + 1), random_game(draw(seeds), **fixed), strict=False)]
    return found[-1]
