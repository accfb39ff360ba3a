"""A state of Realms of Etherium, and the members of the game that need no text. Clauses refer to RULES.md."""

from __future__ import annotations

from dataclasses import asdict
from random import Random
from typing import Any

from realmtable.engine.errors import GameOver, IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, ChanceOutcome, Outcome, Seat, Turn
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium import view as views
from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight
from realmtable.games.realms_of_etherium.notation.position_reader import decode_position
from realmtable.games.realms_of_etherium.notation.position_writer import encode_position
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.rules_record import RULES
from realmtable.games.realms_of_etherium.steps import STEP_TABLE, Step, code_of, step_of
from realmtable.games.realms_of_etherium.text.refusals import find_reason
from realmtable.kit.array_state import ArrayState

State = ArrayState[EtheriumOptions]


def first_state(seats: int, options: EtheriumOptions) -> State:
    """Return the state before the first step."""
    return ArrayState(RULES, first_position(seats, options), options)


def encode(state: State) -> str:
    """Return a state as one line of text."""
    return encode_position(state.position, state.options)


def decode(text: str) -> State:
    """Return the state of such a line."""
    position, options = decode_position(text)
    return ArrayState(RULES, position, options)


def to_move(state: State) -> tuple[Seat, ...]:
    """Return the acting seat, computed once per state."""
    if state.acting is None:
        over = state.position[layout.PHASE] == layout.OVER
        state.acting = () if over else (state.position.item(layout.SEAT),)
    return state.acting


def turn(state: State) -> Turn:
    """Return the number and the owner of the activation (N2), computed once per state."""
    if state.turn is None:
        state.turn = Turn(state.position.item(layout.TURN), state.position.item(layout.ACTIVE_SEAT))
    return state.turn


def outcome(state: State) -> Outcome | None:
    """Return how the game ended."""
    return views.outcome(state.position)


def legal_moves(state: State, seat: Seat) -> list[Step]:
    """Return the legal steps of a seat; results of chance are none."""
    if seat == CHANCE or to_move(state) != (seat,):
        return []
    return STEP_TABLE.steps_of(state.legal_codes())


def chance(state: State) -> list[ChanceOutcome]:
    """Return the results of chance with their weights, if chance acts (N11)."""
    if to_move(state) != (CHANCE,):
        return []
    return [ChanceOutcome(step_of(code), chance_weight(state.position, code)) for code in state.legal_codes()]


def play(state: State, seat: Seat, step: Step) -> State:
    """Return the state after a legal step."""
    acting = to_move(state)
    if acting != (seat,):
        raise _refuse_seat(acting)
    code = code_of(step)
    if not state.is_legal(code):
        raise IllegalMove(*find_reason(state.position, step))
    return state.after(code)


def _refuse_seat(acting: tuple[Seat, ...]) -> GameOver | NotYourTurn:
    if not acting:
        return GameOver("The game is over.")
    if acting == (CHANCE,):
        return NotYourTurn("Wait until chance has drawn.")
    return NotYourTurn(f"{INFO.seat_names[acting[0]]} has to decide first.")


def resample(state: State, _seat: Seat, _rng: Random) -> State:
    """Return the state itself: nothing is hidden, and the Supplies have no order (W9)."""
    return state


def view(state: State, viewer: Seat | None) -> dict[str, Any]:
    """Return the state as plain data; only `viewer` differs between viewers (W9)."""
    return {**state.cached_view(_spectator_view), "viewer": viewer}


def _spectator_view(state: State) -> dict[str, Any]:
    ended = outcome(state)
    return {
        "game": INFO.id,
        "viewer": None,
        "to_move": list(to_move(state)),
        "turn": turn(state)._asdict(),
        **views.board_data(state.position),
        "outcome": None if ended is None else {**asdict(ended), "winner": ended.winner},
    }
