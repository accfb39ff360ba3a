"""Rated games: the standard start, established players, and games in which all have played."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select, update

from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.storage import schema
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.rating_conditions import TOO_MANY_TODAY
from realmtable.server.tables.table import replace
from tests.server.support.fake_workers import LATE_POSITION, RECORDS, open_browsers
from tests.server.support.live_server import Person, make_settings, wait_until

pytestmark = pytest.mark.anyio

RECORD = (RECORDS / "realm/records/option-power-sacrifice.record").read_text(encoding="utf-8")
RATED = {"game": "classic_realm", "seats": ["me", "open"], "rated": True, "clock": {"kind": "days", "days": 1}}


@pytest.fixture
def settings(tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    return make_settings(tmp_path, **getattr(request, "param", {}))


async def open_rated_table(ann: Person, bob: Person, **wishes: Any) -> str:
    await ann.join("Ann")
    await bob.join("Bob")
    table: str = (await ann.post("/api/tables", {**RATED, **wishes}))["table"]
    await bob.post(f"/api/tables/{table}/seats")
    return table


async def play_turns(ann: Person, bob: Person, table: str, turns: int) -> None:
    rng = Random(1)
    while len((scene := await ann.get(f"/api/tables/{table}"))["lines"]) < turns or scene["acting"] != [0]:
        person = (ann, bob)[scene["acting"][0]]
        seen = await person.get(f"/api/tables/{table}")
        move = rng.choice(seen["choices"])["move"]
        await person.post(f"/api/tables/{table}/moves", {"version": seen["version"], "move": move})


async def wait_for_rating_changes(services: Services, table: str) -> dict[str, Any]:
    """Wait until a finished table has been rated, and return the changes."""

    async def look() -> Any:
        async with services.database.reading() as connection:
            found = select(schema.rated_tables).where(schema.rated_tables.c.table_id == table)
            return (await connection.execute(found)).first()

    changes: dict[str, Any] = (await wait_until(look)).changes
    return changes


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"position": LATE_POSITION}, "cannot start from a position or record"),
        ({"record": RECORD}, "cannot start from a position or record"),
        ({"options": {"bases": 14}}, "one of the presets unchanged"),
    ],
)
async def test_a_rated_game_begins_as_the_game_itself_does(ann: Person, wishes: dict[str, Any], words: str) -> None:
    await ann.join("Ann")
    body = {**RATED, "game": "realm", "rated": False, **wishes}
    error = await ann.expect_refusal("POST", "/api/tables", {**body, "rated": True})
    assert error["code"] == "BadSetup"
    assert words in error["message"]
    await ann.post("/api/tables", body)  # unrated it may


@pytest.mark.long
async def test_a_rated_game_needs_a_clock(services: Services, ann: Person, bob: Person) -> None:
    table = await open_rated_table(ann, bob)
    refusal = await ann.expect_refusal("POST", "/api/tables", {**RATED, "clock": {"kind": "none"}})
    assert refusal["code"] == "BadSetup"
    assert "needs a clock or days per move" in refusal["message"]
    # A table from before clocks were required goes on, and its rematch is unrated.
    live = await services.table_service.find(table)
    live.table = replace(live.table, setup=dataclasses.replace(live.table.setup, clock=ClockRule()))
    await play_turns(ann, bob, table, 6)
    await bob.post(f"/api/tables/{table}/resign")
    assert len(await wait_for_rating_changes(services, table)) == 2
    rematch = (await ann.post(f"/api/tables/{table}/rematch"))["table"]
    assert "unrated" in (await ann.client.get(f"/tables/{rematch}")).text


@pytest.mark.long
async def test_every_preset_may_be_rated(ann: Person) -> None:
    await ann.join("Ann")
    for game in ("realm", "classic_realm"):
        for preset in (await ann.get(f"/api/games/{game}"))["presets"]:
            await ann.post("/api/tables", {**RATED, "game": game, "preset": preset})


async def test_guests_play_unrated(services: Services) -> None:
    async with open_browsers(services, 2) as (ann, guest):
        error = await guest.expect_refusal("POST", "/api/tables", RATED)
        assert error["code"] == "NotAllowed"
        assert "members only" in error["message"]
        await ann.join("Ann")
        table = (await ann.post("/api/tables", RATED))["table"]
        assert "members only" in (await guest.expect_refusal("POST", f"/api/tables/{table}/seats", {}))["message"]
        await guest.post("/api/tables", {**RATED, "rated": False})


@pytest.mark.parametrize("settings", [{"rated_age_hours": 24.0}], indirect=True)
async def test_new_accounts_wait_before_they_play_rated(services: Services, ann: Person) -> None:
    await ann.join("Ann")
    assert "rated games in 24 hours" in (await ann.expect_refusal("POST", "/api/tables", RATED))["message"]
    async with services.database.writing() as connection:
        created = schema.players.c.created_at
        await connection.execute(update(schema.players).values(created_at=created - 23.5 * 3600))
    assert "rated games in an hour" in (await ann.expect_refusal("POST", "/api/tables", RATED))["message"]
    async with services.database.writing() as connection:
        await connection.execute(update(schema.players).values(created_at=created - 3600))
    await ann.post("/api/tables", RATED)


@pytest.mark.long
@pytest.mark.parametrize("settings", [{"rated_games": 2}], indirect=True)
async def test_accounts_without_games_play_unrated_first(ann: Person, bob: Person) -> None:
    await ann.join("Ann")
    await bob.join("Bob")
    assert "finish 2 more unrated games" in (await ann.expect_refusal("POST", "/api/tables", RATED))["message"]
    for turns, words in ((0, "finish 2 more unrated games"), (12, "finish one more unrated game"), (12, "")):
        table = (await ann.post("/api/tables", {**RATED, "rated": False}))["table"]
        await bob.post(f"/api/tables/{table}/seats")
        await play_turns(ann, bob, table, turns)
        await bob.post(f"/api/tables/{table}/resign")
        if words:
            assert words in (await ann.expect_refusal("POST", "/api/tables", RATED))["message"]
    await ann.post("/api/tables", RATED)


async def test_a_rematch_of_a_rated_game_asks_for_standing_too(services: Services, ann: Person, bob: Person) -> None:
    table = await open_rated_table(ann, bob)
    await bob.post(f"/api/tables/{table}/resign")
    async with services.database.writing() as connection:
        await connection.execute(update(schema.players).values(kind="guest"))
    services.accounts.forget(None)
    assert "members only" in (await ann.expect_refusal("POST", f"/api/tables/{table}/rematch", {}))["message"]


async def test_a_game_that_is_given_up_at_once_does_not_count(services: Services, ann: Person, bob: Person) -> None:
    table = await open_rated_table(ann, bob)
    assert (await ann.get(f"/api/tables/{table}"))["not_counted"] is None
    await play_turns(ann, bob, table, 4)
    await bob.post(f"/api/tables/{table}/resign")
    assert await wait_for_rating_changes(services, table) == {}
    scene = await ann.get(f"/api/tables/{table}")
    assert scene["not_counted"] == "Not counted for ratings: the game ended before everyone had played 3 turns."
    assert scene["not_counted"] in scene["sub"]
    assert scene["seats"][0]["rating"] is None


async def use_up_games_of_today(services: Services) -> None:
    async with services.database.writing() as connection:
        await connection.execute(update(schema.rated_pairs).values(games=3))


async def test_players_know_that_a_further_game_of_a_day_does_not_count(
    services: Services, ann: Person, bob: Person
) -> None:
    table = await open_rated_table(ann, bob)
    await play_turns(ann, bob, table, 6)
    await bob.post(f"/api/tables/{table}/resign")
    assert len(await wait_for_rating_changes(services, table)) == 2
    await use_up_games_of_today(services)
    opened = [
        (await ann.post(f"/api/tables/{table}/rematch"))["table"],
        (await ann.post("/api/tables", RATED))["table"],
    ]
    page = (await bob.client.get(f"/tables/{opened[1]}")).text
    assert "You have played three rated games against Ann today; this one is unrated." in page
    assert "1 day per move, unrated." in page
    await bob.post(f"/api/tables/{table}/rematch")
    await bob.post(f"/api/tables/{opened[1]}/seats")
    for further in opened:
        scene = await bob.get(f"/api/tables/{further}")
        assert scene["status"] == "running"
        assert scene["not_counted"] == TOO_MANY_TODAY
        assert scene["not_counted"] in scene["sub"]
        assert TOO_MANY_TODAY in [news["words"] for news in scene["news"]]
    await play_turns(ann, bob, opened[1], 6)
    await bob.post(f"/api/tables/{opened[1]}/resign")
    assert await wait_for_rating_changes(services, opened[1]) == {}


async def test_of_games_at_the_same_time_the_last_ones_say_at_their_end_that_they_do_not_count(
    services: Services, ann: Person, bob: Person
) -> None:
    tables = [await open_rated_table(ann, bob)]
    tables.append((await ann.post("/api/tables", RATED))["table"])
    await bob.post(f"/api/tables/{tables[1]}/seats")
    for table in tables:
        assert (await ann.get(f"/api/tables/{table}"))["not_counted"] is None
        await play_turns(ann, bob, table, 6)
        await bob.post(f"/api/tables/{table}/resign")
        await wait_for_rating_changes(services, table)
        await use_up_games_of_today(services)
    assert [(await ann.get(f"/api/tables/{table}"))["not_counted"] for table in tables] == [None, TOO_MANY_TODAY]
    assert (await services.table_service.table(tables[1])).is_uncounted


async def test_a_rated_game_of_guests_from_before_does_not_count(services: Services, ann: Person, bob: Person) -> None:
    table = await open_rated_table(ann, bob)
    await play_turns(ann, bob, table, 6)
    async with services.database.writing() as connection:
        await connection.execute(update(schema.players).where(schema.players.c.name == "Bob").values(kind="guest"))
    services.accounts.forget(None)
    await bob.post(f"/api/tables/{table}/resign")
    assert await wait_for_rating_changes(services, table) == {}
