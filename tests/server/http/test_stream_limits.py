"""Stream limits, in total and per address: who is refused, who gives way, and that players come first."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import ClientDisconnect

from realmtable.server.accounts.rate_limits import WIDER_FACTOR
from realmtable.server.errors import RateLimited
from realmtable.server.fair_queue import Requester
from realmtable.server.stream_limits import OpenStream, OpenStreams
from realmtable.server.tables.live import event_stream
from tests.seeds import mark_long
from tests.server.support.live_server import Person, StreamTap, make_app, make_settings

pytestmark = pytest.mark.anyio

EVE, BOB = Requester("1.1.1.1", "eve"), Requester("2.2.2.2", "bob")


def open_streams(
    streams: OpenStreams, requester: Requester, count: int, seat_at: str | None = None
) -> list[OpenStream]:
    return [streams.open(requester, seat_at) for _ in range(count)]


def test_one_address_keeps_so_many_and_no_more() -> None:
    streams = OpenStreams(100, 3)
    held = open_streams(streams, EVE, 3)
    with pytest.raises(RateLimited, match="from your address"):
        streams.open(EVE)
    streams.open(BOB)
    streams.close(held[0])
    streams.open(EVE)
    assert len(streams) == 4


def test_the_networks_of_one_ipv6_site_share_a_wider_limit() -> None:
    streams = OpenStreams(1000, 3)
    for number in range(WIDER_FACTOR * 3):
        streams.open(Requester(f"2001:db8:7:{number}::/64", f"guest {number}"))
    with pytest.raises(RateLimited, match="from your address"):
        streams.open(Requester("2001:db8:7:ffff::/64", "another"))
    streams.open(Requester("2001:db8:8:1::/64", "elsewhere"))


def test_a_player_takes_the_place_of_a_spectator_of_the_address_with_the_most() -> None:
    streams = OpenStreams(10, 100)
    crowd = open_streams(streams, EVE, 8)
    others = open_streams(streams, Requester("3.3.3.3", "kim"), 2)
    seat = streams.open(BOB, "t1")
    assert [one.ended for one in crowd] == [True, *[False] * 7]  # the oldest
    assert not any(one.ended for one in others)
    assert len(streams) == 10
    streams.close(crowd[0])  # when it has really ended
    assert len(streams) == 10
    assert not seat.ended


def test_a_full_server_shares_its_streams_out_among_addresses() -> None:
    streams = OpenStreams(10, 100)
    crowd = open_streams(streams, EVE, 10)
    mine = open_streams(streams, BOB, 5)
    assert [one.ended for one in crowd] == [True] * 5 + [False] * 5
    with pytest.raises(RateLimited, match="Too many people"):
        streams.open(BOB)
    with pytest.raises(RateLimited):
        streams.open(EVE)  # nobody comes and goes without end
    assert not any(one.ended for one in mine)


def test_a_player_finds_room_at_an_address_that_others_have_filled() -> None:
    streams = OpenStreams(100, 4)
    crowd = open_streams(streams, EVE, 4)
    kid = Requester(EVE.address, "kid")
    seat = streams.open(kid, "t1")
    assert [one.ended for one in crowd] == [True, False, False, False]
    other = streams.open(kid)  # fair among people too: Eve has three, the kid one
    assert [one.ended for one in crowd] == [True, True, False, False]
    with pytest.raises(RateLimited):
        streams.open(kid)
    assert not seat.ended
    assert not other.ended


def test_seats_taken_to_hoard_streams_keep_no_player_out() -> None:
    streams = OpenStreams(6, 6)
    hoard = [streams.open(EVE, f"t{number}") for number in range(6)]
    seat = streams.open(Requester(EVE.address, "kid"), "t9")
    assert [one.ended for one in hoard] == [True] + [False] * 5
    abroad = OpenStreams(6, 100)
    hoard = [abroad.open(EVE, f"t{number}") for number in range(6)]
    with pytest.raises(RateLimited):
        abroad.open(BOB)  # a spectator ends no player's stream
    abroad.open(BOB, "t9")
    assert [one.ended for one in hoard] == [True] + [False] * 5
    assert not seat.ended


def test_where_everybody_plays_with_one_stream_a_further_player_is_refused() -> None:
    streams = OpenStreams(3, 100)
    for number in range(3):
        streams.open(Requester(f"10.0.0.{number}", f"p{number}"), "t1")
    with pytest.raises(RateLimited):
        streams.open(BOB, "t1")


def test_an_older_page_of_the_same_player_at_the_same_table_counts_as_a_spectator() -> None:
    streams = OpenStreams(3, 100)
    old, new = open_streams(streams, EVE, 2, "t1")
    other = streams.open(EVE, "t2")
    streams.open(BOB, "t1")
    assert (old.ended, new.ended, other.ended) == (True, False, False)
    streams.close(new)
    again = streams.open(EVE, "t1")
    streams.close(again)
    assert len(streams) == 2


def test_when_the_newer_page_is_closed_the_older_one_is_the_players_again() -> None:
    streams = OpenStreams(2, 100)
    old, new = open_streams(streams, EVE, 2, "t1")
    streams.close(new)
    streams.open(EVE, "t2")
    with pytest.raises(RateLimited):
        streams.open(BOB)
    assert not old.ended


# ---- over HTTP


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    return make_app(make_settings(tmp_path, max_streams=6, max_streams_per_address=4, trust_proxy=True))


def open_tap(app: FastAPI, path: str, address: str, person: Person | None = None) -> StreamTap:
    return StreamTap(app, path, {"X-Forwarded-For": address, **(person.cookie_header if person else {})})


async def open_player(app: FastAPI, stack: AsyncExitStack, address: str) -> tuple[Person, str]:
    """Somebody who plays at a table of their own."""
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://testserver", headers={"X-Forwarded-For": address}
    )
    person = Person(await stack.enter_async_context(client))
    body = {"game": "classic_realm", "seats": ["me", "me"]}
    return person, str((await person.post("/api/tables", body))["table"])


async def test_streams_of_tables_and_of_the_lobby_count_for_their_address(app: FastAPI) -> None:
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        _, table = await open_player(app, stack, "9.9.9.9")
        paths = ["/api/lobby/events", f"/api/tables/{table}/events"] * 2
        held = [await stack.enter_async_context(open_tap(app, path, "1.1.1.1")) for path in paths]
        assert [one.status for one in held] == [200] * 4
        for path in paths[:2]:
            async with open_tap(app, path, "1.1.1.1") as refused:
                assert refused.status == 429
                assert b"Too many pages are open from your address" in refused.received
        assert len(app.state.services.streams) == 4
        async with open_tap(app, paths[0], "2.2.2.2") as welcome:
            assert welcome.status == 200
    assert len(app.state.services.streams) == 0


@pytest.mark.parametrize("path", mark_long(["/api/lobby/events", "table"], "/api/lobby/events"))
async def test_a_player_is_let_in_at_once_and_a_spectators_stream_ends_for_it(app: FastAPI, path: str) -> None:
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        bob, table = await open_player(app, stack, "9.9.9.9")
        events = f"/api/tables/{table}/events"
        crowd = [
            await stack.enter_async_context(open_tap(app, events if path == "table" else path, address))
            for address in ("1.1.1.1", "1.1.1.1", "1.1.1.1", "2.2.2.2", "2.2.2.2", "3.3.3.3")
        ]
        async with open_tap(app, events, "9.9.9.9", bob) as seat:
            assert seat.status == 200
            await crowd[0].wait(lambda: False, event_stream.PING_S / 2)  # it ends long before its next ping
            assert crowd[0].ended
            await seat.wait(lambda: bool(seat.scenes))
            assert seat.scenes[max(seat.scenes)]["you"] == [0, 1]
        assert [one.ended for one in crowd] == [True] + [False] * 5


async def test_an_answer_that_never_began_gives_its_place_back(app: FastAPI) -> None:
    async with app.router.lifespan_context(app):
        services = app.state.services
        opened = services.streams.open(EVE)
        events = event_stream.stream_lobby_changes(services.table_service, services.closing, opened)
        response = services.event_stream(events, opened)

        async def raise_gone(_: Any = None) -> Any:
            raise OSError

        with pytest.raises(ClientDisconnect):
            await response({"type": "http", "asgi": {"spec_version": "2.4"}}, raise_gone, raise_gone)
        assert len(services.streams) == 0
