"""docs/host/wire-format.md documents every field that leaves the server, every event, error and limit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts.rate_limits import DEFAULTS
from realmtable.server.errors import http_status
from realmtable.server.tables.events.apply import KINDS
from realmtable.server.tables.scenes.changes import BY_ENTRY
from tests.server.support.live_server import Person
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio
DOCS = Path(__file__).resolve().parents[3] / "docs" / "host"
OWN_FORM = ("view", "labels")  # the game's own form, the page's handles
BY_KEY = (*BY_ENTRY, "moves", "words")  # objects whose keys are no names of fields


def page(name: str = "wire-format.md") -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def names(value: Any) -> Iterator[str]:
    """Every name of a field, at any depth, but not inside what is the game's own."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            is_by_key = name in BY_KEY and isinstance(inner, dict)
            yield from () if name in OWN_FORM else names([*inner.values()] if is_by_key else inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names(inner)


def kinds(root: type[RealmtableError]) -> Iterator[type[RealmtableError]]:
    """Errors of a running server: not those of other programs, nor missing packages, which stop it from starting."""
    elsewhere = ("realmtable.lab.", "realmtable.gpu.", "realmtable.rl.", "realmtable.engine.extras")
    for kind in root.__subclasses__():
        if kind.__module__.startswith("realmtable.") and not kind.__module__.startswith(elsewhere):
            yield kind
            yield from kinds(kind)


async def test_every_field_of_a_scene_and_of_a_moment_is_told(ann: Person) -> None:
    await ann.join("Ada")
    body = {"game": "realm", "seats": ["me", "bot:random"], "rated": True, "clock": {"kind": "game", "seconds": 300}}
    table = (await ann.post("/api/tables", body))["table"]
    await ann.post(f"/api/tables/{table}/chat", {"text": "hello"})
    await ann.post(f"/api/tables/{table}/offers", {"what": "draw"})
    for query in ("", "?pictures=true"):
        scene = (await ann.send("GET", f"/api/tables/{table}{query}")).json()
        assert [name for name in set(names(scene)) if f"`{name}`" not in page()] == []
    moment = await ann.get(f"/api/tables/{table}/moments/0")
    assert [name for name in set(names(moment)) if f"`{name}`" not in page()] == []
    await ann.post(f"/api/tables/{table}/resign")
    over = (await ann.send("GET", f"/api/tables/{table}")).json()
    assert over["result"]
    assert [name for name in set(names(over)) if f"`{name}`" not in page()] == []


async def test_every_field_of_panels_prompts_and_reasons_is_told(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    table = await ann.open_table(game="market_day", seats=["me", "me"])
    for path in ("?pictures=true", "/moments/0", "/why?handle=A"):
        found = (await ann.send("GET", f"/api/tables/{table}{path}")).json()
        assert [name for name in set(names(found)) if f"`{name}`" not in page()] == []


def test_every_kind_of_event_is_told() -> None:
    assert [kind for kind in KINDS if f"`{kind}`" not in page()] == []


def test_every_refusal_is_told_with_its_status() -> None:
    told = {
        code: int(row[1])
        for row in re.findall(r"^\| (`.*?) \| (\d{3}) \|", page(), flags=re.MULTILINE)
        for code in re.findall(r"`(\w+)`", row[0])
    }
    assert told.pop("Unexpected") == 500
    assert told == {kind.__name__: int(http_status(kind.__new__(kind))) for kind in kinds(RealmtableError)}


@pytest.mark.parametrize("kind", DEFAULTS)
def test_every_limit_is_told(kind: str) -> None:
    amount, seconds = DEFAULTS[kind]
    assert re.search(rf"^\| `{kind}` \| {amount} \| {seconds} s \|", page("deploy.md"), flags=re.MULTILINE)
