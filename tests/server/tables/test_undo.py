"""A step can be undone only by a player who sees the current version."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

MID_GAME = "W:Be8,Bh11,Bb5,Pi10,Pf7,Pc4 B:Be5,Bh2,Bb8,Pg3,Pd6,Pc9 move=W"


async def open_mid_turn_table(person: Person) -> tuple[str, int, dict[str, Any]]:
    """A table of somebody who has taken the first of several steps of a turn, and its version before and after."""
    table = (await person.post("/api/tables", {"game": "realm", "seats": ["me", "me"], "position": MID_GAME}))["table"]
    before = await person.get(f"/api/tables/{table}")
    await person.post(f"/api/tables/{table}/moves", {"version": before["version"], "move": "Pi10i9"})
    after = await person.get(f"/api/tables/{table}")
    assert "undo" in after["can"]
    return table, before["version"], after


@pytest.mark.parametrize("late", [-1, 1000], ids=["decided before the step", "from the future"])
async def test_a_stale_undo_is_refused_and_the_step_stands(client: httpx.AsyncClient, late: int) -> None:
    person = Person(client)
    table, version, after = await open_mid_turn_table(person)
    wrong = version if late < 0 else after["version"] + late
    answer = await person.send("POST", f"/api/tables/{table}/undo", {"version": wrong})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "StaleVersion")
    assert answer.json()["error"]["version"] == after["version"]
    assert (await person.get(f"/api/tables/{table}"))["step"] == after["step"]


async def test_an_undo_at_the_version_one_sees_takes_the_step_back(client: httpx.AsyncClient) -> None:
    person = Person(client)
    table, _, after = await open_mid_turn_table(person)
    answer = await person.post(f"/api/tables/{table}/undo", {"version": after["version"]})
    undone = await person.get(f"/api/tables/{table}")
    assert (answer, undone["step"]) == ({"version": undone["version"]}, after["step"] - 1)
