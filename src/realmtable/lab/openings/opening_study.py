"""The opening study of Realm: a strong bot plays itself from every joint placement of Bases, and with rule options.

The study's file has one line per game, so a study can be stopped and resumed at any time. Games are played in rounds:
every placement once, then every placement again, so that a study is balanced wherever it stops.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.bots import plan_steps
from realmtable.engine.errors import BadInput
from realmtable.engine.options import parse_pairs
from realmtable.engine.protocol import AnyGame, Seat
from realmtable.lab.openings.base_placements import Bases, canonical_joint, format_placement, joints, parse_placement
from realmtable.search.bot_levels import make_bot

PLACEMENTS: Final = "placements"  # several games of every joint placement
STANDARD: Final = "standard"  # random placements, as a baseline for the options
FREE: Final = "free"  # the bots place the Bases themselves
OPTIONS: Final = (
    "second_moves_first=true",
    "first_turn_single_power=true",
    "extra_base_second=true",
    "bases=11",
    "bases=13",
    "bases=14",
)
RUNS: Final = (PLACEMENTS, STANDARD, FREE, *OPTIONS)
NINE_REALMS: Final = 9  # Realms; more than half of the board

State = Any


def studied_game() -> str:
    """Return the id of the game whose placements are studied."""
    return next(info.id for info in registry.infos() if info.placement_study)


@dataclass(frozen=True)
class OpeningTask:
    """A game to play."""

    run: str  # one of RUNS, or rule options as KEY=VALUE,…
    white: str  # the Bases, as in ``b11-e8-h5``; empty if the bots place them
    black: str
    number: int  # counts the games of this run and placement
    bot: str
    seed: int


@dataclass(frozen=True)
class OpeningGame:
    """The result of a game."""

    run: str
    white: str
    black: str
    number: int
    winner: Seat | None
    first: Seat  # the first to move after the set-up
    realms: tuple[int, int]
    reason: str
    turns: int
    nine: Seat | None  # the first to control nine Realms at the end of a turn before the game was over
    nine_turn: int | None

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Identifies the game within a study."""
        return self.run, self.white, self.black, self.number

    @property
    def score(self) -> float:
        """White's score: 1 for a win, ½ for a draw."""
        return 0.5 if self.winner is None else float(self.winner == 0)


def play_game(task: OpeningTask) -> OpeningGame:
    """Play a game. The same task gives the same game, unless the bot is limited by time."""
    game = registry.game(studied_game())
    state = opening_state(game, task)
    rngs = [Random(f"{task.seed} {task.white} {task.black} {task.number} {seat}") for seat in range(2)]  # noqa: S311
    player, turns, nine, first = make_bot(task.bot), 0, None, None
    while acting := game.to_move(state):
        seat, turn = acting[0], game.turn(state)
        if first is None and game.view(state, None)["phase"] == "turn":
            first = seat
        for move in plan_steps(player, game, state, seat, rngs[seat]):
            state = game.play(state, seat, move)
        if first is not None and (not game.to_move(state) or game.turn(state) != turn):
            turns += 1
            nine = nine or _nine_realms_holder(game, state, turns)
    return _opening_game(game, task, state, first or 0, turns, nine)


def opening_state(game: AnyGame, task: OpeningTask) -> State:
    """Return the state in which the bots take over, with only Bases on the board."""
    pairs = [] if task.run in (PLACEMENTS, STANDARD, FREE) else task.run.split(",")
    state = game.initial(2, game.options(None, **parse_pairs(game.info.options_type, pairs)))
    texts = [task.white.split("-"), task.black.split("-")] if task.white else []
    for names in zip_longest(*texts):
        for seat, name in enumerate(names):
            state = game.play(state, seat, game.parse_move(state, f"B{name}"))
    return state


def _nine_realms_holder(game: AnyGame, state: State, turn: int) -> tuple[Seat, int] | None:
    """Return the seat that controls nine Realms and the turn, or None if there is none or the game is over."""
    realms = game.view(state, None)["realms"]
    holder = next((seat for seat in range(2) if realms[seat] >= NINE_REALMS), None)
    return None if holder is None or not game.to_move(state) else (holder, turn)


def _opening_game(
    game: AnyGame, task: OpeningTask, state: State, first: Seat, turns: int, nine: tuple[Seat, int] | None
) -> OpeningGame:
    outcome = game.outcome(state)
    assert outcome is not None  # noqa: S101 - no seat is to act
    white, black = game.view(state, None)["realms"]
    return OpeningGame(
        run=task.run,
        white=task.white,
        black=task.black,
        number=task.number,
        winner=outcome.winner,
        first=first,
        realms=(white, black),
        reason=outcome.reason,
        turns=turns,
        nine=None if nine is None else nine[0],
        nine_turn=None if nine is None else nine[1],
    )


# ---- selecting games


def run_tasks(run: str, games: int, bot_spec: str, seed: int) -> Iterator[OpeningTask]:
    """Yield the games of a run: `games` of each joint placement, or `games` in total for other runs."""
    if run == PLACEMENTS:
        for number in range(games):
            for joint in joints():
                yield OpeningTask(
                    run, format_placement(joint.white), format_placement(joint.black), number, bot_spec, seed
                )
        return
    sample = [("", "")] * games if run == FREE else [*sample_placements(games, seed)]
    for number, (white, black) in enumerate(sample):
        yield OpeningTask(run, white, black, number, bot_spec, seed)


def placement_tasks(placement: str, games: int, bot_spec: str, seed: int) -> Iterator[OpeningTask]:
    """Yield games of one joint placement, written ``b11-e8-h5/b2-e5-h8``."""
    white, black = parse_joint_placement(placement)
    for number in range(games):
        yield OpeningTask(PLACEMENTS, format_placement(white), format_placement(black), number, bot_spec, seed)


def parse_joint_placement(placement: str) -> tuple[Bases, Bases]:
    """Parse a joint placement as in `placement_tasks` and return White's and Black's Bases in canonical form."""
    white, slash, black = placement.partition("/")
    if not slash or set(parse_placement(white)) & set(parse_placement(black)):
        raise BadInput(f"{placement[:60]} is not a joint placement; write one like b11-e8-h5/b2-e5-h8.")
    return canonical_joint(parse_placement(white), parse_placement(black))


def sample_placements(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield random joint placements, each of the 5,088 equally likely; a seed gives the same ones to every run."""
    rng = Random(f"{seed} sample")  # noqa: S311 - a study, not a secret
    for joint in rng.choices(joints(), [joint.ways for joint in joints()], k=count):
        yield format_placement(joint.white), format_placement(joint.black)


def check_options(wanted: Iterable[OpeningTask]) -> None:
    """Refuse unknown rule options before any game is played."""
    seen: set[str] = set()
    for task in wanted:
        if task.run not in seen:
            seen.add(task.run)
            opening_state(registry.game(studied_game()), task)


# ---- the file of a study


def study_header(bot_spec: str, seed: int) -> dict[str, Any]:
    """Return the first line of a study's file, which identifies its bot and seed."""
    return {"study": f"{studied_game()} openings", "bot": bot_spec, "seed": seed}


def load_games(path: Path, wanted: dict[str, Any] | None = None) -> tuple[dict[str, Any], list[OpeningGame]]:
    """Return the header and the games of a study's file, without an incomplete last line.

    Raise `BadInput` if the file is not a study, or its header is not `wanted`.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        head, *rest = [json.loads(line) for line in lines]
        games = [_game_from_dict(data) for data in rest]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadInput(f"{path} is not the file of an opening study: {error}.") from None
    if wanted is not None and head != wanted:
        raise BadInput(f"{path} belongs to another study: {head}, not {wanted}. Choose another file.")
    return head, games


def _game_from_dict(data: dict[str, Any]) -> OpeningGame:
    white, black = data.pop("realms")
    return OpeningGame(realms=(white, black), **data)


class StudyFile:
    """A study's file, open for appending games."""

    def __init__(self, path: Path, bot_spec: str, seed: int) -> None:
        self.path = path
        self.done: set[tuple[str, str, str, int]] = set()
        head = study_header(bot_spec, seed)
        if path.exists() and path.stat().st_size:
            _, games = load_games(path, head)
            self.done = {game.key for game in games}
            self._write([head, *map(asdict, games)])  # drops an incomplete last line
        else:
            self._write([head])

    def missing_tasks(self, wanted: Iterable[OpeningTask]) -> list[OpeningTask]:
        """Return the tasks that have not been played yet."""
        return [task for task in wanted if (task.run, task.white, task.black, task.number) not in self.done]

    def add(self, game: OpeningGame) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(game)) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.done.add(game.key)

    def _write(self, lines: Iterable[dict[str, Any]]) -> None:
        draft = self.path.with_name(f"{self.path.name}.part")
        draft.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        draft.replace(self.path)
