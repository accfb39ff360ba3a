"""Tables without a server: tests append events directly to check the rules of a table one by one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import NothingToUndo
from realmtable.engine.protocol import Seat
from realmtable.server.storage.table_changes import Event, Snapshot, Summary, TableRow
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.events.apply import apply_event
from realmtable.server.tables.replay_log import replay, table_before_events, take_snapshot
from realmtable.server.tables.scenes.changes import NOTHING, Scene, find_change, read_scene
from realmtable.server.tables.scenes.scene import SceneContext, scene
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.toys import add_games
from tests.toys.dice_duel import DiceDuel
from tests.toys.gold_quest import GoldQuest
from tests.toys.market_day import MarketDay
from tests.toys.parry_duel import ParryDuel
from tests.toys.secret_cards import SecretCards

START = 1_000_000.0
HEIR = Occupant("bot-5", "level5")  # the bot that takes over for players without time


def register_toys(patch: pytest.MonkeyPatch) -> None:
    """Add the toy games to the registry: with dice, secrets, panels, reactions, and one for a single player."""
    add_games(patch, DiceDuel(), SecretCards(), GoldQuest(), MarketDay(), ParryDuel())


class TableHarness:
    """A table and its log; tests set the time in `now`."""

    def __init__(self, game: str = "classic_realm", seats: int = 2, **setup: Any) -> None:
        self.now = START
        chosen = Setup(game, seats, **setup)
        summary = Summary("open", 0, (), bot_due=False, deadline=None, turn=0, result=None, updated_at=START)
        self.row = TableRow(
            "t1", game, registry.info(game).rules_version, chosen.as_data(), "seed", "p0", START, False, summary
        )
        self.table = table_before_events(self.row)
        self.log: list[Event] = []
        self.add([EventDraft("created", None, "p0")])

    def add(self, drafts: list[EventDraft]) -> Table:
        for draft in drafts:
            event = Event(
                "t1", self.table.version + 1, draft.kind, draft.seat, draft.player_id, draft.data, self.now, None
            )
            self.table = apply_event(self.table, event)
            self.log.append(event)
        return self.table

    def act(self, act: Callable[..., list[EventDraft]], *args: Any, **values: Any) -> Table:
        return self.add(act(self.table, *args, **values))

    def seat_players(self) -> TableHarness:
        for seat in range(len(self.table.seats)):
            self.act(actions.sit, Occupant(f"p{seat}"), seat)
        return self

    def play(self, rng: Random) -> str:
        """Play a random legal step of the seat to move, and return its text."""
        seat = rng.choice(self.table.acting)
        move = rng.choice(self.table.game.legal_moves(self.table.match.state, seat))
        text = self.table.game.format_move(self.table.match.state, move)
        self.act(actions.play, seat, text)
        return text


def start_table(game: str = "classic_realm", clock: ClockRule | None = None, **setup: Any) -> TableHarness:
    """Return a table whose game has begun, with a player on each seat."""
    return TableHarness(game, clock=clock or ClockRule(), **setup).seat_players()


def facts(table: Table) -> dict[str, object]:
    """Return everything about a table but how its match is linked in memory."""
    return {
        **{
            field.name: getattr(table, field.name)
            for field in fields(table)
            if field.name not in ("match", "snapshot_step", "last_paths", "viewer_caches")
        },
        "state": table.game.encode(table.match.state),
        "draws": table.match.draws,
        "last": table.last_turn_paths,
    }


def play_anything(table: TableHarness, rng: Random, steps: int) -> list[Snapshot]:
    """Play at random, with undone steps, players without time and questions without answers; return snapshots."""
    snapshots, seats = [], tuple(range(len(table.table.seats)))
    for _ in range(steps):
        now = table.table
        if now.status != "running":
            break
        deadline, chance = now.decision_deadline, 0.4
        if deadline is None:
            deadline, chance = now.clock.deadline(), 0.1 if len(seats) > 2 else 0.01
        if deadline is not None and rng.random() < chance:
            table.now = deadline
            table.act(actions.check_clocks, table.now, HEIR)
        elif rng.random() < 0.2 and actions.can_undo(now, seats):
            with suppress(NothingToUndo):  # others have acted since
                table.act(actions.undo, seats)
        else:
            table.now += rng.random()
            table.play(rng)
        if table.table.status == "running" and (now.game.info.hidden or not table.table.match.is_turn_running()):
            snapshots.append(take_snapshot(table.table))
    return snapshots


def check_replays(table: TableHarness, rng: Random, snapshots: list[Snapshot]) -> None:
    """Check that the log leads to the same table from the start and from some snapshots."""
    for snapshot in (None, *rng.sample(snapshots, min(5, len(snapshots)))):
        assert facts(replay(table.row, table.log, snapshot)) == facts(table.table)


def show(
    table: Table, you: tuple[Seat, ...] = (), *, context: SceneContext | None = None, pictures: bool = False
) -> Scene:
    """Return the scene of a viewer as its readers read it."""
    _, change = find_change(NOTHING, scene(table, you, context or SceneContext({}, {}, None), pictures=pictures))
    return read_scene(change)
