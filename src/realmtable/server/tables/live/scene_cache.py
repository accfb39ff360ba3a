"""Builds the scenes of live tables and caches their JSON, so that viewers who see the same share one encoding."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

from realmtable.engine.protocol import Seat
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.storage.database import Database
from realmtable.server.tables import actions
from realmtable.server.tables.live.live_table import CachedChanges, CachedScene, KnownPlayers, LiveTable
from realmtable.server.tables.live.presence import Presence
from realmtable.server.tables.picture_layers import STORE, note_recent, store_layers
from realmtable.server.tables.scenes.legal_choices import CROWDED, list_few_choices, prepare_choices
from realmtable.server.tables.scenes.list_changes import KnownLists, SceneChanges
from realmtable.server.tables.scenes.scene import Scene, SceneContext, encode_changes, encode_scene, scene, viewpoint
from realmtable.server.tables.table import Table, visible_version
from realmtable.server.workers.replay_pool import ReplayPool

STALE_CLOCK_S: Final = 0.5  # maximum age of a cached scene with a running clock


class SceneCache:
    """Builds scenes; the cached JSON is stored in `LiveTable.scenes` and dropped when the table changes."""

    def __init__(self, database: Database, accounts: Accounts, presence: Presence, now: Callable[[], float]) -> None:
        self.replay_pool: ReplayPool | None = None  # lists the choices of crowded positions
        self._database = database
        self._accounts = accounts
        self._presence = presence
        self._now = now

    async def build(self, live: LiveTable, you: tuple[Seat, ...], *, pictures: bool) -> Scene:
        """Build the scene of a viewer on the seats `you`."""
        context = await self._prepare(live, you)
        built = scene(live.table, you, context, pictures=pictures)
        _note_layers(live, you, built)
        return built

    async def scene_bytes(
        self, live: LiveTable, you: tuple[Seat, ...], *, pictures: bool, groups: bool = False
    ) -> tuple[int, bytes]:
        """Return the version that the viewer sees and the scene as JSON, from the cache if possible."""
        data = self.scene_bytes_now(live, you, pictures=pictures, groups=groups)
        if data is None:
            context = await self._prepare(live, you)
            data = self._encode(live, you, context, pictures=pictures, groups=groups)
        return visible_version(live.table, you), data

    def scene_bytes_now(
        self, live: LiveTable, you: tuple[Seat, ...], *, pictures: bool, groups: bool = False
    ) -> bytes | None:
        """Return the scene as JSON, or None if something must be loaded first, as `scene_bytes` does."""
        cached = live.scenes.get((you, pictures, groups))
        if cached is None:
            other = live.scenes.get((you, pictures, not groups))
            cached = other if other is not None and not other.is_crowded else None  # with few choices, both are alike
        table = live.table
        if cached is not None and not self._is_stale(table, cached.made_at):
            return cached.data
        context = self._context_now(live)
        if context is None or not self._lists_choices_now(table, you):
            return None
        live.context = context
        return self._encode(live, you, context, pictures=pictures, groups=groups)

    def changes_now(
        self, live: LiveTable, you: tuple[Seat, ...], known: KnownLists, *, groups: bool
    ) -> SceneChanges | None:
        """Return what has changed since a scene with these lists; None if the whole scene must be sent."""
        table, cached = live.table, live.changes.get((you, groups))
        if cached is not None and cached.changes.known is known and not self._is_stale(table, cached.made_at):
            return cached.changes
        context = self._context_now(live)
        if context is None or not self._lists_choices_now(table, you):
            return None
        live.context = context
        made = encode_changes(table, you, context, known, groups=groups)
        if made is not None:
            live.changes[you, groups] = CachedChanges(context.now, made)
        return made

    def _encode(
        self, live: LiveTable, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool, groups: bool
    ) -> bytes:
        own, data = encode_scene(live.table, you, context, pictures=pictures, groups=groups)
        if pictures:
            _note_layers(live, you, own)
        is_crowded = len(own["choices"]) >= CROWDED
        live.scenes[you, pictures, groups] = CachedScene(context.now, data, is_crowded=is_crowded)
        return data

    def _is_stale(self, table: Table, made_at: float) -> bool:
        """Whether a cached scene shows a running clock as it was too long ago."""
        return table.is_timed and self._now() - made_at > STALE_CLOCK_S

    def find_layer(self, live: LiveTable, you: tuple[Seat, ...], key: str) -> str | None:
        """Return a layer of the current or a recent scene of viewers on these seats, or None."""
        is_recent = key in live.recent_layers.get(you, ())
        svg = STORE.get(key) if is_recent else None
        if svg is None and (is_recent or live.layers_at.get(you) != live.table.version):
            view = live.table.game.view(live.table.match.state, viewpoint(live.table, you))
            layers = store_layers(live.table.game, view)
            _note_layers(live, you, {"layers": layers})
            svg = STORE.get(key) if any(layer["key"] == key for layer in layers) else None
        return svg

    async def _prepare(self, live: LiveTable, you: tuple[Seat, ...]) -> SceneContext:
        """Load what a scene needs; start again if the table changed meanwhile, so that the scene shows one version."""
        while True:
            changed = live.change_signal(you)
            context = self._context_now(live) or await self._load_context(live)
            if self.replay_pool is not None and not self._lists_choices_now(live.table, you):
                await prepare_choices(self.replay_pool, live.table.match, viewpoint(live.table, you) or 0)
            if not changed.is_set():
                live.context = context
                return context

    def _context_now(self, live: LiveTable) -> SceneContext | None:
        """Return the context of a scene if everything in it is known.

        Viewers of one version share it, unless the time in it might tell a secret.
        """
        table, recent, now = live.table, live.context, self._now()
        if recent is not None and not table.game.info.hidden and now - recent.now <= STALE_CLOCK_S:
            return recent
        known = live.known_players
        if known is None or table.setup.rated or known.key != self._players_key(table):
            return None
        return self._make_context(live, known.players, {}, now)

    def _players_key(self, table: Table) -> tuple[object, ...]:
        """Return what decides which players a table's scenes name, and how."""
        return self._accounts.players_epoch, table.seats, table.chat, table.timed_out

    async def _load_context(self, live: LiveTable) -> SceneContext:
        table = live.table
        key = self._players_key(table)  # before loading, so that no change is missed
        ids = {sitter.player_id for sitter in table.seats if sitter}
        if table.chat:
            ids.update([message.player_id for message in table.chat])
        wanted = ids.union([late.player_id for late in table.timed_out]) if table.timed_out else ids
        players = await self._accounts.players(wanted)
        live.known_players = KnownPlayers(key, players)
        rated = await ratings.ratings_of(self._database, sorted(ids), table.setup.game) if table.setup.rated else {}
        return self._make_context(live, players, rated, self._now())

    def _make_context(
        self, live: LiveTable, players: Mapping[str, Player], rated: Mapping[str, dict[str, Any]], now: float
    ) -> SceneContext:
        connected, paused = self._presence.connected_seats(live), self._presence.is_paused(live)
        return SceneContext(players, rated, connected, now, paused, self._presence.count_spectators(live))

    def _lists_choices_now(self, table: Table, you: tuple[Seat, ...]) -> bool:
        """Whether the choices of a viewer are few or cached; otherwise a worker process lists them."""
        viewer = viewpoint(table, you)
        if self.replay_pool is None or viewer is None or not actions.may_act(table, viewer):
            return True
        return list_few_choices(table.match, viewer)


def _note_layers(live: LiveTable, you: tuple[Seat, ...], part: Scene) -> None:
    """Note the layers of a picture that a viewer has received, if the part of the scene has one."""
    if layers := part.get("layers"):
        note_recent(live.recent_layers.setdefault(you, OrderedDict()), [layer["key"] for layer in layers])
        live.layers_at[you] = live.table.version
