"""Storage quotas: the refusal says what to do, and members may store more than guests."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from realmtable.engine import registry
from realmtable.server import services as realm_module
from realmtable.server.accounts import quotas
from realmtable.server.accounts.rate_limits import DEFAULTS
from realmtable.server.errors import NotFound
from realmtable.server.services import Services
from realmtable.server.storage.expiry import Expiry
from realmtable.server.tables import actions
from realmtable.server.tables.live import event_stream
from tests.server.support.live_server import Person, make_app, make_feed, make_settings, stays_signed_in

pytestmark = pytest.mark.anyio
PASSWORD = "correct horse battery"  # noqa: S105 - nobody's
RECORDS = Path(registry.__file__).parents[1] / "games" / "realm" / "records"
RECORD = (RECORDS / "magazine-game.record").read_text(encoding="utf-8")
TABLE = {"game": "classic_realm", "seats": ["me", "me"]}


@asynccontextmanager
async def run_server(folder: Path, **settings: Any) -> AsyncIterator[Services]:
    """A server with rate limits that nobody reaches, and quotas as they are given."""
    app = make_app(make_settings(folder, **{"limits_factor": 1000.0, **settings}))
    async with app.router.lifespan_context(app):
        app.state.services.app = app
        yield app.state.services


@asynccontextmanager
async def open_person(services: Services, address: str = "192.0.2.1", name: str = "") -> AsyncIterator[Person]:
    transport = httpx.ASGITransport(services.app, client=(address, 1))  # type: ignore[attr-defined]  # put there above
    async with httpx.AsyncClient(transport=transport, base_url=services.settings.public_url) as http:
        found = Person(http)
        if name:
            await found.post("/api/me/claim", {"name": name, "password": PASSWORD})
        yield found


def long_record(size: int, letter: str = "x") -> str:
    """A whole record of about that many characters: a comment makes it long."""
    return RECORD + "{" + letter * (size - len(RECORD) - 3) + "}\n"


async def store_record(who: Person, size: int) -> httpx.Response:
    return await who.send("POST", "/api/records", {"text": long_record(size)})


async def refusal(answer: httpx.Response, status: int, code: str) -> str:
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["code"] == code
    return str(answer.json()["error"]["message"])


@pytest.mark.long
async def test_a_guest_s_records_are_bounded_and_a_member_s_are_wider(tmp_path: Path) -> None:
    bounds = {"guest_mib": 1, "member_mib": 2}
    async with (
        run_server(tmp_path, **bounds) as services,
        open_person(services) as guest,
        open_person(services, name="Ada") as ada,
    ):
        assert (await store_record(guest, 700_000)).status_code == 201
        message = await refusal(await store_record(guest, 700_000), 429, "QuotaReached")
        assert "0.7 MiB in 1 record;" in message
        assert "Choose a name and password" in message
        assert "deleted after 90 days" in message
        for _ in range(2):
            assert (await store_record(ada, 700_000)).status_code == 201
        message = await refusal(await store_record(ada, 800_000), 429, "QuotaReached")
        assert "Contact the administrator" in message


@pytest.mark.long
async def test_a_record_over_the_whole_quota_is_too_large(tmp_path: Path) -> None:
    async with run_server(tmp_path, guest_mib=1) as services, open_person(services) as guest:
        text = long_record(600_000, "é")  # two bytes each
        message = await refusal(await guest.send("POST", "/api/records", {"text": text}), 413, "TooLarge")
        assert "at most 1 MiB" in message


async def test_small_records_are_counted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "RECORDS_PER_MIB", 2)
    async with run_server(tmp_path, guest_mib=1) as services, open_person(services) as guest:
        assert [(await store_record(guest, 3000)).status_code for _ in range(3)] == [201, 201, 429]


async def test_all_guests_of_one_address_share_what_it_may_store_in_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DEFAULTS, "address_stored", (12_000, 86_400))
    async with (
        run_server(tmp_path, limits_factor=1.0) as services,
        open_person(services) as ann,
        open_person(services) as bob,
        open_person(services, "192.0.2.2") as far,
    ):
        table = (await ann.post("/api/tables", TABLE))["table"]
        scene = await ann.get(f"/api/tables/{table}")
        answers = [await ann.send("POST", f"/api/tables/{table}/chat", {"text": "x" * 500}) for _ in range(5)]
        answers.append(await ann.send("POST", "/api/records", {"text": long_record(7_000)}))
        body = {"version": scene["version"], "move": scene["choices"][0]["move"]}
        answers.append(await ann.send("POST", f"/api/tables/{table}/moves", body))
        assert all(answer.is_success for answer in answers)
        answer = await store_record(bob, 3_000)
        message = await refusal(answer, 429, "RateLimited")
        assert re.match(r"Your network has reached its limit of .* MiB per day; try again in 24 hours\.", message)
        assert 80_000 < int(answer.headers["retry-after"]) <= 86_400
        await ann.get(f"/api/tables/{table}")
        assert (await store_record(far, 3_000)).status_code == 201


@pytest.mark.long
async def test_so_many_tables_are_kept_for_a_guest_and_more_for_a_member(tmp_path: Path) -> None:
    bounds = {"guest_tables": 2, "member_tables": 3}
    async with (
        run_server(tmp_path, **bounds) as services,
        open_person(services) as guest,
        open_person(services, name="Ada") as ada,
    ):
        opened = [await guest.send("POST", "/api/tables", TABLE) for _ in range(3)]
        assert [answer.status_code for answer in opened] == [201, 201, 429]
        assert "the limit of 2 tables" in await refusal(opened[2], 429, "QuotaReached")
        assert [(await ada.send("POST", "/api/tables", TABLE)).status_code for _ in range(4)] == [201] * 3 + [429]
        table = opened[0].json()["table"]
        await guest.post(f"/api/tables/{table}/resign")
        assert (await guest.send("POST", f"/api/tables/{table}/rematch", {})).status_code == 429


async def test_nothing_is_bounded_where_the_settings_say_so(tmp_path: Path) -> None:
    bounds = {"guest_mib": 0, "guest_tables": 0}
    async with run_server(tmp_path, **bounds) as services, open_person(services) as guest:
        assert [(await store_record(guest, 900_000)).status_code for _ in range(2)] == [201, 201]
        assert (await guest.send("POST", "/api/tables", TABLE)).status_code == 201


async def test_no_records_are_taken_when_the_disk_is_almost_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path) as services, open_person(services) as guest:
        await services.disk_use.measure()
        monkeypatch.setattr(services.disk_use, "_low_bytes", 1 << 62)
        assert "almost full" in await refusal(await store_record(guest, 3000), 503, "Unavailable")
        assert (await guest.send("POST", "/api/tables", TABLE)).status_code == 201


# ---- expiry, on a running server


async def test_a_removed_table_leaves_memory_and_sends_its_readers_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        run_server(tmp_path) as services,
        open_person(services) as guest,
        open_person(services, name="Ada") as ada,
    ):
        table = (await guest.post("/api/tables", TABLE))["table"]
        kept = (await ada.post("/api/tables", TABLE))["table"]
        live = await services.table_service.find(table)
        events = event_stream.stream_scenes(make_feed(services, live), stays_signed_in)
        assert await anext(events) == event_stream.RETRY
        assert b"scene" in await anext(events)
        elapsed, wall = services.time._elapsed, services.time._wall
        monkeypatch.setattr(services.time, "_elapsed", lambda: elapsed() + 20 * 86_400)
        assert await services.expire() == {}, "the two clocks differ by weeks"
        monkeypatch.setattr(services.time, "_wall", lambda: wall() + 20 * 86_400)
        assert await services.expire() == {"tables": 1, "records": 0, "guests": 0, "reports": 0}
        with pytest.raises(StopAsyncIteration):
            await anext(events)
        assert list(services.table_service.live) == [kept]
        assert (await guest.send("GET", f"/api/tables/{table}")).status_code == 404
        assert (await ada.send("GET", f"/api/tables/{kept}")).status_code == 200
        assert services.metrics.registry.get_sample_value("realmtable_expired_total", {"kind": "tables"}) == 1


async def test_a_table_that_another_program_removed_is_gone_when_somebody_moves(tmp_path: Path) -> None:
    async with run_server(tmp_path) as services, open_person(services) as guest:
        table = (await guest.post("/api/tables", TABLE))["table"]
        terms = realm_module.expiry_terms(services.settings)
        later = services.table_service.now() + 20 * 86_400
        assert (await Expiry(services.database, terms, later).remove())["tables"] == 1
        with pytest.raises(NotFound):
            await services.table_service.act(table, lambda now: actions.resign(now, (0,)))
        assert table not in services.table_service.live


async def test_the_server_does_it_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[float] = []
    monkeypatch.setattr(realm_module, "FIRST_EXPIRY_AFTER_S", 0.0)

    async def expire(services: Services) -> dict[str, int]:
        done.append(services.time.now())
        return {}

    monkeypatch.setattr(Services, "expire", expire)
    async with run_server(tmp_path) as services, open_person(services) as guest:
        await guest.get("/api/games")
    assert len(done) == 1
