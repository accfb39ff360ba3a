"""The game object shared by games for two whose rules are kernels, whatever they are played on.

`ArrayGame` implements what follows from the kernels, the steps and the views. A subclass for one kind of board adds
notation, pictures and words, as `kit.realm_board.board_game` does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from types import ModuleType
from typing import Any, Final, Generic, TypeVar, cast

from realmtable.engine.errors import BadOptions, GameOver, IllegalMove, NotYourTurn
from realmtable.engine.options import OptionValue, make_options
from realmtable.engine.protocol import ChanceOutcome, GameInfo, HandlePath, Outcome, ParsedTurn, Seat, Span, Turn, View
from realmtable.kit.array_state import ArrayState
from realmtable.kit.evaluation import evaluate_position, measure_features
from realmtable.kit.playouts import PLAYOUT_SOURCE, PlayoutNumbers, run_kernel
from realmtable.kit.rules import Feature, Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.kit.step_table import StepTable

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")
MAX_CACHED_HANDLES: Final = 50_000  # steps


@dataclass(frozen=True)
class ArrayGameSpec(Generic[OptionsT, StepT]):
    """The parts of a game; each function has the contract of the protocol member with the same name."""

    info: GameInfo
    rules: Rules
    first_state: Callable[[OptionsT], ArrayState[OptionsT]]
    number_turn: Callable[[Position], int]  # the number of the turn, as records write it; a kernel
    views: ModuleType  # `board_data`, `outcome` (of a finished game) and `handles`
    codec: ModuleType  # `encode` and `decode`
    step_table: StepTable[StepT]
    find_reason: Callable[[ArrayState[OptionsT], StepT], tuple[str, str]]  # clause and sentence for an illegal step
    handles: Callable[[View, StepT], HandlePath] | None = None  # set if the clicks depend on the view
    is_proposal: Callable[[StepT], bool] = lambda _: False  # whether a step only makes a proposal to the opponent
    setup_phases: tuple[str, ...] = ()  # values of `phase` in the view before the first turn


class ArrayGame(ABC, Generic[OptionsT, StepT]):
    """A game for two without chance or hidden information. `realmtable.engine.protocol.Game` documents the members."""

    def __init__(self, spec: ArrayGameSpec[OptionsT, StepT]) -> None:
        self.spec = spec
        self.info = spec.info
        self.rules = spec.rules
        self.encode: Callable[[ArrayState[OptionsT]], str] = spec.codec.encode
        self.decode: Callable[..., ArrayState[OptionsT]] = spec.codec.decode  # `sound=False`: unplayable ones too
        self.is_proposal = spec.is_proposal
        # Asked for often, and the same in every view unless the game says otherwise.
        self._handles_of: Callable[[StepT], HandlePath] | None = (
            None if spec.handles else lru_cache(MAX_CACHED_HANDLES)(spec.views.handles)
        )
        self._steps_of = spec.step_table.steps_of
        self._code_of = spec.step_table.code_of

    @abstractmethod
    def format_move(self, state: ArrayState[OptionsT], move: StepT) -> str:
        """Return the notation of a step."""

    @abstractmethod
    def parse_move(self, state: ArrayState[OptionsT], text: str) -> StepT:
        """Parse the notation of a step."""

    @abstractmethod
    def format_turn(self, state: ArrayState[OptionsT], moves: Sequence[StepT]) -> str:
        """Return the notation of a turn, as in records."""

    @abstractmethod
    def parse_turn(self, state: ArrayState[OptionsT], text: str, *, running: bool = False) -> ParsedTurn:
        """Parse the notation of a turn."""

    @abstractmethod
    def draw(self, view: View, theme: str = "auto") -> str:
        """Draw a view as SVG."""

    @abstractmethod
    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        """Draw a view for a terminal."""

    def view(self, state: ArrayState[OptionsT], viewer: Seat | None) -> dict[str, Any]:
        """Return the state as plain data; only `viewer` differs between viewers."""
        return {**state.cached_view(self._spectator_view), "viewer": viewer}

    def _spectator_view(self, state: ArrayState[OptionsT]) -> dict[str, Any]:
        data, ended = self.spec.views.board_data(state), self.outcome(state)
        return {
            "game": self.info.id,
            "viewer": None,
            "pieces": data["pieces"],
            "to_move": list(self.to_move(state)),
            "phase": data["phase"],
            "turn": self.turn(state)._asdict(),
            **data,
            "outcome": None
            if ended is None
            else {"scores": list(ended.scores), "winner": ended.winner, "reason": ended.reason, "text": ended.text},
        }

    def handles(self, view: View, move: StepT) -> HandlePath:
        if self._handles_of is not None:
            return self._handles_of(move)
        return cast("Callable[[View, StepT], HandlePath]", self.spec.handles)(view, move)

    def list_handles(self, view: View, moves: Sequence[StepT]) -> list[HandlePath]:
        if self._handles_of is not None:
            return [*map(self._handles_of, moves)]
        return [self.handles(view, move) for move in moves]

    def options(self, preset: str | None = None, **values: OptionValue) -> OptionsT:
        return cast("OptionsT", make_options(self.info.options_type, self.info.presets, preset, values))

    def initial(self, seats: int = 2, options: OptionsT | None = None) -> ArrayState[OptionsT]:
        if seats not in self.info.seats:
            raise BadOptions(f"{self.info.title} is for {self.info.players}, not {seats}.")
        return self.spec.first_state(self.options() if options is None else options)

    def to_move(self, state: ArrayState[OptionsT]) -> tuple[Seat, ...]:
        """Return the acting seat, computed once per state."""
        acting = state.acting
        if acting is None:
            position, rules = state.position, self.rules
            if rules.phase_entry is None:
                is_over = rules.is_over(position)
            else:
                is_over = position.item(rules.phase_entry) == len(rules.phases) - 1  # the last phase is the end
            acting = state.acting = () if is_over else (position.item(rules.seat_entry),)
        return acting

    def outcome(self, state: ArrayState[OptionsT]) -> Outcome | None:
        return None if self.to_move(state) else cast("Outcome", self.spec.views.outcome(state))

    def turn(self, state: ArrayState[OptionsT]) -> Turn:
        """Return the number and owner of the turn, computed once per state."""
        turn = state.turn
        if turn is None:
            position = state.position
            turn = state.turn = Turn(self.spec.number_turn(position), position.item(self.rules.seat_entry))
        return turn

    def is_in_setup(self, state: ArrayState[OptionsT]) -> bool:
        return self.view(state, None).get("phase") in self.spec.setup_phases

    def options_of(self, state: ArrayState[OptionsT]) -> OptionsT:
        return state.options

    def legal_moves(self, state: ArrayState[OptionsT], seat: Seat) -> list[StepT]:
        return self._steps_of(state.legal_codes()) if (state.acting or self.to_move(state)) == (seat,) else []

    def chance(self, state: ArrayState[OptionsT]) -> list[ChanceOutcome]:  # noqa: ARG002 - there are no dice
        return []

    def play(self, state: ArrayState[OptionsT], seat: Seat, move: StepT) -> ArrayState[OptionsT]:
        acting = state.acting or self.to_move(state)
        if acting != (seat,):
            if not acting:
                raise GameOver("The game is over.")
            raise NotYourTurn(f"It is {self.info.seat_names[acting[0]]}'s turn.")
        code = self._code_of(move)
        if not state.is_legal(code):
            raise self.refuse(state, move)
        return state.after(code)

    def refuse(self, state: ArrayState[OptionsT], move: StepT) -> IllegalMove:
        return IllegalMove(*self.spec.find_reason(state, move))

    def resample(self, state: ArrayState[OptionsT], seat: Seat, rng: Random) -> ArrayState[OptionsT]:  # noqa: ARG002
        return state

    def playouts(self, state: ArrayState[OptionsT], seeds: Sequence[int]) -> PlayoutNumbers:
        """Play one random game per seed inside the kernels, without proposals."""
        kernels = specialise(PLAYOUT_SOURCE, __package__, self.rules)
        return run_kernel(kernels.play_many, state.position, seeds, self.rules.reasons)

    def perft(self, state: ArrayState[OptionsT], depth: int) -> int:
        if depth == 0:
            return 1
        codes = state.legal_codes()  # the last step need not be played to be counted
        return len(codes) if depth == 1 else sum(self.perft(state.after(code), depth - 1) for code in codes)

    def position_of(self, state: ArrayState[OptionsT]) -> Position:
        return state.position

    def step_of(self, code: int) -> StepT:
        return self.spec.step_table.step_of(code)

    def count_actions(self) -> int:
        return self.spec.step_table.size

    def action_of(self, state: ArrayState[OptionsT], seat: Seat, move: StepT) -> int:  # noqa: ARG002 - as in every state
        return self._code_of(move)

    def move_of(self, state: ArrayState[OptionsT], seat: Seat, action: int) -> StepT:  # noqa: ARG002 - as above
        return self.spec.step_table.step_of(action)

    def features(self) -> tuple[Feature, ...]:
        return self.rules.features

    def measures(self, state: ArrayState[OptionsT]) -> tuple[float, ...]:
        """Return seat 0's value minus seat 1's for each feature."""
        return measure_features(self.rules, state.position)

    def evaluate(self, state: ArrayState[OptionsT], seat: Seat) -> float:
        return evaluate_position(self.rules, state.position, seat)
