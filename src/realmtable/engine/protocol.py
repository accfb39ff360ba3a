"""What a game is. Read this page and you know how every part of Realmtable talks to every game.

A game is one object with the members of `Game`; it needs no base class. Its states are values: `play` returns a new
one and leaves the old one alone, so a state can be kept, shared and searched from. Nothing in a game does I/O, reads a
clock or rolls dice.

**Seats** are 0, 1, …; `CHANCE` is the seat of dice, draws and shuffles. **A move is one step.** A **turn** is a run of
steps by one seat, so that hints, undo and search see inside it. The way of a game, whatever game it is::

    state = game.initial(seats=2, options=game.options(bases=13))
    while (acting := game.to_move(state)):
        seat = acting[0]
        if seat == CHANCE:
            move = some_outcome(game.chance(state))
        else:
            move = choose(game.legal_moves(state, seat))
        state = game.play(state, seat, move)
    print(game.outcome(state))

`Match` drives this loop and keeps the log; `Record` is the log as a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from realmtable.engine.options import OptionInfo, OptionValue, describe

Seat = int
State: TypeAlias = Any  # a game's own state, where the game is not known
Move: TypeAlias = Any  # a game's own step
Options: TypeAlias = Any  # a game's own options, a frozen dataclass
View = Mapping[str, Any]  # plain JSON data
Span = tuple[str, str]  # text and a style word; a terminal picture is lines of spans
HandlePath = tuple[str, ...]  # the handles a person points at, in order

CHANCE: Final[Seat] = -1
# The seat of the table's clock: among `to_move` where time may end something; its only step is
# legal_moves(state, CLOCK).
CLOCK: Final[Seat] = -2

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


class Turn(NamedTuple):
    """The turn a state is in: its number, as written before it in records, and whose it is."""

    number: int
    seat: Seat


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    scores: tuple[float, ...]  # per seat
    ranking: tuple[int, ...]  # per seat: 1 is first; equal numbers share a place
    reason: str  # one word, the game's own
    text: str  # one sentence for people

    @property
    def winner(self) -> Seat | None:
        """The only seat in first place, or None where the place is shared."""
        first = [seat for seat, rank in enumerate(self.ranking) if rank == 1]
        return first[0] if len(first) == 1 else None


class ChanceOutcome(NamedTuple):
    """One thing that may happen when `CHANCE` acts, with its weight."""

    move: Move
    weight: int


class ParsedTurn(NamedTuple):
    """The steps a turn's text stands for, a sentence for each slip forgiven in it, and any text after the turn."""

    moves: list[Move]
    warnings: list[str]
    rest: str


@dataclass(frozen=True)
class GameInfo:
    """The facts of a game, known without loading its rules."""

    id: str
    title: str
    summary: str
    seats: tuple[int, ...]  # how many may sit down
    seat_names: tuple[str, ...]
    options_type: type
    presets: Mapping[str, Mapping[str, OptionValue]]
    default_preset: str
    rules_version: int
    hidden: bool = False  # whether seats know different things
    chance: bool = False  # whether dice, draws or shuffles occur
    hand_scorer: str = ""  # the module that scores hands of a real table, if there is one; see engine/hand_scoring.py
    sources: tuple[str, ...] = ()
    compiled: bool = field(default=False)  # whether whole playouts run inside compiled code
    placement_study: bool = False  # whether `realmtable openings` can study its set-up
    spaced: bool = (
        False  # whether its steps are written with spaces, so that in records only / and a line's end part turns
    )

    @property
    def players(self) -> str:
        """For how many it is, in words: 2, or 2 to 7."""
        return format_player_counts(self.seats)

    def options(self) -> list[OptionInfo]:
        """Every rule option, in order."""
        return describe(self.options_type)


class Game(Protocol[StateT, MoveT]):
    """One game. Every member is a pure function of its arguments."""

    @property
    def info(self) -> GameInfo:
        """The facts of the game."""

    def options(self, preset: str | None = None, **values: OptionValue) -> Options:
        """Checked options from a preset and single values over it; `BadOptions` says what does not fit."""

    def initial(self, seats: int = 2, options: Options = None) -> StateT:
        """The first state; `BadOptions` if the game is not for so many seats."""

    def options_of(self, state: StateT) -> Options:
        """The options a state is played under."""

    def to_move(self, state: StateT) -> tuple[Seat, ...]:
        """The seats that may act: one, several where choices are simultaneous, ``(CHANCE,)``, none when it is over.

        Where `CLOCK` stands behind them nobody is waited for: all act as they like until time is up. A driver without a
        real clock never lets it act. A seat that is through is left out, but may have a step that brings it back.
        """

    def turn(self, state: StateT) -> Turn:
        """The current turn; steps are grouped by it in notation, clocks and undo."""

    def legal_moves(self, state: StateT, seat: Seat) -> list[MoveT]:
        """Every legal step of a seat, sorted and unique; empty where the seat does not act."""

    def chance(self, state: StateT) -> list[ChanceOutcome]:
        """What may happen when `CHANCE` acts, in a fixed order; empty where it does not."""

    def play(self, state: StateT, seat: Seat, move: MoveT) -> StateT:
        """The next state. Raises `IllegalMove` with the clause it breaks, `NotYourTurn` or `GameOver`."""

    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def view(self, state: StateT, seat: Seat | None) -> dict[str, Any]:
        """All that a seat (None: a spectator) may know, as plain JSON data: the only thing that leaves the server."""

    def resample(self, state: StateT, seat: Seat, rng: Random) -> StateT:
        """A random full state that fits the seat's view: what honest bots search on."""

    def format_move(self, state: StateT, move: MoveT) -> str:
        """The text of a step in the game's notation."""

    def parse_move(self, state: StateT, text: str) -> MoveT:
        """The step a text stands for, legal or not; `BadNotation` if it cannot be read."""

    def format_turn(self, state: StateT, moves: Sequence[MoveT]) -> str:
        """The text of the steps of one turn, begun in `state`, as a record has it."""

    def parse_turn(self, state: StateT, text: str, *, running: bool = False) -> ParsedTurn:
        """The steps of the turn begun in `state`; `BadNotation` or `IllegalMove` if it cannot be read or played.

        Where the text ends the turn ends, unless it is still `running`: then it may stop after any step.
        """

    def encode(self, state: StateT) -> str:
        """The whole state as one line of text."""

    def decode(self, text: str) -> StateT:
        """The state of such a line; `BadPosition` says what is wrong with it."""

    def draw(self, view: View, theme: str = "auto") -> str:
        """The picture of a view as SVG; `view["last"]`, if there, holds the handle paths of the latest steps."""

    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        """The picture of a view for a terminal: lines of styled text."""

    def handles(self, view: View, move: MoveT) -> HandlePath:
        """The clicks on handles of the picture that mean a step."""


@runtime_checkable
class HasDescriptions(Protocol):
    """A game that can say in words what its steps do; without this they are shown in notation."""

    def describe_move(self, state: State, move: Move) -> str:
        """What a step does and sets off, as a short sentence without the player's name or a full stop."""

    def label(self, handle: str) -> str:
        """What to write on a button for a handle that the picture does not show."""


@runtime_checkable
class HasSecretSteps(Protocol):
    """A game whose steps may tell a secret; without this the steps of others in a hidden game are not shown at all."""

    def format_move_for(self, state: State, seat: Seat, move: Move, viewer: Seat | None) -> str:
        """The text of a step that a seat takes in `state`, as far as a viewer may know it.

        An empty text means that the viewer may not even know that a step was taken. Then their view, whose turn it is
        and the outcome must be as before; nothing at all reaches them.
        """


@runtime_checkable
class HasNews(Protocol):
    """A game that can tell a step as something that happened; without this who took it stands before its text."""

    def news(self, state: State, seat: Seat, move: Move, viewer: Seat | None) -> str:
        """What a viewer is told of a step that a seat takes in `state`: a sentence without a full stop, or nothing."""


@runtime_checkable
class HasFoldedMoves(Protocol):
    """A game in which chance takes many steps of which a list of moves need not tell each."""

    def fold_label(self, state: State, move: Move) -> str:
        """The line that a step of chance shares with those before and after it; nothing where it has its own."""


class ScoreLine(NamedTuple):
    """One thing that counts at the end."""

    title: str
    points: float
    reason: str  # a sentence or several
    struck: bool = False  # whether it counts for nothing


class ScoreBreakdown(NamedTuple):
    """How a seat's score came about."""

    seat: Seat
    rank: int  # as in the outcome's ranking
    total: float
    lines: tuple[ScoreLine, ...]
    score_query: tuple[
        tuple[str, str], ...
    ] = ()  # what the scoring page is asked, where the game has one: names and values


@runtime_checkable
class HasScoreBreakdowns(Protocol):
    """A game whose scores can be told line by line when it is over."""

    def score_breakdowns(self, view: View) -> list[ScoreBreakdown]:
        """How every score came about, the best first; nothing while the game goes on."""


@runtime_checkable
class HasAdvice(Protocol):
    """A game that advises learners by itself; without this a search thinks of a good turn, where nothing is hidden."""

    def advice(self, view: View, rng: Random) -> dict[str, Any]:
        """Advice for the viewer, who may act, from the view alone, as plain JSON data.

        `move` is the text of the best step, `words` describes it and `reason` says why it is good. Each of the `charts`
        has a `title`, a `note` on what is measured, the scale from `low` to `high`, the value where bars begin (`from`)
        and `choices` from best to worst. A choice has `words`, its `move` (empty if it cannot be made now), its `value`
        and usual range (`low`, `high`), its `lead` over the others or None, how far it is `behind` the first, whether
        it is the `best`, its value and range in short (`shown`, `span`) and in words (`text`). `heading` is None or
        where the viewer's game is heading, in the game's own terms. `needs` lists handles: the advice is outdated once
        the picture lacks one of them.
        """


@runtime_checkable
class HasSetup(Protocol):
    """A game that begins with a set-up: pieces are placed or seats chosen before the first turn."""

    def is_in_setup(self, state: State) -> bool:
        """Whether the set-up is not finished."""


@runtime_checkable
class HasClock(Protocol):
    """A game in which `CLOCK` may act."""

    def clock_s(self, state: State) -> float:
        """How many seconds after it came to act the clock takes its step, at a live table."""


class PalettePiece(NamedTuple):
    """A piece that can be put on the board while a position is set up."""

    token: str
    seat: Seat
    words: str


@runtime_checkable
class HasPalette(Protocol):
    """A game whose positions can be set up piece by piece, in the text that `encode` writes.

    The texts may be of positions that cannot be played: `draft` gives a state of them that is good for its picture
    alone, `decode` says what is wrong.
    """

    def palette(self) -> tuple[PalettePiece, ...]:
        """Every piece there is."""

    def with_piece(self, text: str, handle: str, token: str | None) -> str:
        """A position with a piece, or none, on the place of a handle; what happened before it is forgotten."""

    def without_pieces(self, text: str) -> str:
        """An empty board under the same options."""

    def with_turn(self, text: str, seat: Seat) -> str:
        """A position with another seat to move."""

    def draft(self, text: str) -> State:
        """The state of a text that need not be playable; `BadPosition` if it cannot even be drawn."""


def format_player_counts(numbers: Sequence[int]) -> str:
    """Numbers of players, rising, as people read them.

    >>> format_player_counts((2,)), format_player_counts((2, 4)), format_player_counts((2, 3, 4, 5))
    ('2', '2 or 4', '2 to 5')
    """
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))


def player_seats(acting: Iterable[Seat]) -> tuple[Seat, ...]:
    """Those of some seats at which somebody sits: not chance's, not the clock's.

    >>> player_seats((0, 2, CLOCK))
    (0, 2)
    """
    return tuple(seat for seat in acting if seat >= 0)


AnyGame = Game[Any, Any]
Loader = Callable[[], AnyGame]
