"""What a page does without its socket: it says so, waits, and continues by itself once the server is back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.scripted_games import from_middle
from tests.browser.visitor import Visitor, click_path, expect_scene
from tests.server.support.restartable_server import LINUX, RestartableServer

GAME = realmtable.infos()[0].id
AWAY = r"ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_NETWORK_IO"


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[RestartableServer]:
    """Start servers in advance: a page retries a move for 15 seconds, and starting can take longer."""
    with RestartableServer(tmp_path, replay_workers="0") as servers:
        start_server(servers)
        yield servers


def start_server(servers: RestartableServer) -> None:
    """Start a server in another thread, because the browser's event loop occupies this one."""
    with ThreadPoolExecutor(1) as executor:
        executor.submit(asyncio.run, servers.start()).result()


def move(visitor: Visitor, table: str) -> None:
    scene = visitor.scene(table)
    choice = scene["choices"][0]
    for handle in click_path(scene, choice["move"]):
        visitor.pick(handle)
    visitor.confirm_move(choice["move"])
    expect(visitor.part("slider")).to_have_attribute("max", str(scene["step"] + 1))


@LINUX
def test_a_killed_server_comes_back_and_the_game_goes_on(visit: Visitors, servers: RestartableServer) -> None:
    player, watcher = (visit(f"http://127.0.0.1:{servers.port}", fresh=True) for _ in range(2))
    for person in (player, watcher):
        person.forgives.append(AWAY)
    table = player.open_table(from_middle(GAME))
    for person in (player, watcher):
        person.goto(f"/tables/{table}")
    move(player, table)
    expect_scene(watcher, watcher.scene(table))
    scene = player.scene(table)

    servers.kill()
    for person in (player, watcher):
        expect(person.part("connection")).to_be_visible()
        expect(person.part("connection")).to_contain_text("reconnecting")
    # A move made while the server is down waits for it.
    choice = scene["choices"][0]
    for handle in choice["path"]:
        player.pick(handle)
    player.confirm_move(choice["move"])
    player.open_tab("chat")
    player.part("chat-text").fill("Are you still there?")
    start_server(servers)

    for person in (player, watcher):
        expect(person.part("connection")).to_be_hidden()
        expect(person.part("slider")).to_have_attribute("max", str(scene["step"] + 1))
    expect(player.part("chat-text")).to_have_value("Are you still there?")
    player.part("chat-text").press("Enter")
    expect(player.part("chat")).to_contain_text("Are you still there?")
    expect(player.part("chat-text")).to_have_value("")
    move(player, table)
    expect_scene(watcher, watcher.scene(table))
    expect_scene(player, player.scene(table))


BROKEN = """
window.WebSocket = class extends EventTarget {
  static OPEN = 1;
  constructor() {
    super();
    EVENTS.forEach(([name, code]) => setTimeout(() => this.dispatchEvent(Object.assign(new Event(name), { code }))));
  }
  close() {}
};
"""


@pytest.mark.parametrize("events", ['["close", 1006]', '["open"], ["close", 1006]'], ids=["refused", "accepted"])
def test_a_network_that_forbids_sockets_is_named(visit: Visitors, events: str) -> None:
    visitor = visit(fresh=True)
    visitor.page.add_init_script(BROKEN.replace("EVENTS", f"[{events}]"))
    table = visitor.open_table(from_middle(GAME))
    visitor.page.clock.install()
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("connection")).to_contain_text("Your network blocks live connections")
    visitor.page.clock.run_for(1500)  # longer than the pause between two attempts
    expect(visitor.part("connection")).to_contain_text("Your network blocks live connections")


def test_a_connection_that_says_nothing_counts_as_lost(visit: Visitors) -> None:
    visitor = visit(fresh=True)
    visitor.page.add_init_script(BROKEN.replace("EVENTS", '[["open"]]'))
    table = visitor.open_table(from_middle(GAME))
    visitor.page.clock.install()
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("headline")).not_to_be_empty()
    expect(visitor.part("connection")).to_be_hidden()
    visitor.page.clock.fast_forward(11_000)
    expect(visitor.part("connection")).to_contain_text("reconnecting")


def test_a_page_says_that_its_player_was_signed_out_and_goes_on_when_they_are_back(visit: Visitors) -> None:
    visitor = visit(fresh=True)
    table = visitor.open_table(from_middle(GAME))
    visitor.goto(f"/tables/{table}")
    expect(visitor.page.locator("body")).to_contain_class("your-turn")
    cookies = visitor.page.context.cookies()
    reconnect = "() => dispatchEvent(new Event('online'))"
    visitor.page.context.clear_cookies()
    visitor.page.evaluate(reconnect)
    expect(visitor.part("connection")).to_contain_text("You have been signed out")
    expect(visitor.page.locator("body")).to_contain_class("your-turn")
    visitor.page.context.add_cookies(cookies)  # type: ignore[arg-type]  # as they were returned
    visitor.page.evaluate(reconnect)
    expect(visitor.part("connection")).to_be_hidden()
    move(visitor, table)
