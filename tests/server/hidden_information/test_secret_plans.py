"""Players who plan in secret for many steps: those who may not know of it receive nothing, by whatever route."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.live import event_stream
from realmtable.server.tables.live.live_table import Viewer
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.leak_watchers import GameScript, WatchedGame, play_watched
from tests.server.support.live_server import make_feed, stays_signed_in
from tests.toys import add_games
from tests.toys.long_march import LongMarch

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]
OPTIONS = (("days", 8), ("longest", 60))


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    add_games(monkeypatch, LongMarch())


async def plan(played: WatchedGame, plans: tuple[str, ...], *, undone: int = 0) -> None:
    """The watcher plans a step, then the others as they like; then the watcher and the first seat are done."""
    await played.play(2, "n")
    for seat, steps in enumerate(plans):
        for step in steps:
            await played.play(seat, step, known_to=())
        for _ in range(undone):
            version = (await played.scene(seat))["version"]
            await played.players[seat].post(f"/api/tables/{played.table}/undo", {"version": version})
    await played.read_everything()
    await played.play(2, "e")
    await played.play(0, "done")
    await played.read_everything()


@pytest.mark.parametrize("undone", [pytest.param(0, marks=pytest.mark.slow), 3])
async def test_nobody_receives_a_byte_of_others_plans(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, undone: int
) -> None:
    evenings = []
    for number, plans in enumerate((("", ""), ("nesw" * 6, ",".join(["n"] * 40).split(",")), ("ww", ""))):
        world = GameScript("", (), "long_march", OPTIONS)
        async with play_watched(monkeypatch, tmp_path / str(number), world, seats=3, opponent=2) as played:
            await plan(played, tuple("".join(steps) for steps in plans), undone=undone if plans[1] else 0)
            evenings.append(played)
    for name in ("opponent", "spectator", "nobody"):
        first, *others = [played.watchers[name].received for played in evenings]
        for other in others:
            assert [what for what, *_ in first] == [what for what, *_ in other]
            for here, there in zip(first, other, strict=True):
                assert here == there, f"{name}: {here[0]}"
        streams = [[tap.received for tap in played.streams[name]] for played in evenings]
        assert streams[0] == streams[1] == streams[2], f"the stream of {name}"


async def open_table(services: Services) -> Table:
    player, _ = await services.accounts.create_guest()
    setup = Setup("long_march", 3, ("days=8", "longest=60"), listed=True)
    return await services.table_service.open_table(setup, player, [Occupant(player.id)] * 3)


async def test_no_stream_list_or_ping_stirs_while_a_seat_plans(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "PING_S", 0.5)
    table = await open_table(services)
    service = services.table_service
    live = await service.find(table.id)
    lobby, lists = asyncio.Event(), await services.lobby.list_open_and_running()
    service.lobby_viewers.add(lobby)
    events = event_stream.stream_scenes(make_feed(services, live), stays_signed_in)
    got = [await anext(events), await anext(events)]
    begun = asyncio.get_running_loop().time()
    ping = asyncio.ensure_future(anext(events))
    waiting = [Viewer(seats, None) for seats in ((), (1,), (2,), (1, 2), (0,), (0, 2))]
    live.viewers.update(dict.fromkeys(waiting))
    for _ in range(12):
        await service.act(table.id, lambda now: actions.play(now, 0, "n,e,s"))
        await service.act(table.id, lambda now: actions.undo(now, (0,)))
    assert {viewer.you for viewer in waiting if viewer.woken.is_set()} == {(0,), (0, 2)}
    got.append(await ping)
    assert got[2] == event_stream.PING
    assert asyncio.get_running_loop().time() - begun < 0.5 + 2.0
    assert not lobby.is_set()
    assert await services.lobby.list_open_and_running() == lists
    assert live.table.version > 40
    assert live.table.numbering(()).visible_version(live.table.version) == table.version
