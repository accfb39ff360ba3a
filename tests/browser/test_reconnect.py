"""The server is killed under a player's hands and comes back: the page says so, waits, and goes on by itself."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.driving import Visitor, path_of, shows
from tests.browser.games import middle
from tests.cli.running import COMMAND
from tests.server.serving import free_port

GAME = realmtable.infos()[0].id
STARTS_WITHIN_S = 60
AWAY = r"ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_NETWORK_IO"


class Life:
    """A server process that can be killed and started again on the same port and database."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = {
            "REALMTABLE_DATABASE_URL": f"sqlite:///{folder / 'tables.sqlite3'}",
            "REALMTABLE_LIMITS_FACTOR": "0",
            "REALMTABLE_BOT_WORKERS": "1",
            "REALMTABLE_LOG_LEVEL": "error",
        }
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [*COMMAND, "serve", "--no-open", "--port", str(self.port)],
            env={**os.environ, **self.settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # so that a Ctrl-C for the tests is not one for it
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if "Realmtable is at" in line:
                break
        return self.process

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        self.process.wait(STARTS_WITHIN_S)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    server = Life(tmp_path)
    yield server
    server.end(signal.SIGTERM)


def move(visitor: Visitor, table: str) -> None:
    scene = visitor.scene(table)
    choice = scene["choices"][0]
    for handle in path_of(scene, choice["move"]):
        visitor.pick(handle)
    visitor.finish(choice["move"])
    expect(visitor.part("slider")).to_have_attribute("max", str(scene["step"] + 1))


def test_a_killed_server_comes_back_and_the_game_goes_on(visit: Visitors, life: Life) -> None:
    player, watcher = visit(life.url), visit(life.url)
    for person in (player, watcher):
        person.forgives.append(AWAY)
    table = player.open_table(middle(GAME))
    for person in (player, watcher):
        person.goto(f"/tables/{table}")
    move(player, table)
    shows(watcher, watcher.scene(table))
    scene = player.scene(table)

    life.end(signal.SIGKILL)
    for person in (player, watcher):
        expect(person.part("connection")).to_be_visible()
        expect(person.part("connection")).to_contain_text("reconnecting")
    # A move that is made meanwhile waits for the server.
    choice = scene["choices"][0]
    for handle in choice["path"]:
        player.pick(handle)
    player.finish(choice["move"])
    life.start()

    for person in (player, watcher):
        expect(person.part("connection")).to_be_hidden()
        expect(person.part("slider")).to_have_attribute("max", str(scene["step"] + 1))
    move(player, table)
    shows(watcher, watcher.scene(table))
    shows(player, player.scene(table))
