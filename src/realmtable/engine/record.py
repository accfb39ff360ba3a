"""Match records: text files that people can write by hand, with headers, numbered turns, comments and variations.

docs/study/record-format.md describes the format. Each game defines the notation inside a turn, this module the rest.
`parse_record` never raises on the content of a file: it returns what it could read, a warning for each mistake it
tolerated, and the fault it stopped at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from realmtable.engine import chance
from realmtable.engine.errors import BadOptions, BadRecord, RealmtableError
from realmtable.engine.match import Match, PlayedTurn
from realmtable.engine.options import OptionValue, as_pairs, earlier_defaults, make_options, parse_pairs
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, Outcome, ParsedTurn, Seat, State, Turn
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
MAX_STEPS = 10_000  # including variations, each of which counts as one more step; more if the game may last longer
RESERVED_HEADERS = ("Game", "Rules", "Options", "Start", "Seed", "Commitment", "Result")


@dataclass
class RecordTurn:
    """One turn of a record, with its comment and its variations: the lines that could have been played instead."""

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
    """A match as it is written to a file."""

    game: AnyGame
    start: Any
    headers: dict[str, str] = field(default_factory=dict)  # except those stored in the other fields
    turns: list[RecordTurn] = field(default_factory=list)
    seed: str | None = None
    commitment: str | None = None
    comment: str = ""  # before the first turn
    final: Any = None  # the state after the last turn, if known

    @classmethod
    def from_match(cls, match: Match, headers: dict[str, str] | None = None) -> Record:
        first = match.log()[0].before if match.entry else match.state
        turns = [_record_turn(match.game, turn) for turn in match.turns()]
        if turns and match.is_turn_running():
            turns[-1].text += RUNNING_SUFFIX
        commitment = chance.commitment(match.seed) if match.seed is not None else None
        return cls(match.game, first, headers or {}, turns, match.seed, commitment, final=match.state)

    def replay(self, until: int | None = None) -> Match:
        """Replay the record, or only its first `until` turns, and return the match."""
        match = Match.start(self.game, self.start)
        for turn in self.turns[:until]:
            for move in turn.moves:
                match = match.play(turn.seat, move)
        return match

    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it is not over."""
        return self.game.outcome(self.replay().state if self.final is None else self.final)

    def add_notes_from(self, notes: Record) -> Record:
        """Copy the comments and variations of another record for as long as the turns agree; return this record."""
        self.comment = notes.comment
        self.commitment = self.commitment or notes.commitment
        for turn, noted in zip(self.turns, notes.turns, strict=False):
            if turn.moves[: len(noted.moves)] != noted.moves:
                break
            turn.comment, turn.variations = noted.comment, noted.variations
        return self

    def text(self, *, with_seed: bool = False) -> str:
        """Return the text of the file. `with_seed` includes the seed, for callers that continue the game."""
        return _format_record(self, with_seed=with_seed)


class RecordWarning(NamedTuple):
    """A mistake that was tolerated."""

    line: int
    text: str


@dataclass(frozen=True)
class Fault:
    """Where and why reading stopped."""

    line: int
    label: str  # the turn and the text, such as "7. White, Pi10i6"
    error: RealmtableError
    state: Any = None  # the position at that turn


@dataclass
class ParsedRecord:
    """The result of reading a record."""

    record: Record | None
    warnings: list[RecordWarning]
    fault: Fault | None

    def require_record(self) -> Record:
        """Return the record; raise its fault as `BadRecord` if it could not be read completely."""
        if self.fault is not None:
            where = f"{self.fault.label}: " if self.fault.label else ""
            raise BadRecord(f"{where}{self.fault.error}", self.fault.line)
        assert self.record is not None  # noqa: S101 - only a fault leaves none
        return self.record


def load_record(text: str, find: Callable[[str], AnyGame]) -> Record:
    """Read a record and raise its first fault as `BadRecord`. `find` returns the game with a given id."""
    return parse_record(text, find).require_record()


def parse_record(text: str, find: Callable[[str], AnyGame]) -> ParsedRecord:
    """Read a record up to its first fault."""
    warnings: list[RecordWarning] = []
    if len(text) > MAX_TEXT:
        return ParsedRecord(
            None, warnings, Fault(0, "", BadRecord(f"A record may have at most {MAX_TEXT:,} characters."))
        )
    headers, body, line = split_headers(text)
    lines = header_lines(text)
    try:
        warnings += [RecordWarning(*repeat) for repeat in check_repeats(lines)]
        record = _record_from_headers(headers, find, lines, warnings)
    except HeaderFault as found:
        return ParsedRecord(None, warnings, _name_older_rules(Fault(found.line, "", found.error), lines, warnings))
    reader = _BodyReader(record, warnings)
    fault = reader.read(lex(body, line, spaced=record.game.info.presentation.spaced))
    if fault is not None:
        fault = _name_older_rules(fault, lines, warnings)
    record.final = reader.match.state if fault is None else None
    if fault is None:
        _check_result(headers, record, lines, warnings)
    return ParsedRecord(record, warnings, fault)


def _name_older_rules(fault: Fault, lines: list[HeaderLine], warnings: list[RecordWarning]) -> Fault:
    """Return a fault that also says if the record was played by older rules, which may have allowed what is refused."""
    rules = [header.line for header in lines if header.name == "Rules"]
    older = next((warning.text for warning in warnings if warning.line in rules), "")
    return replace(fault, error=BadRecord(f"{fault.error} {older}")) if older else fault


def _record_from_headers(
    headers: dict[str, str], find: Callable[[str], AnyGame], lines: list[HeaderLine], warnings: list[RecordWarning]
) -> Record:
    with locate_errors(lines, "Game"):
        if "Game" not in headers:
            raise BadRecord("A record must start with a Game line, such as Game: realm.")
        game = find(headers["Game"])
    with locate_errors(lines, "Rules"):
        if older := check_rules(headers.get("Rules"), game.info):
            warnings.append(RecordWarning(find_header_line(lines, "Rules"), older))
    with locate_errors(lines, "Preset"):
        make_options(game.info.options_type, game.info.presets, headers.get("Preset"), {})
    with locate_errors(lines, "Options"):
        pairs = [pair for pair in headers.get("Options", "").replace(",", " ").split() if pair]
        values = _defaults_of_rules(headers, game) | parse_pairs(game.info.options_type, pairs)
        options: Any = make_options(game.info.options_type, game.info.presets, None, values)
    with locate_errors(lines, "Seats", "Options", "Preset"):
        seats = _seat_count(game, headers)
        first = None if "Start" in headers else game.initial(seats, options)
    with locate_errors(lines, "Start"):
        start = game.decode(headers["Start"]) if first is None else first
    with locate_errors(lines, "Options", "Preset"):
        if "Start" in headers and ("Options" in headers or "Preset" in headers) and game.options_of(start) != options:
            raise BadRecord("The Start line and the Options or Preset line disagree; keep only one of them.")
    if broken := check_seed(headers.get("Seed"), headers.get("Commitment")):
        warnings.append(RecordWarning(find_header_line(lines, "Commitment"), broken))
    rest = {name: value for name, value in headers.items() if name not in RESERVED_HEADERS}
    return Record(game, start, rest, seed=headers.get("Seed"), commitment=headers.get("Commitment"))


def _defaults_of_rules(headers: dict[str, str], game: AnyGame) -> dict[str, OptionValue]:
    """Return what the Preset line and the version on the Rules line imply: a default may have changed since."""
    earlier = earlier_defaults(game.info.options_type, int(headers.get("Rules", game.info.rules_version)))
    return earlier | dict(game.info.presets.get(headers.get("Preset", ""), {}))


def _seat_count(game: AnyGame, headers: dict[str, str]) -> int:
    text = headers.get("Seats", "")
    if not text:
        return game.info.seats[0]
    if not (text.isascii() and text.isdigit() and len(text) < 3):  # noqa: PLR2004 - two digits are plenty
        raise BadRecord(f"Seats must be the number of players, not {text[:20]}.")
    if int(text) not in game.info.seats:
        raise BadOptions(f"{game.info.title} is for {game.info.players}, not {int(text)}.")
    return int(text)


def _check_result(
    headers: dict[str, str], record: Record, lines: list[HeaderLine], warnings: list[RecordWarning]
) -> None:
    outcome = record.outcome()
    stated, actual = headers.get("Result"), outcome and result_text(outcome)
    if stated is not None and stated != actual:
        fact = f"ended {actual}" if actual else "is not over"
        warnings.append(
            RecordWarning(
                find_header_line(lines, "Result"),
                f"The Result line says {stated[:60] or 'nothing'}, but the game {fact}.",
            )
        )


def result_text(outcome: Outcome) -> str:
    """Format an outcome for the Result line.

    >>> result_text(Outcome((8, 7), (1, 2), "last_base", ""))
    '8-7 last_base'
    """
    return "-".join(f"{score:g}" for score in outcome.scores) + " " + outcome.reason


def most_steps(game: AnyGame) -> int:
    """Return how many steps a record of a game may have, including variations."""
    return max(MAX_STEPS, game.info.max_steps)


class _BodyReader:
    """Walks the tokens of a record's body and plays its turns."""

    def __init__(self, record: Record, warnings: list[RecordWarning]) -> None:
        self.record = record
        self.game = record.game
        self.warnings = warnings
        self.line = record.turns  # the line of play being read: the main one or a variation
        self.match = Match.start(self.game, record.start)
        self.before = self.match  # before the latest turn
        self.variation_comments: list[str] = []  # comments before a variation's first turn, attached to that turn
        self.leading_comments: list[str] = []  # comments before the first turn of the main line
        self.comments: dict[int, tuple[RecordTurn, list[str]]] = {}  # keyed by the turn's id()
        self.steps = 0  # steps and variations so far, limited by `count_steps`
        self.outer: list[tuple[list[RecordTurn], Match, Match]] = []  # the lines of play around the current variation

    def read(self, tokens: list[Token]) -> Fault | None:
        fault = self.read_tokens(tokens)
        self.record.comment = " ".join(filter(None, self.leading_comments))
        for turn, texts in self.comments.values():  # joined once: a turn may have many comments
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
        self.comments.setdefault(id(turn), (turn, []))[1].extend(filter(None, texts))

    def count_steps(self, steps: int) -> None:
        """Reject a record that would take too long to replay."""
        self.steps += steps
        most = most_steps(self.game)
        if self.steps > most:
            raise BadRecord(f"A record may have at most {most:,} steps, including variations.")

    def open_variation(self) -> None:
        if not self.line:
            raise BadRecord("A variation must follow the turn it replaces.")
        if len(self.outer) >= MAX_DEPTH:
            raise BadRecord(f"Variations may be nested at most {MAX_DEPTH} deep.")
        self.count_steps(1)  # even an empty variation counts
        self.outer.append((self.line, self.before, self.match))
        fresh: list[RecordTurn] = []
        self.line[-1].variations.append(fresh)
        self.line, self.match = fresh, self.before

    def close_variation(self) -> None:
        if not self.outer:
            raise BadRecord("There is no variation to close here.")
        self.line, self.before, self.match = self.outer.pop()
        self.add_comments(self.line[-1], self.variation_comments)  # those of a variation without turns
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
        """Play the first turn of a text and return the rest of the text."""
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


def _split_seat(game: AnyGame, state: State, text: str) -> tuple[Seat, str]:
    """Split a turn into seat and text: ``*`` marks chance or the clock, ``@1:`` a seat; default: the seat to act."""
    if text.startswith("*"):
        return CLOCK if CLOCK in game.to_move(state) else CHANCE, text[1:]
    if text.startswith("@"):
        number, colon, rest = text[1:].partition(":")
        if not colon or not (number.isascii() and number.isdigit()) or len(number) > 2:  # noqa: PLR2004 - two digits are plenty
            raise BadRecord("Write the seat before its turn, as in @1: (the first seat is @0:).")
        return int(number), rest
    acting = game.to_move(state)
    if not acting:
        raise BadRecord("The game ended before this turn.")
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
        headers["Seed"] = record.seed  # a table reveals it only when nothing more can be drawn from it
    if outcome is not None:
        headers["Result"] = result_text(outcome)
    return {name: " ".join(value.split()) for name, value in headers.items()}


def _default_start(record: Record) -> State:
    """Return the initial state that the headers imply; None if the options do not allow that number of seats."""
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
