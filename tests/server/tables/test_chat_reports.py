"""Chat: muted players, and messages that are reported to the operator."""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.server.services import Services
from realmtable.server.storage.moderation import DAY_S, REPORT_DAYS, ChatReport
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio


async def say(person: Person, table: str, text: str) -> dict[str, Any]:
    """Send a message; return it as the sender sees it."""
    version = (await person.post(f"/api/tables/{table}/chat", {"text": text}))["version"]
    message: dict[str, Any] = (await person.get(f"/api/tables/{table}"))["chat"][-1]
    assert message["version"] == version
    return message


async def list_reports(services: Services, *, resolved: bool = False) -> list[ChatReport]:
    return await services.reports.list_reports(100, resolved=resolved)


async def test_a_message_has_the_id_of_its_sender(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob)
    message = await say(bob, table, "Hello")
    assert message["player"] == (await bob.get("/api/me"))["player"]["id"]


async def test_a_report_has_the_message_and_those_before_it(services: Services, ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob)
    for number in range(12):
        await say(ann if number % 2 else bob, table, f"line {number}")
    bad = await say(bob, table, "something bad")
    await say(bob, table, "later")
    assert await ann.post(f"/api/tables/{table}/reports", {"version": bad["version"]}) == {"reported": True}
    (report,) = await list_reports(services)
    me = (await ann.get("/api/me"))["player"]
    assert (report.reporter_id, report.reporter_name, report.reported_id) == (me["id"], me["name"], bad["player"])
    assert (report.table_id, report.game, report.text) == (table, "realm", "something bad")
    assert [line["text"] for line in report.lines] == [*(f"line {number}" for number in range(2, 12)), bad["text"]]
    scene = await bob.get(f"/api/tables/{table}")
    assert not [news for news in scene["news"] if "report" in str(news)]


async def test_a_message_is_reported_once_by_each_person(
    services: Services, ann: Person, bob: Person, eve: Person
) -> None:
    table = await ann.open_table(bob)
    bad = {"version": (await say(bob, table, "bad"))["version"]}
    for person in (ann, ann, eve):
        await person.post(f"/api/tables/{table}/reports", bad)
    assert len(await list_reports(services)) == 2


async def test_only_messages_of_others_that_one_may_read_can_be_reported(
    services: Services, ann: Person, bob: Person, eve: Person
) -> None:
    table = await ann.open_table(bob, chat="players")
    bad = {"version": (await say(bob, table, "bad"))["version"]}
    reports = f"/api/tables/{table}/reports"
    assert (await bob.expect_refusal("POST", reports, bad))["code"] == "NotAllowed"
    assert (await eve.expect_refusal("POST", reports, bad))["code"] == "NotFound"
    assert (await ann.expect_refusal("POST", reports, {"version": 1}))["code"] == "NotFound"
    assert (await ann.expect_refusal("POST", "/api/tables/none/reports", bad))["code"] == "NotFound"
    assert await list_reports(services) == []


async def test_reports_are_resolved_once_and_expire(services: Services, ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob)
    bad = {"version": (await say(bob, table, "bad"))["version"]}
    await ann.post(f"/api/tables/{table}/reports", bad)
    (report,) = await list_reports(services)
    assert await services.reports.resolve(report.id, 5.0)
    assert not await services.reports.resolve(report.id, 6.0)
    assert await list_reports(services) == []
    assert [found.resolved_at for found in await list_reports(services, resolved=True)] == [5.0]
    assert await services.reports.remove_expired(report.at + (REPORT_DAYS - 1) * DAY_S) == 0
    assert await services.reports.remove_expired(report.at + (REPORT_DAYS + 1) * DAY_S) == 1
    assert (await services.expire())["reports"] == 0


async def test_players_are_muted_for_one_person_and_stay_so(
    services: Services, ann: Person, bob: Person, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ann.open_table(bob)
    other, me = [(await person.get("/api/me"))["player"] for person in (bob, ann)]
    assert await eve.get("/api/me/mutes") == {"muted": []}
    for _ in range(2):
        assert await ann.post("/api/me/mutes", {"player": other["id"]}) == {"muted": [other]}
    assert await bob.get("/api/me/mutes") == {"muted": []}
    assert f'data-muted="{other["id"]}"' in (await ann.client.get(f"/tables/{table}")).text
    assert "Muted players" in (await ann.client.get("/account")).text
    assert (await ann.expect_refusal("POST", "/api/me/mutes", {"player": me["id"]}))["code"] == "NotAllowed"
    assert (await ann.expect_refusal("POST", "/api/me/mutes", {"player": "nobody"}))["code"] == "NotFound"
    monkeypatch.setattr("realmtable.server.storage.moderation.MAX_MUTES", 1)
    bot = await services.accounts.bot_player("level1")
    assert (await ann.expect_refusal("POST", "/api/me/mutes", {"player": bot.id}))["code"] == "QuotaReached"
    for _ in range(2):
        assert await ann.request_json("DELETE", f"/api/me/mutes/{other['id']}") == {"muted": []}
    assert await eve.request_json("DELETE", f"/api/me/mutes/{other['id']}") == {"muted": []}
