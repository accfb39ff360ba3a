"""A step can be undone only by a player who sees the current version."""

from __future__ import annotations

from typing import Any

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
async def test_a_stale_undo_is_refused_and_the_step_stands(ann: Person, late: int) -> None:
    table, version, after = await open_mid_turn_table(ann)
    wrong = version if late < 0 else after["version"] + late
    answer = await ann.send("POST", f"/api/tables/{table}/undo", {"version": wrong})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "StaleVersion")
    assert answer.json()["error"]["version"] == after["version"]
    assert (await ann.get(f"/api/tables/{table}"))["step"] == after["step"]


async def test_an_undo_at_the_version_one_sees_takes_the_step_back(ann: Person) -> None:
    table, _, after = await open_mid_turn_table(ann)
    answer = await ann.post(f"/api/tables/{table}/undo", {"version": after["version"]})
    undone = await ann.get(f"/api/tables/{table}")
    assert (answer, undone["step"]) == ({"version": undone["version"]}, after["step"] - 1)
