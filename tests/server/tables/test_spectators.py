"""Spectators: how many watch a table, and the page with all live games."""

from __future__ import annotations

import re

import httpx
import pytest

from realmtable.server.api.responses import SVG_POLICY
from realmtable.server.services import Services
from realmtable.server.tables.live import board_pictures, live_table
from realmtable.server.tables.live.board_pictures import BoardPictures
from tests.server.support.live_server import Person, StreamTap

pytestmark = pytest.mark.anyio


async def test_players_see_how_many_people_watch(
    services: Services, ann: Person, bob: Person, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "SHOW_SPECTATORS_AFTER_S", 0.01)
    app = services.app  # type: ignore[attr-defined]  # put there by the fixture
    table = await ann.open_table(bob, listed=True)
    await eve.post("/api/me")
    path = f"/api/tables/{table}/events"

    def watching(tap: StreamTap) -> int:
        count: int = [*tap.scenes.values()][-1]["watching"] if tap.scenes else -1
        return count

    async with StreamTap(app, path, ann.cookie_header) as player:
        await player.wait(lambda: watching(player) == 0)
        async with (
            StreamTap(app, path, eve.cookie_header),
            StreamTap(app, path, eve.cookie_header),
            StreamTap(app, path),
        ):
            await player.wait(lambda: watching(player) == 2)  # two pages of one person count once
            assert "2 watching" in (await bob.client.get("/watch")).text
        await player.wait(lambda: watching(player) == 0)


async def test_several_processes_do_not_know_the_number(services: Services, ann: Person, bob: Person) -> None:
    services.table_service.presence.is_complete = False
    app = services.app  # type: ignore[attr-defined]  # put there by the fixture
    table = await ann.open_table(bob, listed=True)
    async with StreamTap(app, f"/api/tables/{table}/events") as tap:
        await tap.wait(lambda: bool(tap.scenes))
        assert [scene["watching"] for scene in tap.scenes.values()] == [None]


async def test_live_games_have_boards_as_spectators_see_them(ann: Person, bob: Person, eve: Person) -> None:
    table, private = await ann.open_table(bob, listed=True), await ann.open_table(bob)
    html = (await eve.client.get("/watch")).text
    (address,) = re.findall(rf'src="(/watch/{table}/[0-9a-f]+\.svg)\?theme=auto"', html)
    assert private not in html
    picture = await eve.client.get(address, params={"theme": "dark"})
    assert picture.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert picture.headers["content-security-policy"] == SVG_POLICY
    assert "rt-dark" in picture.text
    scene = await eve.get(f"/api/tables/{table}?pictures=true")
    assert (await eve.client.get(address)).text == scene["picture"]
    assert (await eve.client.get(address.replace(table, private))).status_code == 404
    assert (await eve.client.get(f"/watch/{table}/{'0' * 32}.svg")).status_code == 404
    assert (await eve.client.get("/watch/none/" + "0" * 32 + ".svg")).status_code == 404
    await ann.post(f"/api/tables/{table}/resign")


async def test_games_of_people_come_before_those_of_bots(ann: Person, bob: Person, client: httpx.AsyncClient) -> None:
    """However many bots have played since."""
    people = await ann.open_table(bob, listed=True)
    bots = await ann.open_table(listed=True, seats=["bot:level1", "bot:level1"])
    for path in ("/watch", "/"):
        html = (await client.get(path)).text
        assert 0 < html.index(people) < html.index(bots)


async def test_a_move_changes_the_picture_of_a_table_in_view(
    ann: Person, bob: Person, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ann.open_table(bob, listed=True)

    async def fetch_key() -> str:
        html = (await client.get("/watch/list", params={"in_view": table})).text
        (key,) = re.findall(rf"/watch/{table}/([0-9a-f]+)\.svg", html)
        return str(key)

    unseen = (await client.get("/watch/list")).text
    assert table in unseen
    assert ".svg" not in unseen
    first = await fetch_key()
    await ann.play(table)
    assert await fetch_key() == first, "drawn at most once a second"
    monkeypatch.setattr(board_pictures, "REDRAW_S", 0.0)
    second = await fetch_key()
    assert second != first
    for key in (first, second):
        assert (await client.get(f"/watch/{table}/{key}.svg")).status_code == 200


@pytest.mark.parametrize("most_tables", [1, 2])
async def test_old_pictures_are_forgotten_and_drawn_again(
    services: Services, ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch, most_tables: int
) -> None:
    monkeypatch.setattr(board_pictures, "MAX_TABLES", most_tables)
    monkeypatch.setattr(board_pictures, "MAX_PICTURES", 1)
    pictures = BoardPictures(services.table_service)
    tables = [await ann.open_table(bob, listed=True) for _ in range(2)]
    keys = [await pictures.current_key(table) for table in tables]
    assert [pictures.known_key(table) for table in tables] == [keys[0] if most_tables == 2 else None, keys[1]]
    assert await pictures.load(tables[0], keys[0], "light")


async def test_without_games_the_page_says_how_to_start_one(client: httpx.AsyncClient) -> None:
    assert "No public games are being played right now." in (await client.get("/watch")).text
