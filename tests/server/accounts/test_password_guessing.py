"""Password guessing is limited for strangers everywhere, without locking the owner out."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI

from realmtable.server.accounts.known_devices import MAX_MARKS, find_valid_mark, marks_of, new_mark, with_mark
from realmtable.server.accounts.rate_limits import DEFAULTS
from tests.server.support.accounts_app import PASSWORD, Browser, expect_ok, expect_refusal, make_app, open_services

pytestmark = pytest.mark.anyio

ADA = {"name": "Ada", "password": PASSWORD}
GUESS = {"name": "Ada", "password": "guess"}


async def test_guessing_at_a_name_from_one_address_locks_nobody_out_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DEFAULTS, "sign_in", (1000, 300))  # what one address may try at names altogether
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        await expect_ok(Browser(app, address="192.0.2.1"), "POST", "/api/me/claim", ADA)
        guesser = Browser(app, address="192.0.2.66")
        wrong = [(await guesser.send("POST", "/api/session", GUESS)).status_code for _ in range(120)]
        assert wrong == [401] * 20 + [429] * 100
        await expect_ok(Browser(app, address="192.0.2.2"), "POST", "/api/session", ADA)


async def guess_from_many_addresses(app: FastAPI) -> None:
    """Strangers at many addresses use up what strangers may try at a name."""
    for number in range(101):
        stranger = Browser(app, address=f"198.51.100.{number}")
        await stranger.send("POST", "/api/session", GUESS)


async def test_a_known_device_gets_in_while_strangers_guess(tmp_path: Path) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        owner, thief = Browser(app, address="192.0.2.1"), Browser(app, address="192.0.2.9")
        await expect_ok(owner, "POST", "/api/me/claim", ADA)
        await expect_ok(
            thief, "POST", "/api/me/claim", {"name": "Thief", "password": PASSWORD}
        )  # a device, but of another
        await expect_ok(owner, "DELETE", "/api/session")
        await guess_from_many_addresses(app)
        assert await expect_refusal(Browser(app, address="192.0.2.1"), "POST", "/api/session", ADA) == (
            429,
            "RateLimited",
        )
        assert await expect_refusal(thief, "POST", "/api/session", ADA) == (429, "RateLimited")
        await expect_ok(owner, "POST", "/api/session", ADA)


async def test_a_stolen_device_cookie_guesses_a_few_times_only(tmp_path: Path) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        owner = Browser(app, address="192.0.2.1")
        await expect_ok(owner, "POST", "/api/me/claim", ADA)
        await guess_from_many_addresses(app)
        statuses = [(await owner.send("POST", "/api/session", GUESS)).status_code for _ in range(12)]
        assert statuses == [401] * 10 + [429] * 2


async def test_a_new_password_makes_old_devices_strangers(tmp_path: Path) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        old, owner = Browser(app, address="192.0.2.1"), Browser(app, address="192.0.2.2")
        await expect_ok(old, "POST", "/api/me/claim", ADA)
        await expect_ok(owner, "POST", "/api/session", ADA)
        changed = {"password": "battery staple", "current_password": PASSWORD}
        await expect_ok(owner, "POST", "/api/me/claim", ADA | changed)
        await guess_from_many_addresses(app)
        new = ADA | {"password": "battery staple"}
        assert await expect_refusal(old, "POST", "/api/session", new) == (429, "RateLimited")
        await expect_ok(owner, "POST", "/api/session", new)


async def test_wrong_current_passwords_are_counted_as_attempts_to_sign_in(tmp_path: Path) -> None:
    """A browser that was left open must not be a place to guess the password."""
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        owner = Browser(app)
        await expect_ok(owner, "POST", "/api/me/claim", ADA)
        for _ in range(9):
            guess = ADA | {"current_password": "guess"}
            assert await expect_refusal(owner, "POST", "/api/me/claim", guess) == (401, "BadCredentials")
        # One more attempt is left to this browser, then as many as a stranger has.
        wrong = ADA | {"password": "guess"}
        assert [(await owner.send("POST", "/api/session", wrong)).status_code for _ in range(12)] == [401] * 11 + [429]


async def test_a_browser_is_known_to_all_who_sign_in_with_it(tmp_path: Path) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        shared = Browser(app, address="192.0.2.1")
        await expect_ok(shared, "POST", "/api/me/claim", ADA)
        await expect_ok(shared, "DELETE", "/api/session")
        await expect_ok(shared, "POST", "/api/me/claim", {"name": "Bell", "password": PASSWORD})
        await guess_from_many_addresses(app)
        await expect_ok(shared, "POST", "/api/session", ADA)
        (cookie,) = [cookie for cookie in shared.client.cookies.jar if cookie.name == "realmtable_device"]
        assert len(marks_of(cookie.value or "")) == 2
        assert cookie.path == "/api"
        assert cookie.has_nonstandard_attr("HttpOnly")
        assert cookie.get_nonstandard_attr("SameSite") == "Strict"


@pytest.mark.parametrize(
    "cookie", ["", "~", "x" * 5000, "a" * 16 + "." + "0" * 64, "~".join(["a" * 16 + "." + "0" * 64] * 50)]
)
async def test_a_forged_device_cookie_is_a_strangers(cookie: str) -> None:
    assert find_valid_mark(cookie, "ada", "hash") is None
    assert len(marks_of(cookie)) <= MAX_MARKS
    mark = new_mark("ada", "hash")
    assert find_valid_mark(with_mark(cookie, mark, None), "ada", "hash") == mark
    assert find_valid_mark(mark, "eve", "hash") is None
    assert find_valid_mark(mark, "ada", "other") is None
