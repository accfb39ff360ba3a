"""The example bot plays whole games against a real server: as a guest, with a token, at its own table and elsewhere."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.support.live_server import ServerThread

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
GAME = "medieval_realm"
TIMEOUT_S = 120


@contextmanager
def run_bot(server: ServerThread, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A running bot, isolated from this environment: it may need nothing but Python."""
    environment = {"SERVER": server.url, "PATH": os.environ["PATH"], **variables}
    with subprocess.Popen(  # noqa: S603 - our own example
        [sys.executable, "-I", "-S", EXAMPLES / "bot.py"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def read_table_id(running: subprocess.Popen[str]) -> str:
    """The id of the table that a bot says it plays at."""
    assert running.stdout is not None
    line = running.stdout.readline()
    found = re.fullmatch(r"Playing at http://\S+/tables/(\w+)\n", line)
    assert found, line + running.communicate(timeout=TIMEOUT_S)[1]
    return found.group(1)


def result(server: ServerThread, table: str) -> str:
    scene = httpx.get(f"{server.url}/api/tables/{table}", timeout=TIMEOUT_S).json()
    assert scene["status"] == "over"
    return str(scene["result"]["text"])


@pytest.mark.long
def test_it_plays_a_game_against_a_bot_as_a_guest(served: ServerThread) -> None:
    with run_bot(served, GAME=GAME, OTHER="bot:random") as running:
        table = read_table_id(running)
        out, err = running.communicate(timeout=TIMEOUT_S)
    assert (running.returncode, err) == (0, "")
    assert out.strip() == result(served, table)


@pytest.mark.long
def test_two_of_them_play_each_other_one_by_invitation_and_one_with_a_token(served: ServerThread) -> None:
    with httpx.Client(base_url=served.url, timeout=TIMEOUT_S) as owner:
        token = owner.post("/api/me/tokens", json={"label": "bot"}).json()["token"]
        me = owner.get("/api/me").json()["player"]
    with run_bot(served, GAME=GAME, OTHER="open", BOT_TOKEN=token) as host:
        table = read_table_id(host)
        with run_bot(served, TABLE=table) as guest:
            assert read_table_id(guest) == table
            told = [running.communicate(timeout=TIMEOUT_S) for running in (host, guest)]
    assert [err for _, err in told] == ["", ""]
    assert {out.strip() for out, _ in told} == {result(served, table)}
    seats = httpx.get(f"{served.url}/api/tables/{table}", timeout=TIMEOUT_S).json()["seats"]
    assert seats[0]["player"]["id"] == me["id"]


def test_a_token_that_is_nobody_s_is_refused(served: ServerThread) -> None:
    with run_bot(served, BOT_TOKEN="rt_nobody") as running:  # noqa: S106 - nobody's
        _, err = running.communicate(timeout=TIMEOUT_S)
    assert running.returncode == 1
    assert "HTTP Error 401" in err


def test_it_is_short_and_its_page_names_every_variable() -> None:
    source = (EXAMPLES / "bot.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) < 50
    words = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    names = {word for word in words if isinstance(word, str) and word.isupper()}
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert {"SERVER", "TABLE", "BOT_TOKEN"} <= names
    for name in names:
        assert f"`{name}`" in page
