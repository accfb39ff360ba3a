"""Oriental Realm as a game object: the protocol's members, each a few lines over the other modules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from realmtable.engine.errors import BadOptions, GameOver, NotYourTurn
from realmtable.engine.options import Value, make
from realmtable.engine.protocol import ChanceOutcome, GameInfo, Outcome, Path, ReadTurn, Seat, Span, Turn, View
from realmtable.games.oriental_realm import INFO, codec
from realmtable.games.oriental_realm import view as views
from realmtable.games.oriental_realm.notation import GRAMMAR, parse_move
from realmtable.games.oriental_realm.options import PRESETS, OrientalOptions
from realmtable.games.oriental_realm.position import OVER, PHASE, REASONS, SEAT
from realmtable.games.oriental_realm.state import State, first_state
from realmtable.games.oriental_realm.steps import Step, code_of, step_of
from realmtable.games.oriental_realm.why import refuse
from realmtable.kit.playouts import PlayoutNumbers, run_kernel
from realmtable.kit.realm_text import format_step, format_turn, parse_turn


class OrientalRealm:
    """The game of surrounding. See `realmtable.engine.protocol.Game` for what each member promises."""

    info: GameInfo = INFO

    def options(self, preset: str | None = None, **values: Value) -> OrientalOptions:
        """Options from a preset and single values over it."""
        return make(OrientalOptions, PRESETS, preset, values)

    def initial(self, seats: int = 2, options: OrientalOptions | None = None) -> State:
        """The board before the first step."""
        if seats not in INFO.seats:
            raise BadOptions(f"Oriental Realm is for 2 players, not {seats}.")
        return first_state(options or OrientalOptions())

    def options_of(self, state: State) -> OrientalOptions:
        """The options a state is played under."""
        return state.options

    def to_move(self, state: State) -> tuple[Seat, ...]:
        """The seat that acts, or none when the game is over."""
        return views.to_move(state)

    def turn(self, state: State) -> Turn:
        """The current turn, numbered in pairs."""
        return views.turn(state)

    def legal_moves(self, state: State, seat: Seat) -> list[Step]:
        """Every legal step of a seat."""
        if state.position.item(SEAT) != seat:
            return []
        return [*map(step_of, state.codes())]

    def chance(self, state: State) -> list[ChanceOutcome]:  # noqa: ARG002 - there are no dice
        """Nothing: chance never acts."""
        return []

    def play(self, state: State, seat: Seat, move: Step) -> State:
        """The state after a legal step."""
        position = state.position
        if position.item(PHASE) == OVER:
            raise GameOver("The game is over.")
        if position.item(SEAT) != seat:
            raise NotYourTurn(f"It is {INFO.seat_names[position.item(SEAT)]}'s turn.")
        code = code_of(move)
        if code not in state.codes():
            raise refuse(state, move)
        return state.after(code)

    def outcome(self, state: State) -> Outcome | None:
        """Who has won and why, once the game is over."""
        return views.outcome(state)

    def view(self, state: State, seat: Seat | None) -> dict[str, Any]:
        """The whole state as plain data: nothing is hidden."""
        return views.view(state, seat)

    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # noqa: ARG002 - nothing is hidden
        """The state itself."""
        return state

    def format_move(self, state: State, move: Step) -> str:
        """The step as it is written."""
        return format_step(GRAMMAR, state, move)

    def parse_move(self, state: State, text: str) -> Step:  # noqa: ARG002 - a text means the same in every state
        """The step of a text."""
        return parse_move(text)

    def format_turn(self, state: State, moves: Sequence[Step]) -> str:
        """A turn as a record has it."""
        return format_turn(GRAMMAR, state, moves)

    def parse_turn(self, state: State, text: str, *, running: bool = False) -> ReadTurn:
        """The steps of a turn's text."""
        return parse_turn(GRAMMAR, state, text, running=running)

    def encode(self, state: State) -> str:
        """The state in one line."""
        return codec.encode(state)

    def decode(self, text: str) -> State:
        """The state of a line."""
        return codec.decode(text)

    def draw(self, view: View, theme: str = "auto") -> str:
        """The board as SVG."""
        from realmtable.games.oriental_realm.draw import draw  # noqa: PLC0415 - only for those who look

        return draw(view, theme)

    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        """The board for a terminal."""
        from realmtable.games.oriental_realm.draw import sketch  # noqa: PLC0415 - only for those who look

        return sketch(view)

    def handles(self, view: View, move: Step) -> Path:
        """The clicks that mean a step."""
        return views.handles(view["phase"], move)

    def playouts(self, state: State, seeds: Sequence[int]) -> PlayoutNumbers:
        """One random game from a state for each seed, inside the kernels."""
        from realmtable.games.oriental_realm.playout import play_many  # noqa: PLC0415 - only for those who measure

        return run_kernel(play_many, state.position, seeds, REASONS)

    def evaluate(self, state: State, seat: Seat) -> float:
        """How good a state is for a seat, at a glance."""
        from realmtable.games.oriental_realm.bot import evaluate  # noqa: PLC0415 - only for bots

        return evaluate(state, seat)
