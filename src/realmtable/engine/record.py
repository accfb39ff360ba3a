"""A match as a file that a person can write by hand: headers, numbered turns, comments and variations.

docs/record-format.md is the description. What a turn says is the game's own notation; everything around it is here.
`parse_record` never raises on the content of a file: it returns what could be read, a warning for each slip it
forgave, and the fault it stopped at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from realmtable.engine import chance
from realmtable.engine.errors import BadOptions, BadRecord, RealmtableError
from realmtable.engine.match import Match, PlayedTurn
from realmtable.engine.options import as_pairs, make_options, parse_pairs
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, Outcome, ParsedTurn, Seat, Turn
from realmtable.engine.record_headers import (
    HeaderFault,
    check_repeats,
    check_rules,
    check_seed,
    find_header_line,
    locate_errors,
)
from realmtable.engine.record_lexer import RUNNING_SUFFIX, HeaderLine, Token, header_lines, lex, split_headers

MAX_TEXT = 2_000_000
MAX_DEPTH = 40
MAX_STEPS = 10_000  # with those of variations, each of which counts as a step itself
RESERVED_HEADERS = ("Game", "Rules", "Options", "Start", "Seed", "Commitment", "Result")


@dataclass
class RecordTurn:
    """One turn of a record, with what is said about it and what else might have been played instead of it."""

    turn: Turn
    seat: Seat
    before: Any
    moves: tuple[Any, ...]
    text: str
    line: int = 0
    comment: str = ""
    variations: list[list[RecordTurn]] = field(default_factory=list)


@dataclass
class Record:
    """A playing of a game as it is written down."""

    game: AnyGame
    start: Any
    headers: dict[str, str] = field(default_factory=dict)  # all but those that the other fields give
    turns: list[RecordTurn] = field(default_factory=list)
    seed: str | None = None
    commitment: str | None = None
    comment: str = ""  # before the first turn
    final: Any = None  # the state that the turns lead to, where it is known

    @classmethod
    def from_match(cls, match: Match, headers: dict[str, str] | None = None) -> Record:
        """The record of a match."""
        first = match.log()[0].before if match.entry else match.state
        turns = [_record_turn(match.game, turn) for turn in match.turns()]
        if turns and match.is_turn_running():
            turns[-1].text += RUNNING_SUFFIX
        promised = chance.commitment(match.seed) if match.seed is not None else None
        return cls(match.game, first, headers or {}, turns, match.seed, promised, final=match.state)

    def replay(self, until: int | None = None) -> Match:
        """The match it tells, or its first turns."""
        match = Match.start(self.game, self.start)
        for turn in self.turns[:until]:
            for move in turn.moves:
                match = match.play(turn.seat, move)
        return match

    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.game.outcome(self.replay().state if self.final is None else self.final)

    def add_notes_from(self, notes: Record) -> Record:
        """This record with the comments and variations that another has on the turns both begin with."""
        self.comment = notes.comment
        self.commitment = self.commitment or notes.commitment
        for turn, noted in zip(self.turns, notes.turns, strict=False):
            if turn.moves[: len(noted.moves)] != noted.moves:
                break
            turn.comment, turn.variations = noted.comment, noted.variations
        return self

    def text(self, *, with_seed: bool = False) -> str:
        """The record as a file; `with_seed`: for who may go on drawing from the seed while the game runs."""
        return _format_record(self, with_seed=with_seed)


class RecordWarning(NamedTuple):
    """A slip that was forgiven."""

    line: int
    text: str


@dataclass(frozen=True)
class Fault:
    """Where reading stopped and why."""

    line: int
    label: str  # the turn and the text, like "7. White, Pi10i6"
    error: RealmtableError
    state: Any = None  # the position at that turn


@dataclass
class ParsedRecord:
    """What came of reading a record."""

    record: Record | None
    warnings: list[RecordWarning]
    fault: Fault | None

    def require_record(self) -> Record:
        """The record, if all of it could be read; else its fault is raised as `BadRecord`."""
        if self.fault is not None:
            where = f"{self.fault.label}: " if self.fault.label else ""
            raise BadRecord(f"{where}{self.fault.error}", self.fault.line)
        assert self.record is not None  # noqa: S101 - only a fault leaves none
        return self.record


def load_record(text: str, find: Callable[[str], AnyGame]) -> Record:
    """The record of a text; its first fault is raised as `BadRecord`. `find` gives the game with an id."""
    return parse_record(text, find).require_record()


def parse_record(text: str, find: Callable[[str], AnyGame]) -> ParsedRecord:
    """Read a record as far as it goes."""
    warnings: list[RecordWarning] = []
    if len(text) > MAX_TEXT:
        return ParsedRecord(
            None, warnings, Fault(0, "", BadRecord(f"A record is shorter than {MAX_TEXT:,} characters."))
        )
    headers, body, line = split_headers(text)
    lines = header_lines(text)
    try:
        warnings += [RecordWarning(*repeat) for repeat in check_repeats(lines)]
        record = _record_from_headers(headers, find, lines, warnings)
    except HeaderFault as fault_of_header:
        return ParsedRecord(None, warnings, Fault(fault_of_header.line, "", fault_of_header.error))
    reader = _BodyReader(record, warnings)
    fault = reader.read(lex(body, line, spaced=record.game.info.spaced))
    record.final = reader.match.state if fault is None else None
    if fault is None:
        _check_result(headers, record, lines, warnings)
    return ParsedRecord(record, warnings, fault)


def _record_from_headers(
    headers: dict[str, str], find: Callable[[str], AnyGame], lines: list[HeaderLine], warnings: list[RecordWarning]
) -> Record:
    with locate_errors(lines, "Game"):
        if "Game" not in headers:
            raise BadRecord("A record begins with the line of its game, like Game: realm.")
        game = find(headers["Game"])
    with locate_errors(lines, "Rules"):
        if older := check_rules(headers.get("Rules"), game.info):
            warnings.append(RecordWarning(find_header_line(lines, "Rules"), older))
    with locate_errors(lines, "Preset"):
        make_options(game.info.options_type, game.info.presets, headers.get("Preset"), {})
    with locate_errors(lines, "Options"):
        pairs = [pair for pair in headers.get("Options", "").replace(",", " ").split() if pair]
        values = parse_pairs(game.info.options_type, pairs)
        options: Any = make_options(game.info.options_type, game.info.presets, headers.get("Preset"), values)
    with locate_errors(lines, "Seats", "Options", "Preset"):
        seats = _seat_count(game, headers)
        first = None if "Start" in headers else game.initial(seats, options)
    with locate_errors(lines, "Start"):
        start = game.decode(headers["Start"]) if first is None else first
    with locate_errors(lines, "Options", "Preset"):
        if "Start" in headers and ("Options" in headers or "Preset" in headers) and game.options_of(start) != options:
            raise BadRecord("The options of the Start line and those of the Options line differ; give them once.")
    if broken := check_seed(headers.get("Seed"), headers.get("Commitment")):
        warnings.append(RecordWarning(find_header_line(lines, "Commitment"), broken))
    rest = {name: value for name, value in headers.items() if name not in RESERVED_HEADERS}
    return Record(game, start, rest, seed=headers.get("Seed"), commitment=headers.get("Commitment"))


def _seat_count(game: AnyGame, headers: dict[str, str]) -> int:
    text = headers.get("Seats", "")
    if not text:
        return game.info.seats[0]
    if not (text.isascii() and text.isdigit() and len(text) < 3):  # noqa: PLR2004 - two digits are plenty
        raise BadRecord(f"Seats is the number of players, not {text[:20]}.")
    if int(text) not in game.info.seats:
        raise BadOptions(f"{game.info.title} is for {game.info.players} players, not {int(text)}.")
    return int(text)


def _check_result(
    headers: dict[str, str], record: Record, lines: list[HeaderLine], warnings: list[RecordWarning]
) -> None:
    outcome = record.outcome()
    said, right = headers.get("Result"), outcome and result_text(outcome)
    if said is not None and said != right:
        fact = f"the game {right}" if right else "but the game is not over"
        warnings.append(
            RecordWarning(find_header_line(lines, "Result"), f"The Result line says {said[:60] or 'nothing'}, {fact}.")
        )


def result_text(outcome: Outcome) -> str:
    """An outcome as the Result line has it.

    >>> result_text(Outcome((8, 7), (1, 2), "last_base", ""))
    '8-7 last_base'
    """
    return "-".join(f"{score:g}" for score in outcome.scores) + " " + outcome.reason


class _BodyReader:
    """Walks the tokens of a record's body and plays its turns."""

    def __init__(self, record: Record, warnings: list[RecordWarning]) -> None:
        self.record = record
        self.game = record.game
        self.warnings = warnings
        self.line = record.turns  # the line of play being read: the main one or a variation
        self.match = Match.start(self.game, record.start)
        self.before = self.match  # before the latest turn
        self.variation_comments: list[str] = []  # comments before the first turn of a variation, kept for that turn
        self.leading_comments: list[str] = []  # comments before the first turn of all
        self.comments: dict[int, tuple[RecordTurn, list[str]]] = {}  # by the identity of their turn
        self.steps = 0  # and variations, counted against the most a record may hold
        self.outer: list[tuple[list[RecordTurn], Match, Match]] = []  # lines of play left for a variation

    def read(self, tokens: list[Token]) -> Fault | None:
        fault = self.read_tokens(tokens)
        self.record.comment = " ".join(filter(None, self.leading_comments))
        for turn, texts in self.comments.values():  # joined once: a turn may have any number of them
            turn.comment = " ".join(texts)
        return fault

    def read_tokens(self, tokens: list[Token]) -> Fault | None:
        for token in tokens:
            try:
                self.read_token(token)
            except RealmtableError as error:
                return Fault(token.line, self.describe_place(token), error, self.match.state)
        if self.outer:
            last = tokens[-1].line
            return Fault(last, "", BadRecord("A variation is not closed with ]."), self.match.state)
        return None

    def describe_place(self, token: Token) -> str:
        acting = self.game.to_move(self.match.state)
        names = " and ".join(_seat_name(self.game, seat) for seat in acting) or "game over"
        return f"{self.game.turn(self.match.state).number}. {names}, {token.text[:60]}"

    def read_token(self, token: Token) -> None:
        if token.kind == "turn":
            self.read_turn(token)
        elif token.kind == "number":
            self.check_number(token)
        elif token.kind == "comment":
            self.read_comment(token)
        elif token.kind == "open":
            self.open_variation()
        elif token.kind == "close":
            self.close_variation()
        else:
            self.warnings.append(RecordWarning(token.line, token.text))

    def check_number(self, token: Token) -> None:
        expected = self.game.turn(self.match.state).number
        if int(token.text) != expected:
            self.warnings.append(RecordWarning(token.line, f"Turn {token.text} is read as turn {expected}."))

    def read_comment(self, token: Token) -> None:
        if self.line:
            self.add_comments(self.line[-1], [token.text])
        elif self.outer:
            self.variation_comments.append(token.text)
        else:
            self.leading_comments.append(token.text)

    def add_comments(self, turn: RecordTurn, texts: list[str]) -> None:
        """Keep comments for a turn."""
        self.comments.setdefault(id(turn), (turn, []))[1].extend(filter(None, texts))

    def count_steps(self, steps: int) -> None:
        """Refuse a record that would take too long to play."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise BadRecord(f"A record has at most {MAX_STEPS:,} steps, those of its variations included.")

    def open_variation(self) -> None:
        if not self.line:
            raise BadRecord("A variation stands behind the turn it replaces.")
        if len(self.outer) >= MAX_DEPTH:
            raise BadRecord(f"Variations go at most {MAX_DEPTH} deep.")
        self.count_steps(1)  # each has its own price, even an empty one
        self.outer.append((self.line, self.before, self.match))
        fresh: list[RecordTurn] = []
        self.line[-1].variations.append(fresh)
        self.line, self.match = fresh, self.before

    def close_variation(self) -> None:
        if not self.outer:
            raise BadRecord("There is no variation to close here.")
        self.line, self.before, self.match = self.outer.pop()
        self.add_comments(self.line[-1], self.variation_comments)  # of a variation without a turn
        self.variation_comments = []

    def read_turn(self, token: Token) -> None:
        rest = token.text
        while rest:
            rest = self.play_turn(rest, token.line)
            if rest:
                self.warnings.append(
                    RecordWarning(token.line, f"The comma before {rest[:30]} is read as the end of a turn.")
                )

    def play_turn(self, text: str, line: int) -> str:
        """Play the turn at the head of a text; what is left is returned."""
        state = self.match.state
        seat, text = _split_seat(self.game, state, text)
        running = text.endswith(RUNNING_SUFFIX)
        text = text.removesuffix(RUNNING_SUFFIX)
        if seat < 0:
            read = ParsedTurn([self.game.parse_move(state, text)], [], "")
        else:
            read = self.game.parse_turn(state, text, running=running)
        self.count_steps(len(read.moves))
        self.warnings += [RecordWarning(line, warning) for warning in read.warnings]
        after = self.match
        for move in read.moves:
            after = after.play(seat, move)
        self.before, self.match = self.match, after
        turn = PlayedTurn(self.game.turn(state), seat, state, tuple(read.moves))
        self.line.append(_record_turn(self.game, turn, line))
        self.add_comments(self.line[-1], self.variation_comments)
        self.variation_comments = []
        self.line[-1].text += RUNNING_SUFFIX if running and not read.rest else ""
        return read.rest


def _seat_name(game: AnyGame, seat: Seat) -> str:
    return {CHANCE: "chance", CLOCK: "the clock"}.get(seat) or game.info.seat_names[seat]


def _split_seat(game: AnyGame, state: Any, text: str) -> tuple[Seat, str]:  # noqa: ANN401 - the game's own
    """Whose turn a text is: behind ``*`` chance or the clock, behind ``@1:`` a named seat, else the seat to act."""
    if text.startswith("*"):
        return CLOCK if CLOCK in game.to_move(state) else CHANCE, text[1:]
    if text.startswith("@"):
        number, colon, rest = text[1:].partition(":")
        if not colon or not (number.isascii() and number.isdigit()) or len(number) > 2:  # noqa: PLR2004 - two digits are plenty
            raise BadRecord("A seat is written before its turn like @1:, the first being @0:.")
        return int(number), rest
    acting = game.to_move(state)
    if not acting:
        raise BadRecord("The game is over before this turn.")
    return acting[0], text


def _record_turn(game: AnyGame, turn: PlayedTurn, line: int = 0) -> RecordTurn:
    if turn.seat < 0:
        text = "*" + game.format_move(turn.before, turn.moves[0])
    else:
        text = game.format_turn(turn.before, turn.moves)
        if len(game.to_move(turn.before)) > 1:
            text = f"@{turn.seat}:{text}"
    return RecordTurn(turn.turn, turn.seat, turn.before, turn.moves, text, line)


def _format_record(record: Record, *, with_seed: bool) -> str:
    lines = [f"{name}: {value}" for name, value in _format_headers(record, with_seed=with_seed).items()]
    lines.append("")
    if record.comment:
        lines.append(_format_comment(record.comment))
    lines += _format_turns(record.turns)
    return "\n".join(lines) + "\n"


def _format_headers(record: Record, *, with_seed: bool) -> dict[str, str]:
    game = record.game
    headers = {"Game": game.info.id, "Rules": str(game.info.rules_version)}
    options = game.options_of(record.start)
    if record.start != _default_start(record):
        headers["Start"] = game.encode(record.start)
    elif pairs := as_pairs(options):
        headers["Options"] = ", ".join(pairs)
    headers |= {name: value for name, value in record.headers.items() if name != "Preset"}
    if record.commitment is not None:
        headers["Commitment"] = record.commitment
    outcome = record.outcome()
    if record.seed is not None and (with_seed or outcome is not None or "Termination" in headers):
        headers["Seed"] = record.seed  # at a table it is told only when nothing more can be drawn from it
    if outcome is not None:
        headers["Result"] = result_text(outcome)
    return {name: " ".join(value.split()) for name, value in headers.items()}


def _default_start(record: Record) -> Any:  # noqa: ANN401 - the game's own
    """The first state that the headers tell of; None where the options are not for so many seats."""
    try:
        return record.game.initial(_seat_count(record.game, record.headers), record.game.options_of(record.start))
    except BadOptions:
        return None


def _format_comment(text: str) -> str:
    return "{" + text.replace("{", "(").replace("}", ")") + "}"


def _format_turns(turns: list[RecordTurn]) -> list[str]:
    lines: list[list[str]] = []
    number = None
    for turn in turns:
        text = " ".join(
            [turn.text, *[_format_comment(turn.comment)] * bool(turn.comment), *map(_format_variation, turn.variations)]
        )
        if turn.turn.number == number:
            lines[-1].append(text)
        else:
            lines.append([f"{turn.turn.number}. {text}"])
        number = turn.turn.number
    return [" / ".join(line) for line in lines]


def _format_variation(turns: list[RecordTurn]) -> str:
    return "[" + " ".join(_format_turns(turns)) + "]"
