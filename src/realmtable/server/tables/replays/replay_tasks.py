"""Tasks that `replay_pool` runs in other processes: functions from plain data to plain data."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import orjson

from realmtable.engine import registry
from realmtable.engine.errors import NotYourTurn
from realmtable.engine.match import Match, PlayedTurn
from realmtable.engine.pictures import insert_layers
from realmtable.engine.protocol import CHANCE, AnyGame, Seat, State
from realmtable.engine.record import MAX_STEPS, Record, load_record, parse_record
from realmtable.engine.record_lexer import split_headers
from realmtable.server.invisible_characters import strip_invisible
from realmtable.server.storage.table_store import Event, TableRow
from realmtable.server.tables import actions
from realmtable.server.tables.latest_turn import latest_run
from realmtable.server.tables.replay_log import replay
from realmtable.server.tables.replays import replay_views
from realmtable.server.tables.scenes.moment import moment

MAX_WARNINGS: Final = 20
HEAD_LENGTH: Final = 2_000  # characters in which a record usually names its game
MIN_STEP_LENGTH: Final = 6  # fewest characters that a step takes in a record


def estimate_steps(text: str) -> int:
    """Estimate an upper limit for the steps of a record from its game and its length.

    A text that names no game is a turn, or is refused before its steps are read. Only the beginning of a long text is
    read, because this runs on the event loop.
    """
    head = text if len(text) <= HEAD_LENGTH else text[:HEAD_LENGTH].rpartition("\n")[0]
    headers, body, _ = split_headers(strip_invisible(head))
    is_known = "Game" in headers or bool(body) or head == text
    longest = max(
        [MAX_STEPS, *(info.max_steps for info in registry.infos() if not is_known or info.id == headers.get("Game"))]
    )
    return min(longest, 1 + len(text) // MIN_STEP_LENGTH)


# ---- moments


class EncodedRun(NamedTuple):
    """A run of steps by one seat, as text: the state before it, and its steps."""

    game: str
    before: str
    seat: Seat
    moves: tuple[str, ...]

    def to_match(self) -> Match:
        """Return a match that consists of this run, which is all that a moment needs."""
        game = registry.game(self.game)
        match = Match.start(game, game.decode(self.before))
        for text in self.moves:
            match = match.play(self.seat, game.parse_move(match.state, text))
        return match


def encode_latest_run(match: Match) -> EncodedRun:
    """Encode the latest run of steps of a match."""
    if match.entry is None:
        return EncodedRun(match.game.info.id, match.game.encode(match.state), 0, ())
    run = latest_run(match)
    return _encode_run(match.game, run.before, run.seat, run.moves)


def _encode_run(game: AnyGame, state: State, seat: Seat, moves: Sequence[Any]) -> EncodedRun:
    before, texts = game.encode(state), []
    for move in moves:
        texts.append(game.format_move(state, move))
        state = game.play(state, seat, move)
    return EncodedRun(game.info.id, before, seat, tuple(texts))


def moment_data(run: EncodedRun, viewer: Seat | None, **facts: Any) -> dict[str, Any]:  # noqa: ANN401 - as `moment`
    """Return the moment at the end of a run; the `facts` are those of `realmtable.server.tables.scenes.moment`."""
    return moment(run.to_match(), viewer, **facts)


def moment_json(run: EncodedRun, viewer: Seat | None, **facts: Any) -> bytes:  # noqa: ANN401 - as `moment`
    """Return the moment at the end of a run as JSON."""
    return orjson.dumps(moment_data(run, viewer, **facts))


def moment_picture(run: EncodedRun, viewer: Seat | None, **facts: Any) -> str:  # noqa: ANN401 - as `moment`
    """Return the picture at the end of a run, with its layers."""
    data = moment_data(run, viewer, **facts)
    return insert_layers(data["picture"], [layer["svg"] for layer in data["layers"]])


def preview_json(run: EncodedRun, seat: Seat, text: str, step: int, known_layers: Collection[str] = ()) -> bytes:
    """Return the effect of some steps after a run; the preview ends at the first step of chance."""
    match = run.to_match()
    game = match.game
    for index, move in enumerate(actions.read_moves(game, match.state, text)):
        acting = game.to_move(match.state)
        if index and acting == (CHANCE,):
            break
        if index and seat not in acting:
            raise NotYourTurn("The turn ends before the last of these steps; leave out the rest.")
        match = match.play(seat, move)
    shown = moment(match, seat, step=step + 1, steps=step, open_to_all=True, known_layers=known_layers)
    return orjson.dumps({name: shown[name] for name in ("picture", "layers", "words", "text", "last")})


def explore_json(game_id: str, position: str | None, texts: Sequence[str], known_layers: Collection[str] = ()) -> bytes:
    """Return a position after some trial steps as JSON; see `replay_views.explore`."""
    return orjson.dumps(replay_views.explore(game_id, position, texts, known_layers))


def why_not_json(game_id: str, position: str | None, path: Sequence[str], handle: str) -> bytes:
    """Return why a handle of a position's picture cannot be chosen as JSON; see `replay_views.why_not`."""
    return orjson.dumps(replay_views.why_not(game_id, position, path, handle))


# ---- records


class RecordFacts(NamedTuple):
    """A valid record's text without invisible characters, its game, and its first warnings."""

    text: str
    game: str
    warnings: list[str]


def check_record(text: str) -> RecordFacts:
    """Parse a record; raise its first error."""
    text = strip_invisible(text)
    reading = parse_record(text, registry.game)
    game = reading.require_record().game
    warnings = [f"Line {warning.line}: {warning.text}" for warning in reading.warnings[:MAX_WARNINGS]]
    return RecordFacts(text, game.info.id, warnings)


class EncodedGame(NamedTuple):
    """A whole game for replay: its runs of steps, and the number of steps at the end of each."""

    game: str
    runs: list[EncodedRun]
    ends: list[int]
    size: int  # approximately, in characters

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self.ends[-1]

    def run_at(self, step: int) -> EncodedRun:
        """Return the run that ends after `step` steps; before the first step it has no moves."""
        if step == 0:
            return self.runs[0]._replace(moves=())
        index = bisect_left(self.ends, step)
        run = self.runs[index]
        return run._replace(moves=run.moves[: step - self.ends[index] + len(run.moves)])


def encode_match(match: Match) -> EncodedGame:
    """Encode a match; without a step it has one run without moves."""
    turns = match.turns() or [PlayedTurn(match.game.turn(match.state), 0, match.state, ())]
    runs = [_encode_run(match.game, turn.before, turn.seat, turn.moves) for turn in turns]
    ends = [0]
    for run in runs:
        ends.append(ends[-1] + len(run.moves))
    size = sum(len(run.before) + sum(map(len, run.moves)) for run in runs)
    return EncodedGame(match.game.info.id, runs, ends[1:], size)


class LoadedRecord(NamedTuple):
    """A stored record for replay: the initial data of its page, its runs, and its main line as a record."""

    page: dict[str, Any]
    encoded_game: EncodedGame
    turns: int
    main_line: str
    size: int  # approximately, in characters


def load_stored_record(record_id: str, text: str) -> LoadedRecord:
    """Load a stored record for replay."""
    record = load_record(text, registry.game)
    page, encoded = replay_views.record_replay(record_id, record), encode_match(record.replay())
    size = encoded.size + len(orjson.dumps(page)) + len(text)
    return LoadedRecord(page, encoded, len(record.turns), _main_line(record), size)


def _main_line(record: Record) -> str:
    turns = [replace(turn, comment="", variations=[]) for turn in record.turns]
    return replace(record, turns=turns, comment="").text(with_seed=True)


# ---- whole tables


def encode_table(row: TableRow, events: Sequence[Event]) -> EncodedGame:
    """Encode a table from its first step."""
    return encode_match(replay(row, events).match)


def table_record_text(row: TableRow, events: Sequence[Event], names: dict[str, str]) -> str:
    """Return a table's record as a file, with the day on which the game began."""
    # In UTC and without the hour, which would say when players are awake.
    dates = [time.strftime("%Y-%m-%d", time.gmtime(event.at)) for event in events if event.kind == "started"]
    headers = {"Date": dates[0]} if dates else {}
    return replay_views.table_record(replay(row, events), headers | names).text()


def table_fairness(row: TableRow, events: Sequence[Event]) -> dict[str, Any]:
    """Check a table's dice and shuffles against their commitment."""
    return replay_views.check_fairness(replay(row, events))
