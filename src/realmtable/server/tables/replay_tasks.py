"""The game work that `replay_pool` has done elsewhere: functions of plain data that give plain data back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import orjson

from realmtable.engine import registry
from realmtable.engine.errors import NotYourTurn
from realmtable.engine.match import Match, PlayedTurn
from realmtable.engine.protocol import CHANCE, AnyGame, Seat
from realmtable.engine.record import MAX_STEPS, Record, load_record, parse_record
from realmtable.server.storage.store import Event, TableRow
from realmtable.server.tables import actions, moments
from realmtable.server.tables.replay import replay
from realmtable.server.tables.runs import latest_run
from realmtable.server.tables.scene import moment

MAX_WARNINGS: Final = 20
MIN_STEP_LENGTH: Final = 6  # characters of a record for a step, at least


def estimate_steps(text: str) -> int:
    """About how many steps a record has at most, from its length alone."""
    return min(MAX_STEPS, 1 + len(text) // MIN_STEP_LENGTH)


# ---- moments


class EncodedRun(NamedTuple):
    """A run of steps by one seat: the state it began in and the steps, as text."""

    game: str
    before: str
    seat: Seat
    moves: tuple[str, ...]

    def to_match(self) -> Match:
        """The match at its end, as far as a moment needs it."""
        game = registry.game(self.game)
        match = Match.start(game, game.decode(self.before))
        for text in self.moves:
            match = match.play(self.seat, game.parse_move(match.state, text))
        return match


def encode_latest_run(match: Match) -> EncodedRun:
    """The latest run of steps of a match."""
    if match.entry is None:
        return EncodedRun(match.game.info.id, match.game.encode(match.state), 0, ())
    run = latest_run(match)
    return _encode_run(match.game, run.before, run.seat, run.moves)


def _encode_run(game: AnyGame, state: Any, seat: Seat, moves: Sequence[Any]) -> EncodedRun:  # noqa: ANN401 - the game's own
    before, texts = game.encode(state), []
    for move in moves:
        texts.append(game.format_move(state, move))
        state = game.play(state, seat, move)
    return EncodedRun(game.info.id, before, seat, tuple(texts))


def moment_data(run: EncodedRun, viewer: Seat | None, step: int, steps: int, open_to_all: bool) -> dict[str, Any]:
    """The moment at the end of a run, see `scene.moment`."""
    return moment(run.to_match(), viewer, step=step, steps=steps, open_to_all=open_to_all)


def moment_json(run: EncodedRun, viewer: Seat | None, step: int, steps: int, open_to_all: bool) -> bytes:
    """The same as JSON."""
    return orjson.dumps(moment_data(run, viewer, step, steps, open_to_all))


def moment_picture(run: EncodedRun, viewer: Seat | None, step: int, steps: int, open_to_all: bool) -> str:
    """Its picture alone."""
    picture: str = moment_data(run, viewer, step, steps, open_to_all)["picture"]
    return picture


def preview_json(run: EncodedRun, seat: Seat, text: str, step: int) -> bytes:
    """What the steps of a text would do after a run; where dice are thrown the preview ends."""
    match = run.to_match()
    game = match.game
    for index, move in enumerate(actions.read_moves(game, match.state, text)):
        acting = game.to_move(match.state)
        if index and acting == (CHANCE,):
            break
        if index and seat not in acting:
            raise NotYourTurn("The turn ends before the last of these steps; leave the rest out.")
        match = match.play(seat, move)
    shown = moment(match, seat, step=step + 1, steps=step, open_to_all=True)
    return orjson.dumps({name: shown[name] for name in ("picture", "words", "text", "last")})


def explore_json(game_id: str, position: str | None, texts: Sequence[str]) -> bytes:
    """A position after some steps that somebody tries out, see `replays.explored`."""
    return orjson.dumps(moments.explore(game_id, position, texts))


# ---- records


class RecordFacts(NamedTuple):
    """A record without a fault: its game, and a sentence for each of the first slips that were forgiven."""

    game: str
    warnings: list[str]


def check_record(text: str) -> RecordFacts:
    """Read a record; its first fault is raised."""
    reading = parse_record(text, registry.game)
    game = reading.require_record().game
    told = [f"Line {warning.line}: {warning.text}" for warning in reading.warnings[:MAX_WARNINGS]]
    return RecordFacts(game.info.id, told)


class EncodedGame(NamedTuple):
    """A whole game to look at: its runs of steps, and after how many steps each is over."""

    game: str
    runs: list[EncodedRun]
    ends: list[int]
    size: int  # characters, about

    @property
    def steps(self) -> int:
        """How many steps it has."""
        return self.ends[-1]

    def run_at(self, step: int) -> EncodedRun:
        """The run that leads to the moment after so many steps; the first moment has the state alone."""
        if step == 0:
            return self.runs[0]._replace(moves=())
        index = bisect_left(self.ends, step)
        run = self.runs[index]
        return run._replace(moves=run.moves[: step - self.ends[index] + len(run.moves)])


def encode_match(match: Match) -> EncodedGame:
    """The runs of a match; a game without a step has one without moves."""
    turns = match.turns() or [PlayedTurn(match.game.turn(match.state), 0, match.state, ())]
    runs = [_encode_run(match.game, turn.before, turn.seat, turn.moves) for turn in turns]
    ends = [0]
    for run in runs:
        ends.append(ends[-1] + len(run.moves))
    size = sum(len(run.before) + sum(map(len, run.moves)) for run in runs)
    return EncodedGame(match.game.info.id, runs, ends[1:], size)


class LoadedRecord(NamedTuple):
    """A kept record to look at: what its page shows first, its runs, and its main line alone as a record."""

    page: dict[str, Any]
    encoded_game: EncodedGame
    turns: int
    main_line: str
    size: int  # characters, about


def load_stored_record(record_id: str, text: str) -> LoadedRecord:
    """Read a kept record for those who look at it."""
    record = load_record(text, registry.game)
    page, opened = moments.record_replay(record_id, record), encode_match(record.replay())
    size = opened.size + len(orjson.dumps(page)) + len(text)
    return LoadedRecord(page, opened, len(record.turns), _main_line(record), size)


def _main_line(record: Record) -> str:
    turns = [replace(turn, comment="", variations=[]) for turn in record.turns]
    return replace(record, turns=turns, comment="").text(with_seed=True)


# ---- whole tables


def encode_table(row: TableRow, events: Sequence[Event]) -> EncodedGame:
    """The runs of a table from its first step on."""
    return encode_match(replay(row, events).match)


def table_record_text(row: TableRow, events: Sequence[Event], names: dict[str, str]) -> str:
    """A table's record as a file."""
    return moments.table_record(replay(row, events), names).text()


def table_fairness(row: TableRow, events: Sequence[Event]) -> dict[str, Any]:
    """Whether a table's dice are those that were promised."""
    return moments.check_fairness(replay(row, events))
