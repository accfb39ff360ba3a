"""The account API, as browsers and programs use it and as attackers would."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import csrf_token
from realmtable.server.accounts.ratings import rate, ratings_of
from realmtable.server.api.accounts import router
from realmtable.server.storage.table_store import Event, SeatRow, Summary, TableRow
from realmtable.server.tables.setup import Setup
from tests.server.support.accounts_app import (
    PASSWORD,
    URL,
    AccountServices,
    Browser,
    expect_refusal,
    fetch_me,
    token_client,
)

pytestmark = pytest.mark.anyio

ADA = {"name": "Ada", "password": PASSWORD}
MINUTE = 60.0


async def store_table(services: AccountServices, table_id: str, players: list[Player], *, listed: bool = True) -> None:
    """A table at which these players sit."""
    summary = Summary("over", 1, (), bot_due=False, deadline=None, turn=1, result=None, updated_at=1.0)
    setup = Setup("realm", len(players), rated=True, listed=listed).as_data()
    row = TableRow(table_id, "realm", 1, setup, "seed", players[0].id, 0.0, listed, summary)
    seats = [SeatRow(seat, player.id, None) for seat, player in enumerate(players)]
    await services.store.insert_table(row, seats, [Event(table_id, 1, "created", None, players[0].id, {}, 0.0)])


# Arriving


async def test_looking_makes_nobody(browser: Browser) -> None:
    assert await browser.get("/api/me") == {"player": None, "csrf": ""}
    assert (await browser.get("/api/me/tokens")) == {"tokens": []}
    assert browser.session is None


async def test_the_first_deed_makes_a_guest_and_the_page_goes_on(browser: Browser) -> None:
    first = await browser.send("POST", "/api/me/name", {"name": "Bell"})
    assert first.status_code == 200
    assert browser.session is not None
    assert first.headers["x-csrf-token"] == csrf_token(browser.session) == (await browser.get("/api/me"))["csrf"]
    second = await browser.post("/api/me/name", {"name": "Ada"})
    assert second == first.json() | {"name": "Ada"}
    assert await fetch_me(browser) == second


async def test_a_cookie_that_ran_out_does_not_lock_anybody_out(
    browser: Browser, account_services: AccountServices
) -> None:
    first = await browser.post("/api/me/name", {"name": "Bell"})
    account_services.clock.now += 400 * 86400
    assert await fetch_me(browser) is None
    assert await expect_refusal(browser, "POST", "/api/me/name", {"name": "Bell"}) == (403, "SignInAgain")
    second = await browser.post("/api/me/name", {"name": "Bell"})  # once more, as nobody
    assert second["id"] != first["id"]


async def test_a_cookie_in_use_is_renewed(bell: Browser, account_services: AccountServices) -> None:
    assert "set-cookie" not in (await bell.send("GET", "/api/me")).headers
    account_services.clock.now += 100 * 86400
    answer = await bell.send("GET", "/api/me")
    assert f"={bell.session};" in answer.headers["set-cookie"]


# Claiming, signing in and out


async def test_a_guest_claims_a_name_and_keeps_everything(browser: Browser, account_services: AccountServices) -> None:
    guest = await browser.post("/api/me/name", {"name": "Bell"})
    other, _ = await account_services.accounts.create_guest()
    await store_table(account_services, "t1", [Player(**guest), other])
    await rate(account_services.database, "t1", "realm", [1, 2], [guest["id"], other.id], 1.0)
    claimed = (await browser.post("/api/me/claim", ADA))["player"]
    assert claimed == {"id": guest["id"], "name": "Ada", "kind": "member"}
    page = await browser.get(f"/api/players/{guest['id']}")
    assert page["player"] == claimed
    assert [entry["table"] for entry in page["tables"]] == ["t1"]
    assert page["ratings"]["realm"]["value"] > 1500


async def test_a_session_planted_before_is_worth_nothing_after_claiming(app: FastAPI, bell: Browser) -> None:
    """Session fixation: somebody else knows the cookie that the browser came with."""
    thief = Browser(app)
    thief.client.cookies.update(bell.client.cookies)
    assert await fetch_me(thief) is not None
    planted = bell.session
    await bell.post("/api/me/claim", ADA)
    assert bell.session != planted
    assert (await fetch_me(bell) or {})["name"] == "Ada"
    assert await fetch_me(thief) is None


async def test_a_session_planted_before_is_worth_nothing_after_signing_in(app: FastAPI, ada: Browser) -> None:
    link = (await ada.post("/api/me/link"))["url"]
    for path, body in (("/api/session", ADA), ("/api/session/link", {"token": link.rpartition("/")[2]})):
        victim, thief = Browser(app), Browser(app)
        await thief.post("/api/me/name", {"name": "Thief"})
        planted = thief.session
        victim.client.cookies.update(thief.client.cookies)
        await victim.get("/api/me")
        victim.csrf = csrf_token(planted or "")
        assert (await victim.post(path, body))["player"]["name"] == "Ada"
        assert victim.session != planted
        assert await fetch_me(thief) is None


async def test_the_answer_to_signing_in_lets_the_page_go_on(app: FastAPI, ada: Browser) -> None:
    elsewhere = Browser(app)
    told = await elsewhere.post("/api/session", ADA)
    assert told["csrf"] == elsewhere.csrf == csrf_token(elsewhere.session or "")
    await elsewhere.post("/api/me/name", {"name": "Ada B"})
    assert (await fetch_me(ada) or {})["name"] == "Ada B"


async def test_signing_out_ends_the_session_and_the_cookie(ada: Browser, account_services: AccountServices) -> None:
    session = ada.session or ""
    assert await ada.request_json("DELETE", "/api/session") == {"player": None, "csrf": ""}
    assert ada.session is None
    assert await account_services.accounts.player_by_session(session) is None
    assert await ada.request_json("DELETE", "/api/session") == {"player": None, "csrf": ""}


@pytest.mark.usefixtures("ada")
async def test_a_refused_sign_in_says_the_same_for_every_name(app: FastAPI) -> None:
    answers = []
    for name in ("Ada", "ADA", "Nobody", "", "<b>", "x" * 90):
        answer = await Browser(app).send("POST", "/api/session", {"name": name, "password": "wrong password"})
        assert answer.status_code == 401
        del answer.headers["x-request-id"]
        answers.append((answer.text, sorted(answer.headers.items())))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("age_s", [0, 16 * MINUTE])
async def test_a_new_password_asks_for_the_old_one_and_ends_all_other_sessions(
    app: FastAPI, browser: Browser, account_services: AccountServices, age_s: float
) -> None:
    other, new = Browser(app), {"name": "Ada", "password": "battery staple"}
    await browser.post("/api/me/claim", ADA)
    await other.post("/api/session", ADA)
    account_services.clock.now += age_s
    for wrong in ({}, {"current_password": ""}, {"current_password": "battery staple"}):
        assert await expect_refusal(browser, "POST", "/api/me/claim", new | wrong) == (401, "BadCredentials")
    assert await fetch_me(other) is not None
    await browser.post("/api/me/claim", new | {"current_password": PASSWORD})
    assert [(await fetch_me(each) or {}).get("name") for each in (browser, other)] == ["Ada", None]
    assert await expect_refusal(browser, "POST", "/api/session", ADA) == (401, "BadCredentials")
    await browser.post("/api/session", new)


async def test_a_link_of_the_administrator_replaces_a_lost_password_for_some_minutes(
    app: FastAPI, ada: Browser, account_services: AccountServices
) -> None:
    new, helped = {"name": "Ada", "password": "battery staple"}, ada
    for resets, age_s, status in ((False, 0, 401), (True, 16 * MINUTE, 401), (True, 0, 200)):
        link = await account_services.accounts.make_link("Ada", resets_password=resets)
        helped = Browser(app)
        await helped.post("/api/session/link", {"token": link})
        account_services.clock.now += age_s
        assert (await helped.send("POST", "/api/me/claim", new)).status_code == status
    again = new | {"password": "and once more"}
    assert await expect_refusal(helped, "POST", "/api/me/claim", again) == (401, "BadCredentials"), "only once"


# Links


async def test_a_link_brings_a_guest_to_another_device(
    app: FastAPI, browser: Browser, account_services: AccountServices
) -> None:
    guest = await browser.post("/api/me/name", {"name": "Bell"})
    account_services.clock.now += 100 * MINUTE
    made = await browser.post("/api/me/link")
    assert made["url"].startswith(f"{URL}/sign-in/")
    phone = Browser(app)
    body = {"token": made["url"].rpartition("/")[2]}
    assert (await phone.post("/api/session/link", body))["player"] == guest
    assert await fetch_me(phone) == await fetch_me(browser) == guest
    assert await expect_refusal(Browser(app), "POST", "/api/session/link", body) == (401, "BadCredentials")


# Tokens


async def test_a_program_acts_in_its_owners_name_until_the_token_is_revoked(app: FastAPI, browser: Browser) -> None:
    guest = await browser.post("/api/me/name", {"name": "Bell"})
    made = await browser.post("/api/me/tokens", {"label": "my bot"})
    async with token_client(app, made["token"]) as bot:
        assert (await bot.get("/api/me")).json() == {"player": guest, "csrf": ""}
        (listed,) = (await browser.get("/api/me/tokens"))["tokens"]
        assert (listed["id"], listed["label"]) == (made["id"], "my bot")
        assert listed["used_at"] is not None
        assert made["token"] not in str(listed)
        assert await browser.request_json("DELETE", f"/api/me/tokens/{made['id']}") == {"revoked": made["id"]}
        answer = await bot.get("/api/me")
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "BadCredentials")
    assert await expect_refusal(browser, "DELETE", f"/api/me/tokens/{made['id']}") == (404, "NotFound")
    assert await expect_refusal(Browser(app), "DELETE", f"/api/me/tokens/{made['id']}") == (404, "NotFound")


@pytest.mark.parametrize("token", ["", "nonsense", "x" * 5000])
async def test_a_wrong_token_is_refused_and_never_made_a_guest(app: FastAPI, bell: Browser, token: str) -> None:
    for cookies in (None, bell.client.cookies):
        async with token_client(app, token) as bot:
            bot.cookies.update(cookies)
            answer = await bot.post("/api/me/name", json={"name": "Other"})
            assert answer.status_code == 401
            assert "set-cookie" not in answer.headers
    assert (await fetch_me(bell) or {})["name"] == "Bell"


async def test_a_token_beats_the_cookie_beside_it(app: FastAPI, bell: Browser) -> None:
    other = Browser(app)
    await other.post("/api/me/name", {"name": "Other"})
    token = (await other.post("/api/me/tokens", {"label": "bot"}))["token"]
    answer = await bell.client.get("/api/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.json()["player"]["name"] == "Other"
    assert answer.json()["csrf"] == ""


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/me/name", {"name": "Thief"}),
        ("/api/me/claim", {"name": "Thief", "password": PASSWORD}),
        ("/api/me/link", None),
        ("/api/me/tokens", {"label": "more"}),
    ],
)
async def test_a_leaked_token_does_not_give_the_account_away(
    app: FastAPI, browser: Browser, path: str, body: dict[str, str] | None
) -> None:
    token = (await browser.post("/api/me/tokens", {"label": "bot"}))["token"]
    async with token_client(app, token) as bot:
        answer = await bot.post(path, json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "NotAllowed")
    assert "set-cookie" not in answer.headers


# Pages of players and games


async def test_tables_that_are_not_listed_are_shown_to_their_player_alone(
    app: FastAPI, browser: Browser, account_services: AccountServices
) -> None:
    guest = await browser.post("/api/me/name", {"name": "Bell"})
    await store_table(account_services, "open", [Player(**guest)])
    await store_table(account_services, "private", [Player(**guest)], listed=False)
    mine = await browser.get(f"/api/players/{guest['id']}")
    theirs = await Browser(app).get(f"/api/players/{guest['id']}")
    assert {entry["table"] for entry in mine["tables"]} == {"open", "private"}
    assert {entry["table"] for entry in theirs["tables"]} == {"open"}


@pytest.mark.parametrize("player_id", ["nobody", "x" * 200, "a%20b", "%F0%9F%A6%89"])
async def test_nobody_has_no_page(browser: Browser, player_id: str) -> None:
    assert await expect_refusal(browser, "GET", f"/api/players/{player_id}") == (404, "NotFound")


async def test_the_strongest_of_a_game(
    browser: Browser, account_services: AccountServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = (await browser.post("/api/me/claim", ADA))["player"]
    bot = await account_services.accounts.bot_player("Greedy")
    monkeypatch.setattr("realmtable.server.accounts.ratings.KNOWN_SIGMA", 100.0)
    monkeypatch.setattr("realmtable.server.accounts.ratings.MIN_OPPONENTS", 1)
    await store_table(account_services, "t1", [Player(**claimed), bot])
    await rate(account_services.database, "t1", "realm", [2, 1], [claimed["id"], bot.id], 1.0)
    found = await browser.get("/api/ratings/realm")
    assert [leader["player"]["name"] for leader in found["leaders"]] == ["Greedy", "Ada"]
    shown = (await ratings_of(account_services.database, [bot.id], "realm"))[bot.id]
    assert found["leaders"][0]["rating"] == shown
    assert await expect_refusal(browser, "GET", "/api/ratings/nonsense") == (404, "UnknownGame")


# Fresh sign-ins

CHANGES = [
    ("/api/me/name", {"name": "Bell"}),
    ("/api/me/link", None),
    ("/api/me/tokens", {"label": "bot"}),
]
NEW_PASSWORD = ("/api/me/claim", {"name": "Ada", "password": "battery staple"})  # asks members for the old one


@pytest.mark.parametrize(("path", "body"), CHANGES)
async def test_a_member_changes_the_account_soon_after_signing_in_only(
    ada: Browser, account_services: AccountServices, path: str, body: dict[str, str] | None
) -> None:
    account_services.clock.now += 16 * MINUTE
    assert await expect_refusal(ada, "POST", path, body) == (403, "SignInAgain")
    assert (await fetch_me(ada) or {})["name"] == "Ada"
    await ada.post("/api/session", ADA)
    await ada.post(path, body)


@pytest.mark.parametrize(("path", "body"), [*CHANGES, NEW_PASSWORD])
async def test_a_guest_has_no_password_and_needs_none(
    browser: Browser, account_services: AccountServices, path: str, body: dict[str, str] | None
) -> None:
    await browser.post("/api/me")
    account_services.clock.now += 16 * MINUTE
    await browser.post(path, body)


def test_every_change_of_an_account_is_known_here() -> None:
    """A new route under /api/me that changes something must be thought about."""
    found = {
        (method, route.path) for route in router.routes if isinstance(route, APIRoute) for method in route.methods or ()
    }
    changing = {(method, path) for method, path in found if method != "GET" and path.startswith("/api/me")}
    harmless = {("POST", "/api/me"), ("DELETE", "/api/me/tokens/{token_id}"), ("PATCH", "/api/me/preferences")}
    assert changing - harmless == {("POST", path) for path, _ in [*CHANGES, NEW_PASSWORD]}


@pytest.mark.parametrize(
    ("wish", "ends"), [({}, True), ({"revoke_tokens": True}, True), ({"revoke_tokens": False}, False)]
)
async def test_a_new_password_ends_the_tokens_unless_they_are_to_stay(
    app: FastAPI, ada: Browser, wish: dict[str, bool], ends: bool
) -> None:
    token = (await ada.post("/api/me/tokens", {"label": "bot"}))["token"]
    await ada.post("/api/me/claim", NEW_PASSWORD[1] | {"current_password": PASSWORD} | wish)
    async with token_client(app, token) as bot:
        assert (await bot.get("/api/me")).status_code == (401 if ends else 200)


async def test_a_guest_who_claims_a_name_keeps_the_tokens(app: FastAPI, browser: Browser) -> None:
    token = (await browser.post("/api/me/tokens", {"label": "bot"}))["token"]
    await browser.post("/api/me/claim", ADA)
    async with token_client(app, token) as bot:
        assert (await bot.get("/api/me")).json()["player"]["name"] == "Ada"
