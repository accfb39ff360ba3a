"""The game object of the games on the Realm board, assembled from the modules of a game's folder."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, Final, TypeVar, cast

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import HandlePath, PalettePiece, ParsedTurn, Prompt, Reason, Seat, Span, View
from realmtable.engine.table_parts import SeatChip
from realmtable.kit.array_game import ArrayGame, ArrayGameSpec
from realmtable.kit.array_state import ArrayState
from realmtable.kit.observations import Parts
from realmtable.kit.realm_board import position_editor as palettes
from realmtable.kit.realm_board.describe import LABELS
from realmtable.kit.realm_board.notation import Grammar, format_legal_steps, format_step, format_turn, parse_turn
from realmtable.kit.realm_board.observations import GRID

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")
MAX_CACHED_TEXTS: Final = 10_000  # that were parsed; anyone can send others, so they are short
MAX_CACHED_LENGTH: Final = 40  # characters
_NOTATION_EXAMPLE: Final = re.compile(r", like [^.;]*")  # helps only those who type


class RealmBoardGame(ArrayGame[OptionsT, StepT]):
    """A game on the Realm board. `realmtable.engine.protocol.Game` documents the members.

    docs/design/complete-games.md says what each module of the folder holds. Those that only some callers need
    (`picture`, `chips`, `describe` and `observation`) are imported on first use.
    """

    def __init__(self, package: str, **others: Any) -> None:  # noqa: ANN401 - the optional fields of `ArrayGameSpec`
        self._package = package
        self._modules: dict[str, ModuleType] = {}
        spec: ArrayGameSpec[OptionsT, StepT] = ArrayGameSpec(
            info=importlib.import_module(package).INFO,
            rules=self._module("first_state").RULES,
            first_state=self._module("first_state").first_state,
            number_turn=self._module("rules").number_turn,
            views=self._module("view"),
            codec=self._module("codec"),
            step_table=self._module("steps").STEP_TABLE,
            find_reason=self._module("refusals").find_reason,
            **others,
        )
        super().__init__(spec)
        self.grammar: Grammar[OptionsT, StepT] = self._module("notation").GRAMMAR
        self._parse_short = lru_cache(MAX_CACHED_TEXTS)(self.grammar.parse)

    def _module(self, name: str) -> Any:  # noqa: ANN401 - a module of the game's folder
        if name not in self._modules:
            self._modules[name] = importlib.import_module(f"{self._package}.{name}")
        return self._modules[name]

    def format_move(self, state: ArrayState[OptionsT], move: StepT) -> str:
        return format_step(self.grammar, state, move)

    def format_legal_moves(self, state: ArrayState[OptionsT], moves: Sequence[StepT]) -> list[str]:
        return format_legal_steps(self.grammar, state, moves)

    def parse_move(self, state: ArrayState[OptionsT], text: str) -> StepT:  # noqa: ARG002 - the same in every state
        return self._parse_short(text) if len(text) <= MAX_CACHED_LENGTH else self.grammar.parse(text)

    def format_turn(self, state: ArrayState[OptionsT], moves: Sequence[StepT]) -> str:
        return format_turn(self.grammar, state, moves)

    def parse_turn(self, state: ArrayState[OptionsT], text: str, *, running: bool = False) -> ParsedTurn:
        return parse_turn(self.grammar, state, text, running=running)

    def draw(self, view: View, theme: str = "auto") -> str:
        return cast("str", self._module("picture").draw(view, theme))

    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        return cast("Sequence[Sequence[Span]]", self._module("picture").sketch(view))

    def piece_symbols(self) -> Mapping[str, str]:
        return cast("Mapping[str, str]", self._module("picture").PIECE_SYMBOLS)

    def icons(self) -> Mapping[str, str]:
        return cast("Mapping[str, str]", self._module("chips").ICONS)

    def seat_chips(self, view: View) -> list[SeatChip]:
        return cast("list[SeatChip]", self._module("chips").seat_chips(view))

    def describe_move(self, state: ArrayState[OptionsT], move: StepT) -> str:
        """Describe a legal step and its effects; refuse an illegal one."""
        code = self._code_of(move)
        if not state.is_legal(code):
            raise self.refuse(state, move)
        after = state.after(code)
        words = cast("str", self._module("describe").describe_step(state, move, after))
        return words if self.to_move(after) else f"{words}; the game ends"

    def label(self, handle: str) -> str:
        own: Mapping[str, str] = getattr(self._module("describe"), "LABELS", {})
        return own.get(handle) or LABELS.get(handle, handle)

    def note(self, view: View, handle: str) -> str:  # noqa: ARG002 - the same in every position
        """Return what a button starts, for games that explain theirs."""
        notes: Mapping[str, str] = getattr(self._module("describe"), "NOTES", {})
        return notes.get(handle, "")

    def prompt(self, view: View) -> Prompt | None:
        """Return one sentence for the acting seat; nothing for other viewers."""
        if view["viewer"] not in view["to_move"]:
            return None
        return Prompt(text=self._module("describe").prompt_text(view))

    def reason(self, view: View, path: HandlePath, handle: str) -> Reason | None:
        """Return the clause that forbids what the clicks mean; it follows from the whole position."""
        if "position" not in view:
            return None
        state, clicks = self.decode(view["position"]), (*path, handle)
        legal = self._steps_of(state.legal_codes()) if self.to_move(state) else []
        if any(self.handles(view, step)[: len(clicks)] == clicks for step in legal):
            return None
        found = self._module("refusals").why_not_clicked(state, clicks) if legal else None
        return None if found is None else Reason(found[0], _NOTATION_EXAMPLE.sub("", found[1]))

    def observe(self, view: View) -> Parts:
        return cast("Parts", self._module("observation").observe(view))

    def observation_grid(self) -> tuple[int, int]:
        return GRID

    def gains(self, state: ArrayState[OptionsT]) -> Mapping[str, Sequence[int]]:
        """Return what each seat has gained, in the words of its news."""
        return cast("Mapping[str, Sequence[int]]", self._module("view").count_gains(self.view(state, None)))

    def palette(self) -> tuple[PalettePiece, ...]:
        return palettes.palette_pieces(self.spec.codec.PALETTE)

    def with_piece(self, text: str, handle: str, token: str | None) -> str:
        if token is not None and token not in {piece.token for piece in self.palette()}:
            raise BadPosition(f"There is no piece {token[:20]}.")
        state = self.draft(text)
        there = self.view(state, None)["pieces"]
        swimmer = next((piece["seat"] for piece in there if piece["at"] == handle and piece.get("swims")), None)
        return palettes.with_piece(self.encode(state), handle, token, swimmer)  # as the picture shows it

    def without_pieces(self, text: str) -> str:
        return palettes.without_pieces(text)

    def with_turn(self, text: str, seat: Seat) -> str:
        return palettes.with_turn(text, seat)

    def draft(self, text: str) -> ArrayState[OptionsT]:
        """Decode a position that need not be playable."""
        return self.decode(text, sound=False)
