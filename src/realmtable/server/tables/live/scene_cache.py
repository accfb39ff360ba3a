"""Builds the scenes of live tables and caches their JSON, so that viewers who see the same share one encoding."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Accounts
from realmtable.server.storage.database import Database
from realmtable.server.tables import actions
from realmtable.server.tables.live.live_table import CachedScene, LiveTable
from realmtable.server.tables.live.presence import Presence
from realmtable.server.tables.picture_layers import STORE, note_recent, store_layers
from realmtable.server.tables.scenes.legal_choices import CROWDED, prepare_choices
from realmtable.server.tables.scenes.scene import Scene, SceneContext, encode_scene, scene, viewpoint
from realmtable.server.tables.table import Table
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
        cached = live.scenes.get((you, pictures, groups))
        if cached is None:
            other = live.scenes.get((you, pictures, not groups))
            cached = other if other is not None and not other.is_crowded else None  # with few choices, both are alike
        timed = live.table.setup.clock.kind != "none" or live.table.has_deadline
        if cached is None or (timed and self._now() - cached.made_at > STALE_CLOCK_S):
            context = await self._prepare(live, you)
            own, data = encode_scene(live.table, you, context, pictures=pictures, groups=groups)
            if pictures:
                _note_layers(live, you, own)
            is_crowded = len(own["choices"]) >= CROWDED
            cached = live.scenes[you, pictures, groups] = CachedScene(context.now, data, is_crowded=is_crowded)
        return live.table.numbering(you).visible_version(live.table.version), cached.data

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
            changed = live.change_event(you)
            context = self._recent_context(live) or await self._load_context(live)
            if self.replay_pool is not None:
                await self._prepare_choices(self.replay_pool, live.table, you)
            if not changed.is_set():
                live.context = context
                return context

    def _recent_context(self, live: LiveTable) -> SceneContext | None:
        """Return the context of another viewer's scene of this version, unless the time in it might tell a secret."""
        known = live.context
        if known is None or live.table.game.info.hidden or self._now() - known.now > STALE_CLOCK_S:
            return None
        return known

    async def _load_context(self, live: LiveTable) -> SceneContext:
        table = live.table
        ids = {sitter.player_id for sitter in table.seats if sitter}
        if table.chat:
            ids.update([message.player_id for message in table.chat])
        wanted = ids.union([late.player_id for late in table.timed_out]) if table.timed_out else ids
        players = await self._accounts.players(wanted)
        rated = await ratings.ratings_of(self._database, sorted(ids), table.setup.game) if table.setup.rated else {}
        connected, paused = self._presence.connected_seats(live), self._presence.is_paused(live)
        watching = self._presence.count_spectators(live)
        return SceneContext(players, rated, connected, self._now(), paused, watching)

    @staticmethod
    async def _prepare_choices(pool: ReplayPool, table: Table, you: tuple[Seat, ...]) -> None:
        """Have the choices of a crowded position listed in a worker process."""
        viewer = viewpoint(table, you)
        if viewer is not None and actions.may_act(table, viewer):
            await prepare_choices(pool, table.match, viewer)


def _note_layers(live: LiveTable, you: tuple[Seat, ...], part: Scene) -> None:
    """Note the layers of a picture that a viewer has received, if the part of the scene has one."""
    if layers := part.get("layers"):
        note_recent(live.recent_layers.setdefault(you, OrderedDict()), [layer["key"] for layer in layers])
        live.layers_at[you] = live.table.version
