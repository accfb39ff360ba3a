"""What a table of Magic Realm costs the server, against the limits of its design: `python -m bench.magic_scenes`.

Four bots play a week at a table, and four players and a spectator see every step as in a browser: a step is played,
and for each viewer the scene is made, compared with the one before, and compressed. Times are processor time. The
picture of the map is a layer that a browser requests once, so it is not counted.
"""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median
from typing import Final, NamedTuple

import click

from bench.magic import GAME, MS, SEATS, Figure, format_table
from bench.move_bytes import START_S, add_events, start_table
from realmtable.engine.bots import plan_steps
from realmtable.engine.protocol import Seat
from realmtable.search.bot_levels import make_bot
from realmtable.server.accounts.accounts import Player
from realmtable.server.tables import actions
from realmtable.server.tables.live.event_stream import GzipEncoder, encode_event
from realmtable.server.tables.live.scene_patch import make_patch
from realmtable.server.tables.scenes.scene import SceneContext, encode_scene
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Table

VIEWERS: Final[tuple[tuple[Seat, ...], ...]] = (*((seat,) for seat in range(SEATS)), ())
CONTEXT: Final = SceneContext(
    {f"p{seat}": Player(f"p{seat}", f"Player {seat}", "guest") for seat in range(SEATS)}, {}, [True] * SEATS, START_S
)
MAX_STEP_MS: Final = 30.0  # for a step and one viewer
MAX_SCENE_KB: Final = 15.0
MAX_PATCH_KB: Final = 2.0
KB: Final = 1_000


class SentScene(NamedTuple):
    """What one viewer received after one step."""

    seconds: float  # for the step and the scene
    whole: int  # bytes of the whole scene, compressed
    sent: int  # bytes of what was sent, compressed: mostly a patch of the scene before


class Viewer:
    """Someone who looks at a table in a browser."""

    def __init__(self, you: tuple[Seat, ...]) -> None:
        self.you = you
        self.encoder = GzipEncoder()
        self.scene = b""

    def send(self, table: Table) -> int:
        """Send what has changed at a table, and return how many bytes that takes."""
        scene = encode_scene(table, self.you, CONTEXT, pictures=True, groups=True)[1]
        patch = make_patch(self.scene, scene) if self.scene else None
        self.scene = scene
        return len(
            self.encoder.encode(encode_event("scene" if patch is None else "patch", patch or scene, table.version))
        )


def play_week(days: int, seed: int) -> Iterator[tuple[Table, float]]:
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


def measure(days: int, seed: int) -> list[SentScene]:
    """Play a game, and return what each viewer received after each step."""
    viewers, found = [Viewer(you) for you in VIEWERS], []
    for number, (table, step_s) in enumerate(play_week(days, seed)):
        for viewer in viewers:
            start = time.process_time()
            sent = viewer.send(table)
            seconds = step_s + time.process_time() - start
            if number:  # the first scene of a stream is sent whole
                found.append(SentScene(seconds, len(gzip.compress(viewer.scene)), sent))
    return found


def list_figures(scenes: Sequence[SentScene]) -> list[Figure]:
    """Return the figures with their limits."""
    times = sorted(MS * scene.seconds for scene in scenes)
    whole, sent = sorted(scene.whole / KB for scene in scenes), sorted(scene.sent / KB for scene in scenes)
    return [
        Figure("a step for one viewer, median", median(times), "ms", MAX_STEP_MS),
        Figure("a step for one viewer, 99%", _percentile(times, 99), "ms", MAX_STEP_MS),
        Figure("a whole scene, worst", whole[-1], "kB", MAX_SCENE_KB),
        Figure("what is sent, median", median(sent), "kB", MAX_PATCH_KB),
        Figure("what is sent, 99%", _percentile(sent, 99), "kB", MAX_SCENE_KB),
    ]


def _percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


@click.command(help=__doc__)
@click.option(
    "--days", default="7", show_default=True, type=click.Choice(["7", "14", "21", "28"]), help="Days of the game."
)
@click.option("--seed", default=1, show_default=True, type=int, help="Seed of the bots.")
def main(days: str, seed: int) -> None:
    """Measure and print the table."""
    os.environ.setdefault("REALMTABLE_COMPILE", "0")  # before any game is loaded
    scenes = measure(int(days), seed)
    click.echo(format_table(list_figures(scenes)))
    click.echo(f"\n{len(scenes) // len(VIEWERS):,} steps, {len(VIEWERS)} viewers.")


if __name__ == "__main__":
    main()
