"""A base class for a game of a file or two. Nobody has to use it: any object with the protocol's members is a game.

The states of a subclass are values of a frozen dataclass, and its moves are texts without spaces, commas and slashes.
It says what is the first state, who acts, what they may do and what follows. Everything else has a default, made for
games without hidden information; override what does not fit.
"""

from __future__ import annotations

import dataclasses
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from types import NoneType, UnionType
from typing import Any, ClassVar, Generic, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from realmtable.engine.errors import (
    BadNotation,
    BadOptions,
    BadPosition,
    GameOver,
    IllegalMove,
    NotYourTurn,
    RealmtableError,
)
from realmtable.engine.options import OptionValue, as_pairs, make_options, parse_pairs
from realmtable.engine.protocol import (
    CHANCE,
    ChanceOutcome,
    GameInfo,
    HandlePath,
    Options,
    Outcome,
    ParsedTurn,
    Seat,
    Span,
    Turn,
    View,
)
from realmtable.kit.cell_picture import Row, draw_rows, sketch_rows

StateT = TypeVar("StateT")


class SmallGame(ABC, Generic[StateT]):
    """A game whose moves are texts. `realmtable.engine.protocol.Game` documents the members that are not new here."""

    info: GameInfo
    state_type: type[StateT]  # a frozen dataclass of numbers, texts and tuples; if there are options, as `options`
    move_pattern: ClassVar[str] = r"[^\s,/]+"  # the texts of all moves, legal or not

    # ---- what a game says

    @abstractmethod
    def first_state(self, seats: int, options: Options) -> StateT:
        """Return the first state for a number of seats that `info` lists; may raise `BadOptions`."""

    @abstractmethod
    def to_move(self, state: StateT) -> tuple[Seat, ...]:
        """Return the seats that may act: usually one; ``(CHANCE,)`` for dice; none if the game is over."""

    @abstractmethod
    def turn(self, state: StateT) -> Turn:
        """Return the current turn."""

    @abstractmethod
    def list_moves(self, state: StateT, seat: Seat) -> Sequence[str]:
        """Return every legal move of a seat that acts, in any order."""

    @abstractmethod
    def apply_move(self, state: StateT, seat: Seat, move: str) -> StateT:
        """Return the state after a legal move, or after an outcome of chance."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game ended, or None while it goes on; see `make_outcome`."""

    def rows(self, view: View) -> Sequence[Row]:
        """Return the picture of a view: lines of text, and rows of cells that may be clicked.

        A move whose text is no cell's handle gets a button.
        """
        return [f"{name}: {value}" for name, value in view.items()]

    def refusal(self, state: StateT, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - for games that say more
        """Return why a move is illegal: the clause of RULES.md, if there is one, and a sentence."""
        return IllegalMove("", f"{move} is not possible now.")

    # ---- what follows from it

    def options(self, preset: str | None = None, **values: OptionValue) -> Options:
        return make_options(self.info.options_type, self.info.presets, preset, values)

    def initial(self, seats: int = 2, options: Options = None) -> StateT:
        if seats not in self.info.seats:
            raise BadOptions(f"{self.info.title} is for {self.info.players}, not {seats}.")
        return self.first_state(seats, self.options() if options is None else options)

    def options_of(self, state: StateT) -> Options:
        """Return the options a state is played under: its own, or the only ones there are."""
        return getattr(state, "options", None) or self.options()

    def legal_moves(self, state: StateT, seat: Seat) -> list[str]:
        return sorted(self.list_moves(state, seat)) if seat >= 0 and seat in self.to_move(state) else []

    def chance(self, state: StateT) -> list[ChanceOutcome]:  # noqa: ARG002 - for games with dice
        return []

    def play(self, state: StateT, seat: Seat, move: str) -> StateT:
        acting = self.to_move(state)
        if not acting:
            raise GameOver("The game is over.")
        if seat not in acting:
            names = [self.info.seat_names[seat] for seat in acting if seat >= 0]
            raise NotYourTurn(f"It is {' and '.join(names)}'s turn." if names else "Chance is to act.")
        legal = [outcome.move for outcome in self.chance(state)] if seat == CHANCE else self.legal_moves(state, seat)
        if move not in legal:
            raise self.refusal(state, seat, move)
        return self.apply_move(state, seat, move)

    def view(self, state: StateT, seat: Seat | None) -> dict[str, Any]:  # noqa: ARG002 - nothing is hidden
        """Return the fields of a state as JSON data. A game with secrets has its own."""
        if self.info.hidden:
            raise NotImplementedError("A game with hidden information must say what each seat may know.")
        view: dict[str, Any] = json.loads(json.dumps(self._fields_of(state)))
        return view

    def resample(self, state: StateT, seat: Seat, rng: Random) -> StateT:  # noqa: ARG002 - nothing is hidden
        """Return the state itself. A game with secrets has its own."""
        if self.info.hidden:
            raise NotImplementedError("A game with hidden information must draw what a seat does not know.")
        return state

    # ---- texts

    def format_move(self, state: StateT, move: str) -> str:  # noqa: ARG002 - a move is its own text
        return move

    def parse_move(self, state: StateT, text: str) -> str:
        """Return the move a text stands for."""
        move = text.strip()
        if not re.fullmatch(self.move_pattern, move):
            # What another seat could do may be a secret.
            seats = () if self.info.hidden else self.to_move(state)
            known = next((move for seat in seats for move in self.legal_moves(state, seat)), "")
            raise BadNotation(f"{move[:20]!r} is not a move{f'; write one like {known}' if known else ''}.")
        return move

    def format_turn(self, state: StateT, moves: Sequence[str]) -> str:  # noqa: ARG002 - a move is its own text
        return ",".join(moves)

    def parse_turn(self, state: StateT, text: str, *, running: bool = False) -> ParsedTurn:  # noqa: ARG002 - no move ends a turn
        """Return the moves of a turn, and the rest of the text.

        When several seats act at once, the record names the seat separately; here any seat that can move so will do.
        """
        texts = text.split(",")
        acting, turn = self.to_move(state), self.turn(state)
        if not acting:
            raise GameOver("The game is over.")
        moves: list[str] = []
        while texts and (self.to_move(state), self.turn(state)) == (acting, turn):
            move = self.parse_move(state, texts.pop(0))
            able = [seat for seat in acting if move in self.legal_moves(state, seat)]
            state = self.play(state, (able or acting)[0], move)
            moves.append(move)
        return ParsedTurn(moves, [], ",".join(texts))

    def encode(self, state: StateT) -> str:
        return json.dumps(self._fields_of(state), separators=(",", ":"))

    def decode(self, text: str) -> StateT:
        """Return the state of such a text, if it can be played on and drawn."""
        try:
            state = self._read_fields(json.loads(text))
            self._check_position(state)
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise BadPosition(f"This is no position of {self.info.title}.") from error
        except RealmtableError as error:
            raise BadPosition(str(error)) from error
        return state

    def _check_position(self, state: StateT) -> None:
        """Raise whatever it is that a state which cannot be played on and drawn leads to."""
        acting = self.to_move(state)
        if bool(acting) == (self.outcome(state) is not None):
            raise BadPosition("A game either goes on or has an outcome.")
        self.turn(state)
        for seat in acting:
            self.chance(state) if seat == CHANCE else self.list_moves(state, seat)
        self.draw(self.view(state, None))

    def _fields_of(self, state: StateT) -> dict[str, Any]:
        names = [field.name for field in dataclasses.fields(cast("Any", state))]
        fields = {name: getattr(state, name) for name in names}
        return fields | {"options": as_pairs(fields["options"])} if "options" in fields else fields

    def _read_fields(self, values: dict[str, Any]) -> StateT:
        kinds = get_type_hints(self.state_type)
        if "options" in kinds:
            pairs = parse_pairs(self.info.options_type, values.pop("options"))
            values["options"] = self.options(None, **pairs)
        fields = {name: v if name == "options" else _read_value(kinds[name], v) for name, v in values.items()}
        return self.state_type(**fields)

    # ---- pictures

    def draw(self, view: View, theme: str = "auto") -> str:
        return draw_rows(self.rows(view), self.info.title, theme)

    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        return sketch_rows(self.rows(view))

    def handles(self, view: View, move: str) -> HandlePath:  # noqa: ARG002 - a move means the same click in every view
        """Return the click that enters a move: on the cell with its text as the handle, or else on a button."""
        return (move,)


def make_outcome(scores: Sequence[float], reason: str, text: str) -> Outcome:
    """Return an outcome in which the highest score wins and equal scores share a place."""
    ranking = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Outcome(tuple(map(float, scores)), ranking, reason, text)


def _read_value(kind: Any, value: Any) -> Any:  # noqa: ANN401 - of any field
    """Return a value from JSON as the type of its field; raise TypeError or ValueError if it is none."""
    if get_origin(kind) in {Union, UnionType}:
        (other,) = (each for each in get_args(kind) if each is not NoneType)
        return None if value is None else _read_value(other, value)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError
        kinds = get_args(kind)
        if kinds[-1] is Ellipsis:
            kinds = kinds[:1] * len(value)
        return tuple([_read_value(each, part) for each, part in zip(kinds, value, strict=True)])
    if type(value) is not kind:
        raise TypeError
    return value
