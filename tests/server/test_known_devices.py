"""Guessing at passwords: bounded for strangers wherever they are, without locking the owner out."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI

from realmtable.server.accounts.known_devices import MOST_MARKS, marks_of, new_mark, valid_mark, with_mark
from realmtable.server.accounts.rate_limits import DEFAULTS
from tests.server.people import PASSWORD, Browser, app_of, ok, realm_at, refused

pytestmark = pytest.mark.anyio

ADA = {"name": "Ada", "password": PASSWORD}
GUESS = {"name": "Ada", "password": "guess"}


async def test_guessing_at_a_name_from_one_address_locks_nobody_out_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DEFAULTS, "sign_in", (1000, 300))  # what one address may try at names altogether
    async with realm_at(tmp_path, factor=1.0) as realm:
        app = app_of(realm)
        await ok(Browser(app, address="192.0.2.1"), "POST", "/api/me/claim", ADA)
        guesser = Browser(app, address="192.0.2.66")
        wrong = [(await guesser.send("POST", "/api/session", GUESS)).status_code for _ in range(120)]
        assert wrong == [401] * 20 + [429] * 100
        await ok(Browser(app, address="192.0.2.2"), "POST", "/api/session", ADA)


async def guessed_at_by_many(app: FastAPI) -> None:
    """Strangers at many addresses use up what strangers may try at a name."""
    for number in range(101):
        stranger = Browser(app, address=f"198.51.100.{number}")
        await stranger.send("POST", "/api/session", GUESS)


async def test_a_known_device_gets_in_while_strangers_guess(tmp_path: Path) -> None:
    async with realm_at(tmp_path, factor=1.0) as realm:
        app = app_of(realm)
        owner, thief = Browser(app, address="192.0.2.1"), Browser(app, address="192.0.2.9")
        await ok(owner, "POST", "/api/me/claim", ADA)
        await ok(thief, "POST", "/api/me/claim", {"name": "Thief", "password": PASSWORD})  # a device, but of another
        await ok(owner, "DELETE", "/api/session")
        await guessed_at_by_many(app)
        assert await refused(Browser(app, address="192.0.2.1"), "POST", "/api/session", ADA) == (429, "RateLimited")
        assert await refused(thief, "POST", "/api/session", ADA) == (429, "RateLimited")
        await ok(owner, "POST", "/api/session", ADA)


async def test_a_stolen_device_cookie_guesses_a_few_times_only(tmp_path: Path) -> None:
    async with realm_at(tmp_path, factor=1.0) as realm:
        app = app_of(realm)
        owner = Browser(app, address="192.0.2.1")
        await ok(owner, "POST", "/api/me/claim", ADA)
        await guessed_at_by_many(app)
        statuses = [(await owner.send("POST", "/api/session", GUESS)).status_code for _ in range(12)]
        assert statuses == [401] * 10 + [429] * 2


async def test_a_new_password_makes_old_devices_strangers(tmp_path: Path) -> None:
    async with realm_at(tmp_path, factor=1.0) as realm:
        app = app_of(realm)
        old, owner = Browser(app, address="192.0.2.1"), Browser(app, address="192.0.2.2")
        await ok(old, "POST", "/api/me/claim", ADA)
        await ok(owner, "POST", "/api/session", ADA)
        await ok(owner, "POST", "/api/me/claim", ADA | {"password": "battery staple"})
        await guessed_at_by_many(app)
        new = ADA | {"password": "battery staple"}
        assert await refused(old, "POST", "/api/session", new) == (429, "RateLimited")
        await ok(owner, "POST", "/api/session", new)


async def test_a_browser_is_known_to_all_who_sign_in_with_it(tmp_path: Path) -> None:
    async with realm_at(tmp_path, factor=1.0) as realm:
        app = app_of(realm)
        shared = Browser(app, address="192.0.2.1")
        await ok(shared, "POST", "/api/me/claim", ADA)
        await ok(shared, "DELETE", "/api/session")
        await ok(shared, "POST", "/api/me/claim", {"name": "Bell", "password": PASSWORD})
        await guessed_at_by_many(app)
        await ok(shared, "POST", "/api/session", ADA)
        (cookie,) = [cookie for cookie in shared.client.cookies.jar if cookie.name == "realmtable_device"]
        assert len(marks_of(cookie.value or "")) == 2
        assert cookie.path == "/api"
        assert cookie.has_nonstandard_attr("HttpOnly")
        assert cookie.get_nonstandard_attr("SameSite") == "Strict"


@pytest.mark.parametrize(
    "cookie", ["", "~", "x" * 5000, "a" * 16 + "." + "0" * 64, "~".join(["a" * 16 + "." + "0" * 64] * 50)]
)
async def test_a_forged_device_cookie_is_a_strangers(cookie: str) -> None:
    assert valid_mark(cookie, "ada", "hash") is None
    assert len(marks_of(cookie)) <= MOST_MARKS
    mark = new_mark("ada", "hash")
    assert valid_mark(with_mark(cookie, mark, None), "ada", "hash") == mark
    assert valid_mark(mark, "eve", "hash") is None
    assert valid_mark(mark, "ada", "other") is None
