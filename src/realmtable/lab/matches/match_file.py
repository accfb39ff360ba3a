"""The file of a match, with one line per finished game, so that a match can be resumed.

The first line identifies the match. A last line that a crash left incomplete is dropped, and its game is played again.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.options import as_pairs
from realmtable.lab.matches.match_game import PlayedGame
from realmtable.lab.matches.match_plan import Plan

FORMAT = 1


class MatchFile:
    """The finished games of a match, stored in a file or, without one, only in memory."""

    def __init__(self, plan: Plan, file: IO[bytes] | None = None, path: Path | None = None) -> None:
        self.plan = plan
        self.games: list[PlayedGame] = []
        self._file = file
        self._path = path

    def add(self, game: PlayedGame) -> None:
        self.games.append(game)
        self._write(game_to_dict(self.plan, game))

    def load(self) -> None:
        """Read the stored games and cut off an incomplete line; raise `BadInput` for the file of another match."""
        if self._file is None:
            return
        lines = self._file.read().splitlines(keepends=True)
        good = self._read(lines)
        self._file.seek(sum(map(len, lines[:good])))
        self._file.truncate()
        if not good:
            self._write({"match": match_header(self.plan)})

    def _read(self, lines: list[bytes]) -> int:
        """Read lines and return the number of valid ones."""
        for number, line in enumerate(lines):
            try:
                data = json.loads(line) if line.endswith(b"\n") else None
                self._read_line(number, data)
            except (ValueError, KeyError, TypeError, AttributeError):
                if number == len(lines) - 1 and (number or _is_start_of_header(match_header(self.plan), line)):
                    return number
                raise BadInput(f"{self._path} is not a match file: line {number + 1} cannot be read.") from None
        return len(lines)

    def _read_line(self, number: int, data: Any) -> None:  # noqa: ANN401 - any JSON
        if number:
            self.games.append(game_from_dict(self.plan, data))
        else:
            self._check_header(data["match"])

    def _check_header(self, stored: dict[str, Any]) -> None:
        for name, expected in match_header(self.plan).items():
            if stored.get(name) != expected:
                values = f"its {name} is {_format_value(stored.get(name))}, not {_format_value(expected)}"
                raise BadInput(f"{self._path} holds another match: {values}; choose another file.")

    def _write(self, data: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(_encode_line(data))
            self._file.flush()


def _is_start_of_header(first: dict[str, Any], line: bytes) -> bool:
    """Whether a broken first line is the start of this match's header; other files are never overwritten."""
    return _encode_line({"match": first}).startswith(line)


def _encode_line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


def _format_value(value: object) -> str:
    return (",".join(map(str, value)) or "none") if isinstance(value, list) else str(value)


@contextmanager
def open_match_file(plan: Plan, path: Path | None) -> Iterator[MatchFile]:
    """Open a match file and load its games; only one match at a time may write to it."""
    if path is None:
        yield MatchFile(plan)
        return
    try:
        file = path.open("a+b")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadInput(f"{str(path)[:80]} cannot be written: {reason.lower()}.") from None
    with file:
        _lock(file, path)
        file.seek(0)
        match_file = MatchFile(plan, file, path)
        match_file.load()
        yield match_file


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise BadInput(f"Another match is writing to {path}; wait for it or choose another file.") from None


def match_header(plan: Plan) -> dict[str, Any]:
    """Return the facts that identify a match; the number of games is not one, so that a match can be extended."""
    info = registry.info(plan.game_id)
    return {
        "format": FORMAT,
        "game": plan.game_id,
        "rules_version": info.rules_version,
        "options": [] if plan.options is None else as_pairs(plan.options),
        "bots": list(plan.names),
        "seed": plan.seed,
        "opening_turns": "default" if plan.opening_turns is None else plan.opening_turns,
        "starts": list(plan.starts),
    }


def game_to_dict(plan: Plan, game: PlayedGame) -> dict[str, Any]:
    """Return a game as plain data."""
    return {
        "pair": game.pair,
        "bots": [plan.names[index] for index in game.bots],
        "seed": game.seed,
        "first": game.first,
        "points": list(game.points),
        "reason": game.reason,
        "turns": game.turns,
        "bot_turns": list(game.bot_turns),
        "seconds": [round(seconds, 4) for seconds in game.seconds],
        "opening": game.opening,
        "steps": list(game.steps),
    }


def game_from_dict(plan: Plan, data: dict[str, Any]) -> PlayedGame:
    """Restore a game from plain data; raises `KeyError`, `TypeError` or `ValueError` if it is malformed."""
    one, other = (plan.names.index(name) for name in data["bots"])
    white, black = (float(points) for points in data["points"])
    turns, seconds = data["bot_turns"], data["seconds"]
    return PlayedGame(
        pair=int(data["pair"]),
        bots=(one, other),
        seed=int(data["seed"]),
        first=int(data["first"]),
        points=(white, black),
        reason=str(data["reason"]),
        turns=int(data["turns"]),
        bot_turns=(int(turns[0]), int(turns[1])),
        seconds=(float(seconds[0]), float(seconds[1])),
        opening=int(data["opening"]),
        steps=tuple(map(str, data["steps"])),
    )
