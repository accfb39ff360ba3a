"""Makes the scenes of live tables: one for each kind of viewer and change, and what differs from the one before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import orjson

from realmtable.engine.protocol import Seat
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Accounts
from realmtable.server.storage.database import Database
from realmtable.server.tables.live.live_table import LatestScene, LiveTable, Presence
from realmtable.server.tables.picture_layers import STORE, note_recent, store_layers
from realmtable.server.tables.scenes.changes import NOTHING, Change, find_change, whole_change
from realmtable.server.tables.scenes.scene import SceneContext, scene, viewpoint


class Update(NamedTuple):
    """What a viewer is sent: a change of the scene they know, or a whole scene."""

    scene_id: str
    is_whole: bool
    change: bytes  # as JSON


class ViewerScenes:
    """Makes scenes and keeps the latest of each kind of viewer with its table."""

    def __init__(self, database: Database, accounts: Accounts, presence: Presence, now: Callable[[], float]) -> None:
        self._database = database
        self._accounts = accounts
        self._presence = presence
        self._now = now

    async def update(self, live: LiveTable, you: tuple[Seat, ...], known: str, *, pictures: bool) -> Update | None:
        """Return what a viewer is sent who knows the scene with the id `known`; None if it is the current one."""
        latest = await self.latest(live, you, pictures=pictures)
        if latest.id == known:
            return None
        is_whole = not known or latest.previous_id != known
        change = orjson.dumps(whole_change(latest.placed)) if is_whole else latest.change
        return Update(latest.id, is_whole, change[:-1] + b',"now":%.3f}' % self._now())

    async def latest(self, live: LiveTable, you: tuple[Seat, ...], *, pictures: bool) -> LatestScene:
        """Return the current scene of viewers on the seats `you`, made if necessary."""
        while True:
            made = live.scenes.get((you, pictures))
            if made is not None and made.is_current:
                return made
            changes = live.changes
            context = live.context or await self._load_context(live)
            if changes == live.changes:  # otherwise it may be that of another version
                live.context = context
                return self._make(live, you, context, pictures=pictures)

    def _make(self, live: LiveTable, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> LatestScene:
        """Make the scene of a kind of viewer; if nothing in it has changed, the one before is still the latest."""
        before = live.scenes.get((you, pictures))
        made = scene(live.table, you, context, pictures=pictures)
        placed, change = find_change(NOTHING if before is None else before.placed, made)
        if pictures:
            _note_layers(live, you, made["layers"])
        if before is not None and not change:
            before.is_current = True
            return before
        encoded = b"" if before is None else orjson.dumps(change)
        latest = live.scenes[you, pictures] = LatestScene(before, placed, encoded)
        return latest

    async def whole(self, live: LiveTable, you: tuple[Seat, ...], *, pictures: bool) -> Change:
        """Return the whole scene of viewers on the seats `you`, as it is sent."""
        latest = await self.latest(live, you, pictures=pictures)
        return {**whole_change(latest.placed), "now": self._now()}

    def find_layer(self, live: LiveTable, you: tuple[Seat, ...], key: str) -> str | None:
        """Return a layer of the current or a recent scene of viewers on these seats, or None."""
        is_recent = key in live.recent_layers.get(you, ())
        svg = STORE.get(key) if is_recent else None
        if svg is None and (is_recent or live.layers_at.get(you) != live.table.version):
            view = live.table.game.view(live.table.match.state, viewpoint(live.table, you))
            layers = store_layers(live.table.game, view)
            _note_layers(live, you, layers)
            svg = STORE.get(key) if any(layer["key"] == key for layer in layers) else None
        return svg

    async def _load_context(self, live: LiveTable) -> SceneContext:
        table = live.table
        ids = {sitter.player_id for sitter in table.seats if sitter} | {message.player_id for message in table.chat}
        players = await self._accounts.players(ids | {late.player_id for late in table.timed_out})
        rated = await ratings.ratings_of(self._database, sorted(ids), table.setup.game) if table.setup.rated else {}
        connected, paused = self._presence.connected_seats(live), self._presence.is_paused(live)
        away_since = self._presence.away_since(live)
        return SceneContext(players, rated, connected, paused, self._presence.count_spectators(live), away_since)


def _note_layers(live: LiveTable, you: tuple[Seat, ...], layers: list[dict[str, str]]) -> None:
    if layers:
        note_recent(live.recent_layers.setdefault(you, OrderedDict()), [layer["key"] for layer in layers])
        live.layers_at[you] = live.table.version
