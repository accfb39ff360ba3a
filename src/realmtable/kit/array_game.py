"""The game object shared by all games whose rules are kernels.

A game passes its own parts as an `ArrayGameSpec`; `ArrayGame` implements the rest of the protocol once for all of them.
A game's modules `picture`, `describe` and `prompts` are imported on first use, because only some callers need them.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from types import ModuleType
from typing import Any, Final, Generic, TypeVar, cast

from realmtable.engine import perft as counting
from realmtable.engine.errors import BadOptions, BadPosition, GameOver, NotYourTurn
from realmtable.engine.options import OptionValue, make_options
from realmtable.engine.protocol import (
    ChanceOutcome,
    GameInfo,
    HandlePath,
    Outcome,
    PalettePiece,
    ParsedTurn,
    Prompt,
    Reason,
    Seat,
    Span,
    Turn,
    View,
)
from realmtable.kit.array_state import ArrayState
from realmtable.kit.evaluation import evaluate_position, measure_features
from realmtable.kit.observations import Parts
from realmtable.kit.playouts import PLAYOUT_SOURCE, PlayoutNumbers, run_kernel
from realmtable.kit.realm_board import position_editor as palettes
from realmtable.kit.realm_board.notation import Grammar, format_legal_steps, format_step, format_turn, parse_turn
from realmtable.kit.rules import Feature, Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.kit.step_table import StepTable

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")
MAX_CACHED_HANDLES: Final = 50_000  # steps
MAX_CACHED_TEXTS: Final = 10_000  # that were parsed; anyone can send others, so they are short
MAX_CACHED_LENGTH: Final = 40  # characters
_NOTATION_EXAMPLE: Final = re.compile(r", like [^.;]*")  # helps only those who type


@dataclass(frozen=True)
class ArrayGameSpec(Generic[OptionsT, StepT]):
    """The parts of a game; each function has the contract of the protocol member with the same name."""

    info: GameInfo
    package: str
    rules: Rules
    first_state: Callable[[OptionsT], ArrayState[OptionsT]]
    views: ModuleType  # `board_data`, `to_move`, `turn`, `outcome` and `handles`
    codec: ModuleType  # `encode`, `decode` and PALETTE (the pieces, see `realmtable.kit.realm_board.position_editor`)
    step_table: StepTable[StepT]
    grammar: Grammar[OptionsT, StepT]
    # clause and sentence for clicks that begin no legal step; None if they mean nothing
    why_not_clicked: Callable[[ArrayState[OptionsT], HandlePath], tuple[str, str] | None]
    handles: Callable[[View, StepT], HandlePath] | None = None  # set if the clicks depend on the view
    is_proposal: Callable[[StepT], bool] = lambda _: False  # whether a step only makes a proposal to the opponent
    setup_phases: tuple[str, ...] = ()  # values of `phase` in the view before the first turn
    perft: Callable[[ArrayState[OptionsT], int], int] | None = None  # counts inside the kernels


def make_spec(
    info: GameInfo,
    modules: Sequence[ModuleType],
    **others: Any,  # noqa: ANN401 - the optional fields of `ArrayGameSpec`
) -> ArrayGameSpec[Any, Any]:
    """Build the spec of a game from the modules of its folder, given in any order."""
    folder = {module.__name__.rpartition(".")[2]: module for module in modules}
    return ArrayGameSpec(
        info=info,
        package=modules[0].__name__.rpartition(".")[0],
        rules=folder["rules_record"].RULES,
        first_state=folder["first_state"].first_state,
        views=folder["view"],
        codec=folder["codec"],
        step_table=folder["steps"].STEP_TABLE,
        grammar=folder["notation"].GRAMMAR,
        why_not_clicked=folder["refusals"].why_not_clicked,
        **others,
    )


class ArrayGame(Generic[OptionsT, StepT]):
    """A game without chance or hidden information. `realmtable.engine.protocol.Game` documents the members."""

    def __init__(self, spec: ArrayGameSpec[OptionsT, StepT]) -> None:
        self.spec = spec
        self.info = spec.info
        self.rules = spec.rules
        self.outcome: Callable[[ArrayState[OptionsT]], Outcome | None] = spec.views.outcome
        self._find_acting: Callable[[ArrayState[OptionsT]], tuple[Seat, ...]] = spec.views.to_move
        self._find_turn: Callable[[ArrayState[OptionsT]], Turn] = spec.views.turn
        self.encode: Callable[[ArrayState[OptionsT]], str] = spec.codec.encode
        self.decode: Callable[..., ArrayState[OptionsT]] = spec.codec.decode  # `sound=False`: unplayable ones too
        self.is_proposal = spec.is_proposal
        # Asked for often, and the same in every view unless the game says otherwise.
        self._handles_of: Callable[[StepT], HandlePath] | None = (
            None if spec.handles else lru_cache(MAX_CACHED_HANDLES)(spec.views.handles)
        )
        self._steps_of = spec.step_table.steps_of
        self._code_of = spec.step_table.code_of
        self._parse_short = lru_cache(MAX_CACHED_TEXTS)(spec.grammar.parse)
        self._labels: Mapping[str, str] | None = None  # until the first use

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
        """Return the clicks that enter a step."""
        if self._handles_of is not None:
            return self._handles_of(move)
        return cast("Callable[[View, StepT], HandlePath]", self.spec.handles)(view, move)

    def list_handles(self, view: View, moves: Sequence[StepT]) -> list[HandlePath]:
        """Return the clicks that enter each of several steps."""
        if self._handles_of is not None:
            return [*map(self._handles_of, moves)]
        return [self.handles(view, move) for move in moves]

    def options(self, preset: str | None = None, **values: OptionValue) -> OptionsT:
        """Return the options of a preset, with `values` overriding it."""
        return cast("OptionsT", make_options(self.info.options_type, self.info.presets, preset, values))

    def initial(self, seats: int = 2, options: OptionsT | None = None) -> ArrayState[OptionsT]:
        """Return the first state."""
        if seats not in self.info.seats:
            raise BadOptions(f"{self.info.title} is for {self.info.players}, not {seats}.")
        return self.spec.first_state(self.options() if options is None else options)

    def to_move(self, state: ArrayState[OptionsT]) -> tuple[Seat, ...]:
        """Return the acting seat, computed once per state."""
        acting = state.acting
        if acting is None:
            acting = state.acting = self._find_acting(state)
        return acting

    def turn(self, state: ArrayState[OptionsT]) -> Turn:
        """Return the number and owner of the turn, computed once per state."""
        turn = state.turn
        if turn is None:
            turn = state.turn = self._find_turn(state)
        return turn

    def is_in_setup(self, state: ArrayState[OptionsT]) -> bool:
        """Whether pieces are still being placed or seats chosen."""
        return self.view(state, None).get("phase") in self.spec.setup_phases

    def options_of(self, state: ArrayState[OptionsT]) -> OptionsT:
        """Return the options of a state."""
        return state.options

    def legal_moves(self, state: ArrayState[OptionsT], seat: Seat) -> list[StepT]:
        """Return every legal step of a seat."""
        return self._steps_of(state.legal_codes()) if (state.acting or self.to_move(state)) == (seat,) else []

    def chance(self, state: ArrayState[OptionsT]) -> list[ChanceOutcome]:  # noqa: ARG002 - there are no dice
        """Return an empty list: chance never acts."""
        return []

    def play(self, state: ArrayState[OptionsT], seat: Seat, move: StepT) -> ArrayState[OptionsT]:
        """Return the state after a legal step."""
        acting = state.acting or self.to_move(state)
        if acting != (seat,):
            if not acting:
                raise GameOver("The game is over.")
            raise NotYourTurn(f"It is {self.info.seat_names[acting[0]]}'s turn.")
        code = self._code_of(move)
        if not state.is_legal(code):
            raise self.spec.grammar.refuse(state, move)
        return state.after(code)

    def resample(self, state: ArrayState[OptionsT], seat: Seat, rng: Random) -> ArrayState[OptionsT]:  # noqa: ARG002
        """Return the state itself: nothing is hidden."""
        return state

    def format_move(self, state: ArrayState[OptionsT], move: StepT) -> str:
        """Return the notation of a step, including its automatic effects."""
        return format_step(self.spec.grammar, state, move)

    def format_legal_moves(self, state: ArrayState[OptionsT], moves: Sequence[StepT]) -> list[str]:
        """Return the notation of several legal steps."""
        return format_legal_steps(self.spec.grammar, state, moves)

    def parse_move(self, state: ArrayState[OptionsT], text: str) -> StepT:  # noqa: ARG002 - the same in every state
        """Parse the notation of a step."""
        return self._parse_short(text) if len(text) <= MAX_CACHED_LENGTH else self.spec.grammar.parse(text)

    def format_turn(self, state: ArrayState[OptionsT], moves: Sequence[StepT]) -> str:
        """Return the notation of a turn, as in records."""
        return format_turn(self.spec.grammar, state, moves)

    def parse_turn(self, state: ArrayState[OptionsT], text: str, *, running: bool = False) -> ParsedTurn:
        """Parse the notation of a turn."""
        return parse_turn(self.spec.grammar, state, text, running=running)

    def draw(self, view: View, theme: str = "auto") -> str:
        """Draw the board as SVG."""
        return cast("str", self._game_module("picture").draw(view, theme))

    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        """Draw the board for a terminal."""
        return cast("Sequence[Sequence[Span]]", self._game_module("picture").sketch(view))

    def piece_symbols(self) -> Mapping[str, str]:
        """Return the symbols of the pieces, by the letters of the notation."""
        return cast("Mapping[str, str]", self._game_module("picture").PIECE_SYMBOLS)

    def describe_move(self, state: ArrayState[OptionsT], move: StepT) -> str:
        """Describe a legal step and its effects; refuse an illegal one."""
        code = self._code_of(move)
        if not state.is_legal(code):
            raise self.spec.grammar.refuse(state, move)
        after = state.after(code)
        words = cast("str", self._game_module("describe").describe_step(state, move, after))
        return words if self.to_move(after) else f"{words}; the game ends"

    def label(self, handle: str) -> str:
        """Return the label of a button; the label of a space is its name."""
        if self._labels is None:
            self._labels = cast("Mapping[str, str]", self._game_module("describe").LABELS)
        return self._labels.get(handle, handle)

    def note(self, view: View, handle: str) -> str:  # noqa: ARG002 - the same in every position
        """Return what a button starts, for games that explain theirs."""
        notes: Mapping[str, str] = getattr(self._game_module("describe"), "NOTES", {})
        return notes.get(handle, "")

    def prompt(self, view: View) -> Prompt | None:
        """Return one sentence for the acting seat; nothing for other viewers."""
        if view["viewer"] not in view["to_move"]:
            return None
        return Prompt(text=self._game_module("prompts").prompt_text(view))

    def reason(self, view: View, path: HandlePath, handle: str) -> Reason | None:
        """Return the clause that forbids what the clicks mean; it follows from the whole position."""
        if "position" not in view:
            return None
        state, clicks = self.decode(view["position"]), (*path, handle)
        legal = self._steps_of(state.legal_codes()) if self.to_move(state) else []
        if any(self.handles(view, step)[: len(clicks)] == clicks for step in legal):
            return None
        found = self.spec.why_not_clicked(state, clicks) if legal else None
        return None if found is None else Reason(found[0], _NOTATION_EXAMPLE.sub("", found[1]))

    def playouts(self, state: ArrayState[OptionsT], seeds: Sequence[int]) -> PlayoutNumbers:
        """Play one random game per seed inside the kernels, without proposals."""
        kernels = specialise(PLAYOUT_SOURCE, __package__, self.rules)
        return run_kernel(kernels.play_many, state.position, seeds, self.rules.reasons)

    def perft(self, state: ArrayState[OptionsT], depth: int) -> int:
        """Count the step sequences of length `depth`."""
        if self.spec.perft is None:
            return counting.count_sequences(self, state, depth)
        return self.spec.perft(state, depth)

    def position_of(self, state: ArrayState[OptionsT]) -> Position:
        """Return the array of a state."""
        return state.position

    def step_of(self, code: int) -> StepT:
        """Return the step with a number."""
        return self.spec.step_table.step_of(code)

    def count_actions(self) -> int:
        """Return the number of codes of steps, which are the actions."""
        return self.spec.step_table.size

    def action_of(self, state: ArrayState[OptionsT], seat: Seat, move: StepT) -> int:  # noqa: ARG002 - as in every state
        """Return the code of a step."""
        return self._code_of(move)

    def move_of(self, state: ArrayState[OptionsT], seat: Seat, action: int) -> StepT:  # noqa: ARG002 - as above
        """Return the step with a code."""
        return self.spec.step_table.step_of(action)

    def observe(self, view: View) -> Parts:
        """Return a view as planes of numbers."""
        return cast("Parts", self._game_module("observation").observe(view))

    def observation_grid(self) -> tuple[int, int]:
        """Return the rows and columns of the board."""
        return cast("tuple[int, int]", self._game_module("observation").GRID)

    def features(self) -> tuple[Feature, ...]:
        """Return the features of the evaluation."""
        return self.rules.features

    def measures(self, state: ArrayState[OptionsT]) -> tuple[float, ...]:
        """Return seat 0's value minus seat 1's for each feature."""
        return measure_features(self.rules, state.position)

    def evaluate(self, state: ArrayState[OptionsT], seat: Seat) -> float:
        """Return the static evaluation of a state for a seat."""
        return evaluate_position(self.rules, state.position, seat)

    def gains(self, state: ArrayState[OptionsT]) -> Mapping[str, Sequence[int]]:
        """Return what each seat has gained, as far as the game counts it."""
        count: Callable[[View], Mapping[str, Sequence[int]]] | None
        count = getattr(self._game_module("view"), "count_gains", None)
        return {} if count is None else count(self.view(state, None))

    def palette(self) -> tuple[PalettePiece, ...]:
        """Return every piece that can be placed in the position editor."""
        return palettes.palette_pieces(self.spec.codec.PALETTE)

    def with_piece(self, text: str, handle: str, token: str | None) -> str:
        """Return a position with a piece, or nothing, on a space."""
        if token is not None and token not in {piece.token for piece in self.palette()}:
            raise BadPosition(f"There is no piece {token[:20]}.")
        state = self.draft(text)
        there = self.view(state, None)["pieces"]
        swimmer = next((piece["seat"] for piece in there if piece["at"] == handle and piece.get("swims")), None)
        return palettes.with_piece(self.encode(state), handle, token, swimmer)  # as the picture shows it

    def without_pieces(self, text: str) -> str:
        """Return an empty board with the same options."""
        return palettes.without_pieces(text)

    def with_turn(self, text: str, seat: Seat) -> str:
        """Return a position with another seat to move."""
        return palettes.with_turn(text, seat)

    def draft(self, text: str) -> ArrayState[OptionsT]:
        """Decode a position that need not be playable."""
        return self.decode(text, sound=False)

    def _game_module(self, name: str) -> Any:  # noqa: ANN401 - a module of the game's folder
        return _import_module(self.spec.package, name)


@cache
def _import_module(package: str, name: str) -> ModuleType:
    return importlib.import_module(f"{package}.{name}")
