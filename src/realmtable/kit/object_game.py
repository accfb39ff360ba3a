"""The game object of a game whose states are plain values, assembled from functions in its folder.

`ArrayGame` does the same for games whose states are arrays. Optional abilities (`HasNews`, `HasBots` and so on) are
methods that the game adds in a subclass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeVar, cast

from realmtable.engine.options import OptionValue, make_options
from realmtable.engine.protocol import (
    ChanceOutcome,
    GameInfo,
    HandlePath,
    Outcome,
    ParsedTurn,
    Seat,
    Span,
    Turn,
    View,
)

OptionsT = TypeVar("OptionsT")
OptionsT_co = TypeVar("OptionsT_co", covariant=True)


class HasOptions(Protocol[OptionsT_co]):
    """A state that knows the options it is played under."""

    @property
    def options(self) -> OptionsT_co:
        """The game's own options."""


StateT = TypeVar("StateT", bound=HasOptions[Any])
StepT = TypeVar("StepT")


@dataclass(frozen=True)
class ObjectGameSpec(Generic[OptionsT, StateT, StepT]):
    """What a game provides; each function does what the protocol says about the member of the same name."""

    info: GameInfo
    first_state: Callable[[int, OptionsT], StateT]  # refuses a wrong number of seats
    to_move: Callable[[StateT], tuple[Seat, ...]]
    turn: Callable[[StateT], Turn]
    legal_moves: Callable[[StateT, Seat], list[StepT]]
    chance: Callable[[StateT], list[ChanceOutcome]]
    play: Callable[[StateT, Seat, StepT], StateT]
    outcome: Callable[[StateT], Outcome | None]
    view: Callable[[StateT, Seat | None], dict[str, Any]]
    resample: Callable[[StateT, Seat, Random], StateT]
    format_move: Callable[[StepT], str]  # a step is written alike in every state
    parse_move: Callable[[str], StepT]
    format_turn: Callable[[Sequence[StepT]], str]
    parse_turn: Callable[[StateT, str], ParsedTurn]
    encode: Callable[[StateT], str]
    decode: Callable[[str], StateT]
    draw: Callable[[View, str], str]
    sketch: Callable[[View], Sequence[Sequence[Span]]]
    handles: Callable[[View, StepT], HandlePath]


class ObjectGame(Generic[OptionsT, StateT, StepT]):
    """A game made from an `ObjectGameSpec`. `realmtable.engine.protocol.Game` documents its members."""

    def __init__(self, spec: ObjectGameSpec[OptionsT, StateT, StepT]) -> None:
        self.spec = spec
        self.info = spec.info
        self.to_move = spec.to_move
        self.turn = spec.turn
        self.legal_moves = spec.legal_moves
        self.chance = spec.chance
        self.play = spec.play
        self.outcome = spec.outcome
        self.view = spec.view
        self.resample = spec.resample
        self.encode = spec.encode
        self.decode = spec.decode
        self.sketch = spec.sketch
        self.handles = spec.handles

    def options(self, preset: str | None = None, **values: OptionValue) -> OptionsT:
        return cast("OptionsT", make_options(self.info.options_type, self.info.presets, preset, values))

    def initial(self, seats: int = 2, options: OptionsT | None = None) -> StateT:
        return self.spec.first_state(seats, self.options() if options is None else options)

    def options_of(self, state: StateT) -> OptionsT:
        return cast("OptionsT", state.options)

    def format_move(self, state: StateT, move: StepT) -> str:  # noqa: ARG002 - a step is written alike in every state
        return self.spec.format_move(move)

    def parse_move(self, state: StateT, text: str) -> StepT:  # noqa: ARG002 - a text means the same in every state
        return self.spec.parse_move(text)

    def format_turn(self, state: StateT, moves: Sequence[StepT]) -> str:  # noqa: ARG002 - as above
        return self.spec.format_turn(moves)

    def parse_turn(self, state: StateT, text: str, *, running: bool = False) -> ParsedTurn:  # noqa: ARG002 - no step ends a turn
        return self.spec.parse_turn(state, text)

    def draw(self, view: View, theme: str = "auto") -> str:
        return self.spec.draw(view, theme)
