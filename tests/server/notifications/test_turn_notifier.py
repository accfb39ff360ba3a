"""A player is notified once when it becomes their turn, and only where that helps them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from realmtable.server.accounts import rate_limits
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.notifications import push_sender, turn_notifier
from realmtable.server.notifications.push_sender import PushMessage
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.storage.push_subscriptions import Subscription
from tests.server.support.fake_workers import open_browsers
from tests.server.support.live_server import Person, StreamTap, make_settings, wait_until
from tests.server.support.push_service import PushBrowser, PushService, check_signature

pytestmark = pytest.mark.anyio

DROPPED = ("realmtable_notifications_total", {"result": "dropped"})
DAYS: dict[str, Any] = {"clock": {"kind": "days", "days": 3}}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_settings(tmp_path, push_loopback=True, push_contact="admin@table.example")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_notifier, "DELAY_S", 0.0)
    monkeypatch.setattr(push_sender, "RETRY_DELAYS_S", (0.0, 0.0))


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with PushService() as started:
        yield started


async def subscribe(person: Person, service: PushService, path: str = "/send") -> PushBrowser:
    browser = PushBrowser()
    await person.post("/api/me")
    await person.post("/api/me/notifications", browser.subscription(service.url + path))
    return browser


async def open_table(ann: Person, bob: Person, **wishes: Any) -> str:
    """Open a table where it is Ann's turn."""
    return await ann.open_table(bob, **{**DAYS, **wishes})


async def play_turn(person: Person, table: str) -> None:
    while (scene := await person.get(f"/api/tables/{table}"))["your_turn"]:
        move = scene["choices"][0]["move"]
        await person.post(f"/api/tables/{table}/moves", {"version": scene["version"], "move": move})


@asynccontextmanager
async def watch_table(services: Services, person: Person, table: str) -> AsyncIterator[None]:
    """Keep a table open in a person's browser."""
    app = services.app  # type: ignore[attr-defined]  # put there by the fixture
    async with StreamTap(app, f"/api/tables/{table}/events", person.cookie_header) as tap:
        await tap.wait(lambda: bool(tap.received))
        yield


async def settle(services: Services) -> None:
    """Wait until nothing is left to announce or send."""

    async def is_settled() -> bool:
        announcing = [task for task in services.table_service.background_tasks if "TurnNotifier._notify" in repr(task)]
        return not (services.turn_notifier._pending or services.push_sender._waiting or announcing)

    await wait_until(is_settled)


@pytest.mark.long
async def test_the_next_player_is_notified_once(
    services: Services, ann: Person, bob: Person, service: PushService
) -> None:
    await ann.join("Fleet Linnet")
    await bob.join("Bob")
    browser = await subscribe(bob, service)
    table = await open_table(ann, bob)
    await play_turn(ann, table)
    (request,) = await service.wait_for(1)
    assert json.loads(browser.decrypt(request.body)) == {
        "title": "Your turn at Realm",
        "body": "Against Fleet Linnet",
        "tag": f"turn-{table}",
        "url": f"/tables/{table}",
    }
    key = (await bob.get("/api/me/notifications"))["public_key"]
    claims = check_signature(request.headers["authorization"], key)
    assert claims["sub"] == "mailto:admin@table.example"
    assert claims["aud"] == "http://127.0.0.1"
    assert 0 < int(request.headers["ttl"]) <= 3 * 86400
    assert len(request.headers["topic"]) == 32
    assert request.headers["content-encoding"] == "aes128gcm"
    await settle(services)
    assert len(service.requests) == 1
    await play_turn(bob, table)
    await play_turn(ann, table)
    await service.wait_for(2)
    assert service.requests[1].headers["topic"] == request.headers["topic"]


async def test_a_player_with_the_table_open_is_not_notified(
    services: Services, ann: Person, bob: Person, service: PushService
) -> None:
    await subscribe(bob, service)
    table = await open_table(ann, bob)
    async with watch_table(services, bob, table):
        await play_turn(ann, table)
        await settle(services)
    assert service.requests == []


@pytest.mark.parametrize("clock", [{"kind": "none"}, {"kind": "game", "seconds": 600}, {"kind": "move", "seconds": 60}])
async def test_only_correspondence_games_notify(
    services: Services, ann: Person, bob: Person, service: PushService, clock: Any
) -> None:
    await subscribe(bob, service)
    await play_turn(ann, await open_table(ann, bob, clock=clock))
    await settle(services)
    assert service.requests == []


@pytest.mark.parametrize("is_open_elsewhere", [False, True])
async def test_a_player_who_has_moved_or_has_the_table_open_elsewhere_is_not_notified(
    services: Services,
    ann: Person,
    bob: Person,
    service: PushService,
    monkeypatch: pytest.MonkeyPatch,
    is_open_elsewhere: bool,
) -> None:
    monkeypatch.setattr(turn_notifier, "DELAY_S", 0.2)
    me = (await bob.post("/api/me"))["id"]
    await subscribe(bob, service)
    table = await open_table(ann, bob)
    await play_turn(ann, table)
    if is_open_elsewhere:
        await services.fanout.publish(f"{turn_notifier.PRESENT_CHANNEL}{table}", me)
    else:
        await play_turn(bob, table)
    await settle(services)
    assert service.requests == []


async def test_a_process_reports_who_has_a_table_open(services: Services, ann: Person, bob: Person) -> None:
    heard: list[tuple[str, str]] = []
    services.fanout.listen(lambda channel, message: heard.append((channel, message)))
    services.table_service.presence.is_complete = False
    me = (await bob.post("/api/me"))["id"]
    table = await open_table(ann, bob)
    async with watch_table(services, bob, table):
        await play_turn(ann, table)
        await settle(services)
    assert (f"{turn_notifier.PRESENT_CHANNEL}{table}", me) in heard


async def test_bots_are_not_notified(services: Services, ann: Person) -> None:
    await ann.post("/api/tables", {"game": "realm", "seats": ["bot:level1", "me"], **DAYS})
    assert services.push_sender._waiting == 0


async def test_a_player_is_not_notified_without_end(
    services: Services, ann: Person, bob: Person, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rate_limits.DEFAULTS, "notified", (1, 3600))
    services.turn_notifier._limits = Limits()
    await subscribe(bob, service)
    for _ in range(2):
        await play_turn(ann, await open_table(ann, bob))
        await settle(services)
    assert len(service.requests) == 1


async def test_many_players_are_named_briefly() -> None:
    assert turn_notifier.join_names(["Ann", "Bob", "Cleo"]) == "Ann, Bob and Cleo"


# ---- the push service's answers


@pytest.mark.long
@pytest.mark.parametrize("answer", ["404 Not Found", "410 Gone"])
async def test_a_subscription_that_is_gone_is_deleted(services: Services, answer: str) -> None:
    async with PushService(answer) as service, open_browsers(services, 2) as (ann, bob):
        await subscribe(bob, service)
        assert (await bob.get("/api/me/notifications"))["on"]
        await play_turn(ann, await open_table(ann, bob))
        await service.wait_for(1)
        await settle(services)
        assert not (await bob.get("/api/me/notifications"))["on"]


@pytest.mark.parametrize(
    ("answers", "count"),
    [
        (["503 Service Unavailable"], 2),
        (["429 Too Many Requests\r\nRetry-After: 0"], 2),
        (["500 Oops"] * 5, 3),
        (["403 Forbidden"], 1),
        (["413 Content Too Large"], 1),
    ],
)
async def test_temporary_errors_are_retried(services: Services, answers: list[str], count: int) -> None:
    async with PushService(*answers) as service, open_browsers(services, 2) as (ann, bob):
        await subscribe(bob, service)
        await play_turn(ann, await open_table(ann, bob))
        await service.wait_for(count)
        await settle(services)
        assert len(service.requests) == count
        assert (await bob.get("/api/me/notifications"))["on"]


async def test_a_service_that_is_away_is_retried_and_delays_no_move(
    services: Services, ann: Person, bob: Person
) -> None:
    async with PushService() as service:
        url = service.url
    await bob.post("/api/me")
    await bob.post("/api/me/notifications", PushBrowser().subscription(f"{url}/away"))
    await play_turn(ann, await open_table(ann, bob))
    await settle(services)
    assert (await bob.get("/api/me/notifications"))["on"]


async def test_an_invalid_key_deletes_the_subscription(
    services: Services, ann: Person, bob: Person, service: PushService
) -> None:
    await bob.post("/api/me")
    wrong = PushBrowser().subscription(service.url)
    wrong["keys"]["p256dh"] = "B" + "A" * 86  # no point of the curve
    await bob.post("/api/me/notifications", wrong)
    await play_turn(ann, await open_table(ann, bob))
    await settle(services)
    assert not (await bob.get("/api/me/notifications"))["on"]
    assert service.requests == []


@pytest.mark.parametrize(("limit", "refused"), [("MAX_WAITING", {"ann", "bob"}), ("MAX_WAITING_PER_PLAYER", {"ann"})])
async def test_messages_are_dropped_while_too_many_wait(
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    limit: str,
    refused: set[str],
) -> None:
    monkeypatch.setattr(push_sender, limit, 1)
    is_over = asyncio.Event()

    async def wait() -> bool:
        await is_over.wait()
        return False

    def is_dropped(player: str) -> bool:
        before = services.metrics.registry.get_sample_value(*DROPPED)
        services.push_sender.send(PushMessage(player, Subscription("https://a.example", "", ""), b"", "t", 60, wait))
        return services.metrics.registry.get_sample_value(*DROPPED) != before

    assert not is_dropped("ann")
    assert {player for player in ("ann", "bob") if is_dropped(player)} == refused
    is_over.set()
    await settle(services)
    assert not is_dropped("ann")
    assert "a.example" not in caplog.text


async def test_a_table_that_was_deleted_waits_for_nobody(services: Services) -> None:
    assert not await services.turn_notifier._is_waiting("deleted", "ann")


# ---- who is notified


async def test_notifications_are_off_until_asked_for(ann: Person, bob: Person, service: PushService) -> None:
    await bob.post("/api/me")
    assert not (await bob.get("/api/me/notifications"))["on"]
    await subscribe(bob, service)
    assert (await bob.get("/api/me/notifications"))["on"]
    assert not (await ann.get("/api/me/notifications"))["on"]
    await bob.request_json("DELETE", "/api/me/notifications")
    assert not (await bob.get("/api/me/notifications"))["on"]


async def test_signing_in_again_keeps_them(ann: Person, service: PushService) -> None:
    await subscribe(ann, service)
    await ann.join("Ann")
    assert (await ann.get("/api/me/notifications"))["on"]
    await ann.post("/api/session", {"name": "Ann", "password": "correct horse"})
    assert (await ann.get("/api/me/notifications"))["on"]


async def test_signing_in_as_someone_else_ends_them(ann: Person, bob: Person, service: PushService) -> None:
    await ann.join("Ann")
    await bob.join("Bob")
    await subscribe(bob, service)
    await bob.post("/api/session", {"name": "Ann", "password": "correct horse"})
    assert not (await bob.get("/api/me/notifications"))["on"]


async def test_a_new_password_ends_those_of_other_devices(services: Services, service: PushService) -> None:
    async with open_browsers(services, 2) as (ann, other):
        await ann.join("Ann")
        await other.post("/api/session", {"name": "Ann", "password": "correct horse"})
        await subscribe(ann, service, "/one")
        await subscribe(other, service, "/two")
        new = {"name": "Ann", "password": "battery staple", "current_password": "correct horse"}
        await ann.post("/api/me/claim", new)
        me = (await ann.get("/api/me"))["player"]["id"]
        assert [each.endpoint for each in await services.subscriptions.list_of(me, 0)] == [f"{service.url}/one"]


async def test_a_browser_belongs_to_the_player_who_switched_it_on_last(
    ann: Person, bob: Person, service: PushService
) -> None:
    for person in (ann, bob):
        await subscribe(person, service)
    assert not (await ann.get("/api/me/notifications"))["on"]
    assert (await bob.get("/api/me/notifications"))["on"]


async def test_only_a_known_browser_can_be_notified(ann: Person, bob: Person) -> None:
    body = PushBrowser().subscription("https://push.example.org/x")
    for method, sent in (("POST", body), ("DELETE", None)):
        assert (await bob.expect_refusal(method, "/api/me/notifications", sent))["code"] == "NotAllowed"
    token = (await ann.post("/api/me/tokens", {"label": "bot"}))["token"]
    answer = await bob.client.post("/api/me/notifications", json=body, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 403
    bad = [{**body, "endpoint": "http://10.0.0.1/"}, {**body, "keys": {}}, {**body, "endpoint": "x" * 2000}]
    for wrong in bad:
        assert (await ann.expect_refusal("POST", "/api/me/notifications", wrong))["code"] == "BadInput"


# ---- keys


async def test_all_processes_use_the_same_keys(services: Services) -> None:
    first = await services.push_sender.keys()
    services.push_sender._keys = None
    again = await services.push_sender.keys()
    assert first == again
    assert first.private_pem not in repr(first)
    assert first.private_pem.startswith("-----BEGIN PRIVATE KEY-----")


# ---- games that wait for me


async def test_waiting_games_are_counted(services: Services) -> None:
    async with open_browsers(services, 3) as (ann, bob, stranger):
        assert (await stranger.get("/api/me/waiting")) == {"count": 0}
        table = await open_table(ann, bob)
        await ann.post("/api/tables", {"game": "realm", "seats": ["me", "bot:level1"]})
        await ann.post("/api/tables", {"game": "realm", "seats": ["me", "me"]})
        await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"]})
        assert [(await person.get("/api/me/waiting"))["count"] for person in (ann, bob)] == [1, 0]
        await play_turn(ann, table)
        assert [(await person.get("/api/me/waiting"))["count"] for person in (ann, bob)] == [0, 1]
        await bob.post(f"/api/tables/{table}/resign")
        assert [(await person.get("/api/me/waiting"))["count"] for person in (ann, bob)] == [0, 0]
