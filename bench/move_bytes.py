"""How many bytes a move takes on the wire for each viewer: `python -m bench.move_bytes`.

Random games of every board game are shown to both players and a spectator through the encoding of the event stream:
changes of scenes for programs, and for browsers patches of scenes with pictures; both ask for long lists of choices in
groups.
Everything is counted after compression, without the headers of HTTP and TCP. The first scene of a stream is sent whole
and not counted.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import click

from realmtable.engine import registry
from realmtable.engine.protocol import Seat
from realmtable.server.accounts.accounts import Player
from realmtable.server.storage.table_rows import Event, Summary, TableRow
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live.event_stream import GzipEncoder, encode_event
from realmtable.server.tables.live.scene_patch import make_patch
from realmtable.server.tables.rebuild import table_before_events
from realmtable.server.tables.scenes.list_changes import KnownLists, known_lists
from realmtable.server.tables.scenes.scene import SceneContext, encode_changes, encode_scene
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from realmtable.server.tables.table_events import apply_event

BOARD_GAMES = ("classic_realm", "medieval_realm", "modern_realm", "oriental_realm", "realm")
MOMENTS = (10, 100)  # moves: early and in the middle
MAX_MOVES = 300
GAMES = 5
LIMIT = 2_048  # bytes
START_S = 1_800_000_000.123456
MOVE_S = 3.217  # between two moves
PLAYERS = {f"p{seat}": Player(f"p{seat}", name, "guest") for seat, name in enumerate(("Ann", "Bob"))}
VIEWERS: tuple[tuple[Seat, ...], ...] = ((0,), (1,), ())  # both players and a spectator

INTRODUCTION = """\
Bytes on the wire for one move and one viewer, by `python -m bench.move_bytes`: {games} random games of each kind (seeds
1 to {games}), at most {moves} moves each, seen by both players and a spectator through the encoding of the event
stream. Move 10, move 100 and the last move are medians over games and viewers; the other columns cover all moves.
Programs receive the changes of plain scenes, browsers patches of scenes with pictures; both ask for `groups`, and both
are compressed against the previous event.
The first scene of a stream and the headers of HTTP and TCP are not counted. The goal is at most {limit:,} bytes."""
EXCEPTION_TEXT = """\
{titles} can exceed it, at the start of a turn, when a scene lists hundreds of legal moves and the previous event, from
the opponent's turn, has no such list to refer to."""


class MoveBytes(NamedTuple):
    """The size of the event with which one viewer was shown one move."""

    move: int
    size: int
    is_last: bool  # of the game, or of the part that is played


class GameBytes(NamedTuple):
    """All moves of some random games, as programs (changes of plain scenes) or browsers (pictures) receive them."""

    game: str
    pictures: bool
    moves: Sequence[MoveBytes]

    @property
    def sizes(self) -> list[int]:
        """The sizes alone."""
        return [each.size for each in self.moves]


# ---- playing


def play_game(game_id: str, seed: int, max_moves: int) -> Iterator[tuple[Table, float]]:
    """Yield the table of a random game, and the time, at its start and after every move."""
    table, now, rng = start_table(Setup(game_id, len(PLAYERS))), START_S, Random(seed)
    yield table, now
    for _ in range(max_moves):
        if table.result is not None:
            return
        now += MOVE_S
        seat = rng.choice(table.acting)
        move = rng.choice(table.game.legal_moves(table.match.state, seat))
        text = table.game.format_move(table.match.state, move)
        table = add_events(table, actions.play(table, seat, text), now)
        yield table, now


def start_table(setup: Setup) -> Table:
    """Return a table at which a game has begun, with a player on each seat."""
    summary = Summary("open", 0, (), bot_due=False, deadline=None, turn=0, result=None, updated_at=START_S)
    rules = registry.info(setup.game).rules_version
    row = TableRow("AbCdEfGhIjKl", setup.game, rules, setup.as_data(), "seed", "p0", START_S, False, summary)
    table = add_events(table_before_events(row), [EventDraft("created", None, "p0")], START_S)
    for seat in range(setup.seats):
        table = add_events(table, actions.sit(table, Occupant(f"p{seat}"), seat), START_S)
    return table


def add_events(table: Table, drafts: Iterable[EventDraft], now: float) -> Table:
    """Return a table after some events."""
    for draft in drafts:
        event = Event(table.id, table.version + 1, draft.kind, draft.seat, draft.player_id, draft.data, now, None)
        table = apply_event(table, event, draft.played)
    return table


# ---- measuring


class EventMaker:
    """Makes the events that a viewer receives, uncompressed, as `event_stream.stream_scenes` does."""

    def __init__(self, you: tuple[Seat, ...], *, pictures: bool) -> None:
        self._you = you
        self._pictures = pictures
        self._known: KnownLists | None = None
        self.scene = b""  # the latest one, whole

    def make(self, table: Table, context: SceneContext) -> bytes:
        """Return the next event: the scene of a table, or a patch or the changes of the scene before."""
        if self._known is not None:
            changes = encode_changes(table, self._you, context, self._known, groups=True)
            if changes is not None:
                self._known = changes.now_known
                return encode_event("changes", changes.data, table.version)
        self._known = None if self._pictures else known_lists(table)
        scene = encode_scene(table, self._you, context, pictures=self._pictures, groups=True)[1]
        patch = make_patch(self.scene, scene) if self._pictures and self.scene else None
        self.scene = scene
        return encode_event("scene" if patch is None else "patch", patch or scene, table.version)


def encode_stream(tables: Iterable[tuple[Table, float]], you: tuple[Seat, ...], *, pictures: bool) -> Iterator[bytes]:
    """Yield the events of a viewer."""
    maker = EventMaker(you, pictures=pictures)
    for table, now in tables:
        yield maker.make(table, SceneContext(PLAYERS, {}, [True] * len(PLAYERS), now))


def compressed_sizes(events: Iterable[bytes]) -> list[int]:
    """Return the size of each event in the gzip stream of a viewer."""
    encoder = GzipEncoder()
    encoder.encode(b"")  # the head of the gzip stream
    return [len(encoder.encode(event)) for event in events]


def measure(game_id: str, games: int, max_moves: int = MAX_MOVES) -> list[GameBytes]:
    """Measure random games: as programs receive them, then as browsers do."""
    moves: dict[bool, list[MoveBytes]] = {False: [], True: []}
    for seed in range(1, games + 1):
        tables = list(play_game(game_id, seed, max_moves))
        for pictures, found in moves.items():
            for you in VIEWERS:
                sizes = compressed_sizes(encode_stream(tables, you, pictures=pictures))
                last = len(sizes) - 1
                found += [MoveBytes(number, size, number == last) for number, size in enumerate(sizes) if number]
    return [GameBytes(game_id, pictures, found) for pictures, found in moves.items()]


# ---- the table


def table_of(results: Sequence[GameBytes]) -> str:
    """Format results as a table."""
    moments = "".join(f" move {moment} |" for moment in MOMENTS)
    lines = [
        f"| game | scenes |{moments} last move | median | 99% | worst | over the limit |",
        "|---|---|" + "---:|" * (len(MOMENTS) + 5),
    ]
    return "\n".join([*lines, *map(_format_row, results)])


def _format_row(result: GameBytes) -> str:
    sizes = sorted(result.sizes)
    at = [[each.size for each in result.moves if each.move == moment] for moment in MOMENTS]
    at.append([each.size for each in result.moves if each.is_last])
    over = sum(size > LIMIT for size in sizes)
    cells = [
        registry.info(result.game).title,
        "pictures, patches" if result.pictures else "plain, changes",
        *(f"{statistics.median(some):,.0f}" if some else "–" for some in at),
        f"{statistics.median(sizes):,.0f}",
        f"{sizes[len(sizes) * 99 // 100]:,}",
        f"{sizes[-1]:,}",
        f"{over:,} of {len(sizes):,}",
    ]
    return f"| {' | '.join(cells)} |"


def describe_measurement(results: Sequence[GameBytes], games: int) -> str:
    """Return a paragraph on what the table shows."""
    about = INTRODUCTION.format(games=games, moves=MAX_MOVES, limit=LIMIT)
    large = sorted({registry.info(result.game).title for result in results if max(result.sizes) > LIMIT})
    if large:
        about += " " + EXCEPTION_TEXT.format(titles=" and ".join(large))
    return " ".join(about.split())


@click.command()
@click.argument("game_ids", metavar="[GAME …]", nargs=-1)
@click.option("--games", type=click.IntRange(1, 1000), default=GAMES, show_default=True, help="Random games of each.")
def main(game_ids: tuple[str, ...], games: int) -> None:
    """Measure the bytes on the wire per move and viewer in random board games."""
    os.environ.setdefault("REALMTABLE_COMPILE", "0")  # before any game is loaded
    unknown = sorted(set(game_ids) - set(BOARD_GAMES))
    if unknown:
        raise click.UsageError(f"{unknown[0]} is not a board game; choose among {', '.join(BOARD_GAMES)}.")
    click.echo(table_of([found for game_id in game_ids or BOARD_GAMES for found in measure(game_id, games)]))


if __name__ == "__main__":
    main()
