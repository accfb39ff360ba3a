"""Short words for the tests of Realm: positions, steps, what changed, random options and random games."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from realmtable.engine.errors import BadOptions, IllegalMove
from realmtable.engine.options import Value, as_pairs
from realmtable.games.realm import game as made
from realmtable.games.realm.notation import bare_text, piece_text
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    BASES_LEFT,
    CAPTURED,
    EMPTY,
    ENFORCERS_LEFT,
    OFFER,
    OFFERED,
    PHASE,
    PHASES,
    QUIET,
    SEAT,
    SIDE_BIT,
    TURNS,
)
from realmtable.games.realm.rules import tally
from realmtable.games.realm.state import State
from realmtable.games.realm.steps import Kind, Step
from realmtable.kit.realm_board import CELLS, cell_name

GAME = made.GAME

SETUP = "Bh11 Bh2 Be8 Be5 Bb5 Bb8 Pi10 Pg3 Pf7 Pd6 Pc4 Pc9"  # the magazine's
TALK = (Kind.OFFER, Kind.ACCEPT)


# ---- positions


def options_of(**values: Value) -> RealmOptions:
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


# ---- what a state holds


def pieces(state: State) -> dict[str, str]:
    """The piece on every occupied space: ``WB``, ``BP``, ``WES``, ``BEx``."""
    found = {}
    for cell in range(CELLS):
        piece = int(state.position[cell])
        if piece != EMPTY:
            text = piece_text(piece, cell)
            found[cell_name(cell)] = "WB"[piece >> SIDE_BIT] + text.replace(cell_name(cell), "", 1)
    return found


def changed(before: State, after: State) -> dict[str, str]:
    """The spaces that differ, with what stands there now; nothing is an empty text."""
    old, new = pieces(before), pieces(after)
    return {space: new.get(space, "") for space in old | new if old.get(space) != new.get(space)}


def pair(state: State, entry: int) -> tuple[int, int]:
    return int(state.position[entry]), int(state.position[entry + 1])


def bases_left(state: State) -> tuple[int, int]:
    return pair(state, BASES_LEFT)


def enforcers_left(state: State) -> tuple[int, int]:
    return pair(state, ENFORCERS_LEFT)


def captured(state: State) -> tuple[int, int]:
    return pair(state, CAPTURED)


def plays(state: State) -> tuple[str | None, str | None]:
    """The Realms a Dispersal is open from and a Concentration into."""
    shown = GAME.view(state, None)["open"]
    return shown["origin"], shown["target"]


def ending(state: State) -> str | None:
    """Why the game is over, if it is."""
    outcome = GAME.outcome(state)
    return None if outcome is None else outcome.reason


def summary(state: State) -> dict[str, object]:
    """A state in the words of `Twin.summary`."""
    reason = ending(state)
    over: dict[str, object] | None = None
    if reason is not None:
        white, black = (tuple(int(number) for number in tally(state.position, seat)) for seat in range(2))
        winner = None if white == black else 0 if white > black else 1
        over = {"reason": reason, "realms": [white[0], black[0]], "tie": [white[1], black[1]], "winner": winner}
    return {
        "pieces": pieces(state),
        "seat": None if over else seat_of(state),
        "bases_left": list(bases_left(state)),
        "enforcers_left": list(enforcers_left(state)),
        "captured": list(captured(state)),
        "turns": int(state.position[TURNS]),
        "quiet": int(state.position[QUIET]),
        "over": over,
    }


# ---- random games

SWITCHES = tuple(
    field.name for field in dataclasses.fields(RealmOptions) if isinstance(field.metadata["option"]["default"], bool)
)
SHORT: dict[str, Value] = {"max_turns": 20, "no_progress": 10}


def random_options(rng: Random, **fixed: Value) -> RealmOptions:
    """Every option at random, drawn again where two contradict each other."""
    while True:
        values: dict[str, Any] = {name: rng.random() < 0.4 for name in SWITCHES}
        values.update(bases=rng.randint(11, 14), enforcers=rng.randint(4, 9), powers=rng.choice((3, 4)))
        values.update(choose_seat=rng.choice(("none", "none", "place", "move", "both")))
        values.update(tie_break=rng.choice(("enforcers", "enforcers+captures")))
        values.update(rearrange=rng.choice(("free", "all_move")))
        values.update(no_progress=rng.choice((10, 30, 60)), max_turns=rng.choice((40, 100, 300)))
        try:
            return RealmOptions(**(values | fixed))
        except BadOptions:
            continue


def random_step(rng: Random, state: State) -> Step:
    """Any legal step; offers and agreements are rare."""
    steps = GAME.legal_moves(state, seat_of(state))
    step = rng.choice(steps)
    if step.kind in TALK and rng.random() < 0.9:
        return rng.choice([other for other in steps if other.kind not in TALK])
    return step


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
        if steps and begins_turn(state):
            yield begin, steps, state
            begin, steps = state, []
        if step is not None:
            steps.append(step)


def begins_turn(state: State) -> bool:
    """Whether no step of the present turn has been made, or the game is over."""
    view = GAME.view(state, None)
    fresh = view["open"] == {"origin": None, "target": None, "moves": 0} and state.position[OFFER] != OFFERED
    return ending(state) is not None or (fresh and view["phase"] in ("choose", "bases", "powers", "turn"))


seeds = st.integers(min_value=0, max_value=2**32)


@st.composite
def states(draw: st.DrawFn, /, **fixed: Value) -> State:
    """A state of some random game, after at most 120 steps."""
    chosen = None
    steps = draw(st.integers(min_value=0, max_value=120))
    for _, (state, _) in zip(range(steps + 1), random_game(draw(seeds), **fixed), strict=False):
        chosen = state
    assert chosen is not None
    return chosen
