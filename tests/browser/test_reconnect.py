"""The server is killed under a player's hands and comes back: the page says so, waits, and goes on by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.driving import Visitor, path_of, shows
from tests.browser.games import middle
from tests.server.lives import LINUX, Lives

GAME = realmtable.infos()[0].id
AWAY = r"ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_NETWORK_IO"


@pytest.fixture
def lives(tmp_path: Path) -> Iterator[Lives]:
    """Servers that begin at once: a page sends a move again for 15 seconds, and a start can take longer."""
    with Lives(tmp_path) as servers:
        begin(servers)
        yield servers


def begin(lives: Lives) -> None:
    """Begin a life beside the loop that the browser has in this thread."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(asyncio.run, lives.begin()).result()


def move(visitor: Visitor, table: str) -> None:
    scene = visitor.scene(table)
    choice = scene["choices"][0]
    for handle in path_of(scene, choice["move"]):
        visitor.pick(handle)
    visitor.finish(choice["move"])
    expect(visitor.part("slider")).to_have_attribute("max", str(scene["step"] + 1))


@LINUX
def test_a_killed_server_comes_back_and_the_game_goes_on(visit: Visitors, lives: Lives) -> None:
    player, watcher = (visit(f"http://127.0.0.1:{lives.port}") for _ in range(2))
    for person in (player, watcher):
        person.forgives.append(AWAY)
    table = player.open_table(middle(GAME))
    for person in (player, watcher):
        person.goto(f"/tables/{table}")
    move(player, table)
    shows(watcher, watcher.scene(table))
    scene = player.scene(table)

    lives.kill()
    for person in (player, watcher):
        expect(person.part("connection")).to_be_visible()
        expect(person.part("connection")).to_contain_text("reconnecting")
    # A move that is made meanwhile waits for the server.
    choice = scene["choices"][0]
    for handle in choice["path"]:
        player.pick(handle)
    player.finish(choice["move"])
    begin(lives)

    for person in (player, watcher):
        expect(person.part("connection")).to_be_hidden()
        expect(person.part("slider")).to_have_attribute("max", str(scene["step"] + 1))
    move(player, table)
    shows(watcher, watcher.scene(table))
    shows(player, player.scene(table))
