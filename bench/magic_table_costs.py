"""How much work a table of Magic Realm is for the server; part of `python -m bench.magic`.

Four bots play at a table, and four players and a spectator see every step as in a browser: a step is played,
and for each viewer the scene is made, compared with the one before, and compressed. Times are processor time. The
picture of the map is a layer that a browser requests once, so it is not counted.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean, median
from typing import Final, NamedTuple

from bench.load_report import quantile
from bench.magic_limits_table import GAME, MS, SEATS, Figure
from bench.move_bytes import START_S, EventMaker, add_events, start_table
from realmtable.engine.bots import plan_steps
from realmtable.engine.protocol import Seat
from realmtable.search.bot_levels import make_bot
from realmtable.server.accounts.accounts import Player
from realmtable.server.tables import actions
from realmtable.server.tables.live.event_stream import GzipEncoder
from realmtable.server.tables.live.state_sizes import measure_states
from realmtable.server.tables.scenes.scene import SceneContext
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Table

VIEWERS: Final[tuple[tuple[Seat, ...], ...]] = (*((seat,) for seat in range(SEATS)), ())
CONTEXT: Final = SceneContext(
    {f"p{seat}": Player(f"p{seat}", f"Player {seat}", "guest") for seat in range(SEATS)}, {}, [True] * SEATS, START_S
)
MAX_STEP_MS: Final = 30.0  # for a step and one viewer
MAX_SCENE_KB: Final = 15.0
MAX_PATCH_KB: Final = 2.0
MAX_KEPT_KB: Final = 4.0
KB: Final = 1_000


class SentScene(NamedTuple):
    """What one viewer received after one step."""

    seconds: float  # for the step and the scene
    whole: int  # bytes of the whole scene, compressed
    sent: int  # bytes of what was sent, compressed: mostly a patch of the scene before
    kept: int  # bytes of memory for the step: what the latest states do not share


class Viewer:
    """Someone who looks at a table in a browser."""

    def __init__(self, you: tuple[Seat, ...]) -> None:
        self._maker = EventMaker(you, pictures=True)
        self._encoder = GzipEncoder()

    @property
    def scene(self) -> bytes:
        """The latest scene, whole."""
        return self._maker.scene

    def send(self, table: Table) -> int:
        """Send what has changed at a table, and return how many bytes that takes."""
        return len(self._encoder.encode(self._maker.make(table, CONTEXT)))


def play_at_table(days: int, seed: int) -> Iterator[tuple[Table, float]]:
    """Yield the table of a game of bots after each step, and the seconds that the step took."""
    bot, rng = make_bot("level5"), Random(seed)
    table = start_table(Setup(GAME, SEATS, options=(f"days={days}",)))
    while table.result is None:
        seat = table.acting[0]
        for step in plan_steps(bot, table.game, table.match.state, seat, rng):
            text = table.game.format_move(table.match.state, step)
            start = time.process_time()
            table = add_events(table, actions.play(table, seat, text), START_S)
            yield table, time.process_time() - start


def measure_scenes(days: int, seed: int = 1) -> list[SentScene]:
    """Play a game, and return what each viewer received after each step."""
    viewers, found = [Viewer(you) for you in VIEWERS], []
    for number, (table, step_s) in enumerate(play_at_table(days, seed)):
        kept = measure_states(table.match).further
        for viewer in viewers:
            start = time.process_time()
            sent = viewer.send(table)
            seconds = step_s + time.process_time() - start
            if number:  # the first scene of a stream is sent whole
                found.append(SentScene(seconds, len(gzip.compress(viewer.scene)), sent, kept))
    return found


def list_figures(scenes: Sequence[SentScene]) -> list[Figure]:
    """Return the figures with their limits."""
    times, sent = [MS * scene.seconds for scene in scenes], [scene.sent / KB for scene in scenes]
    return [
        Figure("a step for one viewer, median", median(times), "ms", MAX_STEP_MS),
        Figure("a step for one viewer, 99%", quantile(times, 0.99), "ms", MAX_STEP_MS),
        Figure("a whole scene, worst", max(scene.whole for scene in scenes) / KB, "kB", MAX_SCENE_KB),
        Figure("what is sent, median", median(sent), "kB", MAX_PATCH_KB),
        Figure("what is sent, 99%", quantile(sent, 0.99), "kB", MAX_SCENE_KB),
        Figure("memory kept for a step, mean", fmean(scene.kept for scene in scenes) / KB, "kB", MAX_KEPT_KB),
    ]
