"""What a game is. Read this page and you know how every part of Realmtable talks to every game.

A game is one object with the members of `Game`; it needs no base class. Its states are values: `play` returns a new
one and leaves the old one alone, so a state can be kept, shared and searched from. Nothing in a game does I/O, reads a
clock or rolls dice.

**Seats** are 0, 1, …; `CHANCE` is the seat of dice, draws and shuffles. **A move is one step.** A **turn** is a run of
steps by one seat, so that hints, undo and search see inside it. Every game is driven by the same loop::

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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import (
    Any,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    _ProtocolMeta,
    runtime_checkable,
)

from realmtable.engine.options import NoOptions, OptionInfo, OptionValue, list_options, spell_name

Seat = int
State: TypeAlias = Any  # a game's own state, where the game is not known
Move: TypeAlias = Any  # a game's own step
Options: TypeAlias = Any  # a game's own options, a frozen dataclass
View = Mapping[str, Any]  # plain JSON data
Span = tuple[str, str]  # text and a style word; a terminal picture is lines of spans
HandlePath = tuple[str, ...]  # the handles a person points at, in order

CHANCE: Final[Seat] = -1
# The seat of the table's clock: part of `to_move` while a time limit runs; its only step is its only legal move.
CLOCK: Final[Seat] = -2

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


class Turn(NamedTuple):
    """The turn a state is in: its number, as records write it, and the seat whose turn it is."""

    number: int
    seat: Seat


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    scores: tuple[float, ...]  # per seat
    ranking: tuple[int, ...]  # per seat: 1 is first; equal numbers share a place
    reason: str  # one word, the game's own
    text: str  # one sentence for people
    # Per seat: whether it reached its own goal, so that several seats or none may succeed; empty if there are no goals.
    reached: tuple[bool, ...] = ()

    @property
    def winner(self) -> Seat | None:
        """The only seat in first place, or None if several share it."""
        first = [seat for seat, rank in enumerate(self.ranking) if rank == 1]
        return first[0] if len(first) == 1 else None


class ChanceOutcome(NamedTuple):
    """One of the things that can happen when `CHANCE` acts, with its weight."""

    move: Move
    weight: int


class ParsedTurn(NamedTuple):
    """The steps of a turn's text, a sentence for each slip that was forgiven, and any text after the turn."""

    moves: list[Move]
    warnings: list[str]
    rest: str


@dataclass(frozen=True)
class Presentation:
    """How pages, lists and records present a game; no rule depends on it."""

    featured: bool = False  # whether lists of games begin with it
    score_units: tuple[str, ...] = ("", "")  # what scores count, for one and for more; none: scores only rank
    spaced: bool = False  # whether steps contain spaces, so that records separate turns by / and line ends only
    turn_word: str = "Turn"  # what the players call a turn number
    tells_moves: bool = False  # whether the move list shows sentences instead of notation
    first_preset: str = ""  # the preset for a first game, which its set-up suggests; empty: the default one
    preset_titles: Mapping[str, str] = field(
        default_factory=dict, hash=False
    )  # where the name in words says too little


Tier = Literal["playable", "complete"]
STANDARD: Final = "standard"  # the preset of a game that names none


@dataclass(frozen=True)
class GameInfo:
    """The facts of a game, known without loading its rules."""

    id: str
    title: str
    summary: str
    seats: tuple[int, ...]  # the possible numbers of players
    seat_names: tuple[str, ...]
    options_type: type = NoOptions
    presets: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=lambda: {STANDARD: {}}, hash=False)
    default_preset: str = STANDARD
    rules_version: int = 1
    tier: Tier = "playable"  # complete: it also has what `realmtable.conformance` asks of complete games
    hidden: bool = False  # whether seats know different things
    chance: bool = False  # whether dice, draws or shuffles occur
    hand_scorer: str = ""  # the module that scores hands of a real table, if there is one; see kit/calculators.py
    battle_calculator: str = ""  # the module that calculates battles, if there is one; see kit/calculators.py
    sources: tuple[str, ...] = ()
    judges_steps: bool = False  # whether the game itself judges the steps of finished games (`JudgesSteps`)
    compiled: bool = field(default=False)  # whether whole playouts run inside compiled code
    placement_study: bool = False  # whether `realmtable openings` can study its set-up
    max_steps: int = 10_000  # every game ends within this many steps, however it is played
    bot_levels: int = 8  # the levels of bots that tables offer, from the weakest on
    level_words: tuple[tuple[str, str], ...] = ()  # how strong each level is and how it plays, instead of usual words
    presentation: Presentation = Presentation()

    @property
    def suggested_preset(self) -> str:
        """The preset that the set-up suggests."""
        return self.presentation.first_preset or self.default_preset

    def preset_title(self, preset: str) -> str:
        """Return a preset's name in words, without a capital: "free placement"."""
        return self.presentation.preset_titles.get(preset) or spell_name(preset)

    @property
    def players(self) -> str:
        """The possible numbers of players in words: 1 player, or 2 to 7 players."""
        return f"{format_player_counts(self.seats)} player{'' if self.seats == (1,) else 's'}"

    def options(self) -> list[OptionInfo]:
        """Return every rule option, in order."""
        return list_options(self.options_type)


class Game(Protocol[StateT, MoveT]):
    """One game. Every member is a pure function of its arguments."""

    @property
    def info(self) -> GameInfo:
        """The facts of the game."""

    def options(self, preset: str | None = None, **values: OptionValue) -> Options:
        """Return checked options: a preset, and single values that override it. Raises `BadOptions`."""

    def initial(self, seats: int = 2, options: Options = None) -> StateT:
        """Return the first state. Raises `BadOptions` if the game cannot be played with this number of seats."""

    def options_of(self, state: StateT) -> Options:
        """Return the options a state is played under."""

    def to_move(self, state: StateT) -> tuple[Seat, ...]:
        """Return the seats that may act: one, several if choices are simultaneous, ``(CHANCE,)``, none if it is over.

        If `CLOCK` comes last, seats may act in any order until time runs out. A driver without a real clock never lets
        it act. A seat that has finished is left out, but may have a step that brings it back.
        """

    def turn(self, state: StateT) -> Turn:
        """Return the current turn. Notation, clocks and undo group steps by it."""

    def legal_moves(self, state: StateT, seat: Seat) -> list[MoveT]:
        """Return every legal step of a seat, sorted and unique; empty if the seat does not act."""

    def chance(self, state: StateT) -> list[ChanceOutcome]:
        """Return what can happen when `CHANCE` acts, in a fixed order; empty if it does not act."""

    def play(self, state: StateT, seat: Seat, move: MoveT) -> StateT:
        """Return the next state. Raises `IllegalMove` with the clause that is broken, `NotYourTurn` or `GameOver`."""

    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""

    def view(self, state: StateT, seat: Seat | None) -> dict[str, Any]:
        """Return all that a seat (None: a spectator) may know, as JSON data. Nothing else leaves the server."""

    def resample(self, state: StateT, seat: Seat, rng: Random) -> StateT:
        """Return a random full state that fits the seat's view; bots search on such states."""

    def format_move(self, state: StateT, move: MoveT) -> str:
        """Return the text of a step in the game's notation."""

    def parse_move(self, state: StateT, text: str) -> MoveT:
        """Return the step a text stands for, legal or not. Raises `BadNotation`."""

    def format_turn(self, state: StateT, moves: Sequence[MoveT]) -> str:
        """Return the text of one turn that began in `state`, as records write it."""

    def parse_turn(self, state: StateT, text: str, *, running: bool = False) -> ParsedTurn:
        """Return the steps of a turn that began in `state`. Raises `BadNotation` or `IllegalMove`.

        The turn ends with the text, unless it is still `running`: then the text may stop after any step.
        """

    def encode(self, state: StateT) -> str:
        """Return the whole state as one line of text."""

    def decode(self, text: str) -> StateT:
        """Return the state of such a line. Raises `BadPosition`."""

    def draw(self, view: View, theme: str = "auto") -> str:
        """Return a view as SVG; `view["last"]`, if present, holds the handle paths of the latest steps."""

    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        """Return the picture of a view for a terminal: lines of styled text."""

    def handles(self, view: View, move: MoveT) -> HandlePath:
        """Return the handles of the picture that a player clicks to make a step."""


class CachedChecks(_ProtocolMeta):
    """Caches which classes of games implement an optional protocol; a single check takes Python 3.11 about 40 µs."""

    def __instancecheck__(self, instance: object) -> bool:
        """Whether a game implements the protocol. Its class decides, not what one instance adds."""
        kind = type(instance)
        known = _KNOWN_CHECKS.get((self, kind))
        if known is None:
            known = _KNOWN_CHECKS[self, kind] = super().__instancecheck__(instance)
        return known


_KNOWN_CHECKS: Final[dict[tuple[type, type], bool]] = {}


@runtime_checkable
class HasDescriptions(Protocol, metaclass=CachedChecks):
    """A game that can describe its steps in words; otherwise they are shown in notation."""

    def describe_move(self, state: State, move: Move) -> str:
        """Return what a step does and triggers: a short sentence without the player's name or a full stop."""

    def label(self, handle: str) -> str:
        """Return the text of a button for a handle that is not in the picture.

        ``group/label`` puts the button into a group. Groups show only where there are many buttons.
        """


@runtime_checkable
class DescribesButtons(Protocol, metaclass=CachedChecks):
    """A game with buttons that say more than their label, such as a price that depends on the state."""

    def describes_button(self, handle: str) -> bool:
        """Whether the button of a handle shows the description of its only step, without effects, as its text."""


@runtime_checkable
class ListsChoices(Protocol, metaclass=CachedChecks):
    """A game that writes many legal steps faster than one by one."""

    def format_legal_moves(self, state: State, moves: Sequence[Move]) -> list[str]:
        """Return the text of each of these legal steps, as `format_move` does."""

    def list_handles(self, view: View, moves: Sequence[Move]) -> list[HandlePath]:
        """Return the handles of each step, as `handles` does."""


@runtime_checkable
class HasSecretSteps(Protocol, metaclass=CachedChecks):
    """A game whose steps can reveal secrets; otherwise a hidden game shows no steps of other players at all."""

    def format_move_for(self, state: State, seat: Seat, move: Move, viewer: Seat | None) -> str:
        """Return the text of a step that a seat takes in `state`, as far as a viewer may know it.

        An empty text means that the viewer may not even know that a step was taken. Their view, the turn and the
        outcome must then stay the same, and nothing at all is sent to them.
        """


@runtime_checkable
class HasNews(Protocol, metaclass=CachedChecks):
    """A game that can report a step as news; otherwise the player's name is put before its text."""

    def news(self, state: State, seat: Seat, move: Move, viewer: Seat | None) -> str:
        """Return the news of a step for a viewer: a sentence without a full stop, or an empty text.

        Where nothing is hidden, all viewers read what a spectator (None) does.
        """


@runtime_checkable
class HasFoldedMoves(Protocol, metaclass=CachedChecks):
    """A game in which chance takes many steps that the move list can fold into one line."""

    def fold_label(self, state: State, move: Move) -> str:
        """Return the line that a chance step shares with its neighbours; empty if it has its own line."""


class ScoreLine(NamedTuple):
    """One thing that counts at the end."""

    title: str
    points: float
    reason: str  # a sentence or several
    struck: bool = False  # whether it counts for nothing


class ScoreBreakdown(NamedTuple):
    """How a seat's score is made up."""

    seat: Seat
    rank: int  # as in the outcome's ranking
    total: float
    lines: tuple[ScoreLine, ...]
    score_query: tuple[
        tuple[str, str], ...
    ] = ()  # what the scoring page is asked, where the game has one: names and values


@runtime_checkable
class HasScoreBreakdowns(Protocol, metaclass=CachedChecks):
    """A game that can break its final scores down line by line."""

    def score_breakdowns(self, view: View) -> list[ScoreBreakdown]:
        """Return the breakdown of each score, best first; empty while the game goes on."""


@runtime_checkable
class HasSeatNames(Protocol, metaclass=CachedChecks):
    """A game that names seats by what happens in it, such as the character a player has chosen."""

    def seat_name(self, view: View, seat: Seat) -> str:
        """Return the name of a seat as the viewer may know it; empty for the seat's usual name."""


class PictureLayer(NamedTuple):
    """A part of the picture that rarely changes; layers lie under the rest of the picture, in order."""

    name: str
    svg: str  # a whole SVG document with the same view box as the picture, and without handles


@runtime_checkable
class HasLayers(Protocol, metaclass=CachedChecks):
    """A game whose picture has parts that rarely change. The browser loads each version of a layer once."""

    def layers(self, view: View, theme: str = "auto") -> list[PictureLayer]:
        """Return the layers under the picture that `draw` returns, from the view alone; names are unique.

        This is called for every scene: cache the drawing by what it depends on.
        """


@runtime_checkable
class HasExcerpts(Protocol, metaclass=CachedChecks):
    """A game whose picture is too large for lists of games, which show a part of it instead."""

    def excerpt(self, view: View) -> View:
        """Return a view whose picture has only a part worth showing, from the view alone."""


class PanelRow(NamedTuple):
    """A line of a panel: a label, a value, and the handle that a player clicks to choose it, if any."""

    label: str
    value: str = ""
    handle: str = ""


@dataclass(frozen=True)
class Panel:
    """A page beside the board, such as a character sheet: a picture, rows of text, or both."""

    id: str
    title: str
    badge: str = ""  # a short text on its tab that explains itself, such as "3 points"
    svg: str = ""  # may have handles, like the picture of the board
    rows: tuple[PanelRow, ...] = ()
    opens: bool = False  # whether it comes to the front while it is needed for the next step


@runtime_checkable
class HasPieceSymbols(Protocol, metaclass=CachedChecks):
    """A game whose notation names pieces by letters; a list of moves shows symbols in their place."""

    def piece_symbols(self) -> Mapping[str, str]:
        """Return a symbol for each capital letter that stands for a piece, as in ``Pc10g10``.

        A symbol is the path data of a filled SVG shape in one colour, in a square of 40 units around 0, 0.
        """


@runtime_checkable
class HasPanels(Protocol, metaclass=CachedChecks):
    """A game that shows more than fits on the board."""

    def panels(self, view: View) -> list[Panel]:
        """Return the panels for a viewer, from the view alone; ids are unique and stay the same during a game."""


class Prompt(NamedTuple):
    """What the viewer is asked to do now."""

    title: str = ""  # "Phase 2 of 5: Search"; without a title, the text is the question
    text: str = ""  # a sentence in the imperative: "Choose a table."
    progress: tuple[int, int] | None = None  # this step of so many
    clause: str = ""  # the clause of RULES.md that explains it


class Reason(NamedTuple):
    """Why something cannot be chosen."""

    clause: str
    sentence: str


@runtime_checkable
class GuidesPlayers(Protocol, metaclass=CachedChecks):
    """A game that says what to do, what a choice would do, and why something cannot be chosen: from the view alone."""

    def prompt(self, view: View) -> Prompt | None:
        """Return what the viewer is asked to do; None if nothing needs to be said."""

    def note(self, view: View, handle: str) -> str:
        """Return one sentence on what choosing a handle would do; empty without one."""

    def reason(self, view: View, path: HandlePath, handle: str) -> Reason | None:
        """Return why `handle` cannot follow the handles chosen so far; None if unknown.

        `view["position"]`, if present, is the text of the whole state: where nothing is hidden, the view is all of it.
        """


@runtime_checkable
class HasTopics(Protocol, metaclass=CachedChecks):
    """A game with long logs, in which players look for steps of one kind."""

    def topics(self) -> Mapping[str, str]:
        """Return the topics and their titles, in the order of the filter."""

    def topic(self, state: State, seat: Seat, move: Move, viewer: Seat | None) -> str:
        """Return the topic of a step taken in `state`, as far as a viewer may know it; empty if it has none."""


@runtime_checkable
class HasUndo(Protocol, metaclass=CachedChecks):
    """A game with hidden information or chance in which some steps may be taken back.

    Steps that other seats took in the meantime are played again without it: they must stay legal, and viewers who did
    not know of the step must not see a difference. Otherwise the table refuses to take it back.
    """

    def can_undo(self, state: State, seat: Seat, move: Move) -> bool:
        """Whether a seat may take back the step that it took in `state`: nobody has learned anything from it."""


@runtime_checkable
class HasCompositeMoves(Protocol, metaclass=CachedChecks):
    """A game with hidden information in which one text may stand for several steps.

    The steps are played in order. If one of them is refused, those before it stand: refusing all of them would let
    players try out what is hidden.
    """

    def split_move(self, view: View, text: str) -> list[str]:
        """Return the texts of the steps, from the view alone; the text itself if it stands for one step."""


@runtime_checkable
class HasAdvice(Protocol, metaclass=CachedChecks):
    """A game that gives its own advice; otherwise hints come from a search, if nothing is hidden."""

    def advice(self, view: View, rng: Random) -> dict[str, Any]:
        """Return advice for a viewer who may act, from the view alone, as JSON data.

        `move` is the text of the best step, `words` describes it and `reason` says why it is good. Each of the `charts`
        has a `title`, a `note` on what is measured, the scale from `low` to `high`, the value where bars begin (`from`)
        and `choices` from best to worst. A choice has `words`, its `move` (empty if it cannot be made now), its `value`
        and usual range (`low`, `high`), its `lead` over the others or None, how far it is `behind` the first, whether
        it is the `best`, its value and range in short (`shown`, `span`) and in words (`text`). `heading` is None or
        where the viewer's game is heading, in the game's own terms. `needs` lists handles: the advice is outdated once
        the picture lacks one of them.
        """


class Judgement(NamedTuple):
    """How good a step was by what its seat could know, in the points that the game counts."""

    value: float  # the final points that the seat could expect after it
    best_value: float  # after the best step
    loss: float  # how much worse it was than the best step: the lead over the best other seat counts, too
    mark: str  # "??", "?", "?!" or ""
    best: Move
    reason: str  # why the best step would have been better, in a sentence or two; empty without a mark


@runtime_checkable
class JudgesSteps(Protocol, metaclass=CachedChecks):
    """A game with secrets that judges the steps of finished games itself, as `GameInfo.judges_steps` says."""

    def why_not_judged(self, state: State) -> str:
        """Return in a sentence why games that begin like this are not judged; empty if they are."""

    def judge(self, view: View, move: Move, rng: Random) -> Judgement | None:
        """Judge a legal step by the view of the seat that took it; None if nothing was to be decided."""


@runtime_checkable
class HasSetup(Protocol, metaclass=CachedChecks):
    """A game that begins with a set-up: pieces are placed or seats chosen before the first turn."""

    def is_in_setup(self, state: State) -> bool:
        """Whether the set-up is not finished."""


class GalleryCard(NamedTuple):
    """A card in a gallery."""

    name: str
    svg: str  # a whole SVG document with a label for screen readers, without style, title and ids
    text: str  # everything printed on the card, for the search


class GalleryGroup(NamedTuple):
    """Cards that belong together, such as those of a suit."""

    title: str
    cards: tuple[GalleryCard, ...]


class CardGallery(NamedTuple):
    """All cards of a game."""

    style: str  # shared by all pictures: the page has it once
    groups: tuple[GalleryGroup, ...]


@runtime_checkable
class HasCardGallery(Protocol, metaclass=CachedChecks):
    """A game that can show all its cards. The rules page links to them, and its summary can show some of them."""

    def gallery(self) -> CardGallery:
        """Return the gallery; its pictures follow the page's theme. Names and titles are unique."""


@runtime_checkable
class HasClock(Protocol, metaclass=CachedChecks):
    """A game in which `CLOCK` may act."""

    def clock_s(self, state: State) -> float:
        """Return how many seconds the clock runs at a live table before it acts."""

    def clock_phase(self, state: State) -> str:
        """Return what everyone does until then, in a word for the headline: "Trading"."""


@runtime_checkable
class HasDefaultSteps(Protocol, metaclass=CachedChecks):
    """A game that asks seats out of turn and knows what to do if one does not answer."""

    def default_step(self, state: State, seat: Seat) -> Move:
        """Return a legal step for a seat that acts alone in another seat's turn and does not answer in time.

        It follows from what the seat may know, and gives away as little as possible: usually the seat declines.
        """


@runtime_checkable
class CountsGains(Protocol, metaclass=CachedChecks):
    """A game that counts what seats take or score, for experiments: does the first to gain something win more often?"""

    def gains(self, state: State) -> Mapping[str, Sequence[int]]:
        """Return what each seat has gained so far, by a word such as "capture"; the words never change."""


@runtime_checkable
class HasStandings(Protocol, metaclass=CachedChecks):
    """A game without an evaluation that can say who is ahead, for experiments on drama and comebacks."""

    def standings(self, state: State) -> Sequence[float]:
        """Return a number for each seat; the highest leads. It may use everything: players and bots never see it."""


@runtime_checkable
class NamesUses(Protocol, metaclass=CachedChecks):
    """A game that says what was used, for experiments; otherwise it follows from the notation."""

    def name_uses(self, state: State, seat: Seat, move: Move) -> Sequence[str]:
        """Return what a step that a seat takes in `state` uses: pieces, cards or actions; empty if nothing counts."""

    def name_holdings(self, state: State) -> Sequence[Sequence[str]]:
        """Return what each seat holds at the end of the game."""


@runtime_checkable
class HasSeatCount(Protocol, metaclass=CachedChecks):
    """A game for several numbers of players whose states know theirs."""

    def count_seats(self, state: State) -> int:
        """Return the number of seats in a state."""


class PalettePiece(NamedTuple):
    """A piece that can be placed while a position is set up."""

    token: str
    seat: Seat
    words: str


@runtime_checkable
class HasPalette(Protocol, metaclass=CachedChecks):
    """A game whose positions can be set up piece by piece, in the text that `encode` writes.

    The texts may describe unplayable positions: `draft` returns a state that can only be drawn, and `decode` says what
    is wrong.
    """

    def palette(self) -> tuple[PalettePiece, ...]:
        """Return every piece of the game."""

    def with_piece(self, text: str, handle: str, token: str | None) -> str:
        """Return a position with a piece, or none, at a handle. Its history is dropped."""

    def without_pieces(self, text: str) -> str:
        """Return an empty board under the same options."""

    def with_turn(self, text: str, seat: Seat) -> str:
        """Return a position with another seat to move."""

    def draft(self, text: str) -> State:
        """Return the state of a text that may be unplayable. Raises `BadPosition` if it cannot even be drawn."""


@runtime_checkable
class NumbersSteps(Protocol, metaclass=CachedChecks):
    """A game whose steps have numbers, for programs that learn to play. A number means the same in every game."""

    def count_actions(self) -> int:
        """Return the number of actions; the actions are the numbers below it."""

    def action_of(self, state: State, seat: Seat, move: Move) -> int:
        """Return the number of a seat's legal step. No two legal steps of a seat have the same number."""

    def move_of(self, state: State, seat: Seat, action: int) -> Move:
        """Return the step with a number below `count_actions`, legal or not. May raise `IllegalMove`."""


@runtime_checkable
class HasObservations(Protocol, metaclass=CachedChecks):
    """A game that turns views into numbers, for programs that learn to play; otherwise views are hashed."""

    def observe(self, view: View) -> Mapping[str, float | Sequence[float]]:
        """Return a seat's view as named numbers and lists of numbers, mostly between -1 and 1.

        Names, their order and the lengths of the lists depend only on the number of seats. The viewer comes first
        wherever there is something for each seat, and the other seats follow in turn.
        """

    def observation_grid(self) -> tuple[int, int] | None:
        """Return the rows and columns of the board; None if there is no board of a fixed size.

        If there is one, each list has a number for each space, row by row, and a single number counts for all spaces.
        """


def format_player_counts(numbers: Sequence[int]) -> str:
    """Format ascending numbers of players for people.

    >>> format_player_counts((2,)), format_player_counts((2, 4)), format_player_counts((2, 3, 4, 5))
    ('2', '2 or 4', '2 to 5')
    """
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))


def player_seats(acting: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats of players: without chance and the clock.

    >>> player_seats((0, 2, CLOCK))
    (0, 2)
    """
    return tuple([seat for seat in acting if seat >= 0])  # faster than a generator; called many times per move


AnyGame = Game[Any, Any]
