"""The account page: tokens, and the password that it asks for again after an old sign-in."""

from __future__ import annotations

import re
import sqlite3

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import Visitor, find_panel
from tests.server.support.live_server import ServerThread


def age_sessions(served: ServerThread) -> None:
    """Make all sign-ins an hour old."""
    with sqlite3.connect(served.settings.database_url.removeprefix("sqlite:///"), timeout=30) as database:
        database.execute("UPDATE sessions SET created_at = created_at - 3600")


def test_a_stale_session_asks_for_the_password_and_goes_on(visit: Visitors, served: ServerThread) -> None:
    ada = visit()
    ada.forgives.append("status of 403")
    ada.post("/api/me/claim", {"name": "Stale Ada", "password": "correct horse"})
    page = ada.goto("/account")
    tokens = find_panel(page, "API tokens")
    again = tokens.get_by_label("Current password")
    expect(again).to_be_hidden()
    age_sessions(served)
    tokens.get_by_label("Label").fill("my bot")
    tokens.get_by_role("button", name="Create token").click()
    expect(tokens.get_by_role("alert")).to_contain_text("sign in again")
    again.fill("correct horse")
    tokens.get_by_role("button", name="Create token").click()
    expect(tokens.get_by_label("Your token (shown only once)")).to_have_value(re.compile("^rt_"))
    expect(again).to_be_hidden()
    password = find_panel(page, "Password")
    password.get_by_label("New password").fill("battery staple")
    current = password.get_by_label("Current password")
    ada.forgives.append("status of 401")
    current.fill("a guess")
    password.get_by_role("button", name="Change password").click()
    expect(password.get_by_role("alert")).to_have_text("That is not your current password.")
    current.fill("correct horse")
    with page.expect_navigation():  # the page reloads once the password is changed
        password.get_by_role("button", name="Change password").click()
    expect(tokens.get_by_role("button", name="Revoke")).to_have_count(0)
    visit().post("/api/session", {"name": "Stale Ada", "password": "battery staple"})


@pytest.mark.slow
def test_a_token_works_until_it_is_revoked(visit: Visitors) -> None:
    visitor = visit(fresh=True)
    visitor.post("/api/me/name", {"name": "Maker of bots"})
    page = visitor.goto("/account")
    tokens = find_panel(page, "API tokens")
    tokens.get_by_label("Label").fill("My first bot")
    tokens.get_by_role("button", name="Create token").click()
    secret = tokens.get_by_label("Your token")
    expect(secret).not_to_be_empty()
    headers = {"Authorization": f"Bearer {secret.input_value()}"}
    assert (
        visitor.context.request.get(f"{visitor.url}/api/me", headers=headers).json()["player"]["name"]
        == "Maker of bots"
    )

    page.reload()
    page.on("dialog", lambda dialog: dialog.accept())
    tokens.get_by_role("button", name="Revoke My first bot").click()
    expect(tokens.get_by_role("button", name="Revoke My first bot")).to_have_count(0)
    assert visitor.context.request.get(f"{visitor.url}/api/me", headers=headers).status == 401


@pytest.mark.slow
def test_a_name_is_claimed_left_and_taken_up_again(visitor: Visitor) -> None:
    visitor.forgives.append("status of 4")
    page = visitor.goto("/account")
    claim = find_panel(page, "Create an account")
    claim.get_by_label("Name").fill("Bea of the Border")
    claim.get_by_label("Password").fill("a long password")
    claim.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bea of the Border")
    find_panel(page, "This device").get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator("a.who")).not_to_have_text("Bea of the Border")

    page = visitor.goto("/account")
    sign_in = find_panel(page, "Sign in")
    sign_in.get_by_label("Name").fill("Bea of the Border")
    sign_in.get_by_label("Password").fill("a wrong password")
    sign_in.get_by_role("button").click()
    expect(sign_in.get_by_role("alert")).not_to_be_empty()
    sign_in.get_by_label("Password").fill("a long password")
    sign_in.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bea of the Border")


@pytest.mark.slow
def test_a_link_signs_another_device_in_once(visit: Visitors) -> None:
    visitor, phone = visit(), visit()
    visitor.post("/api/me/name", {"name": "Wandering Wren"})
    page = visitor.goto("/account")
    find_panel(page, "Another device").get_by_role("button", name="Create link").click()
    link = find_panel(page, "Another device").get_by_label("Link")
    expect(link).to_have_value(re.compile("/sign-in/"))
    phone.goto(link.input_value()).get_by_role("button", name="Sign in").click()
    phone.page.wait_for_url(re.compile("/account"))
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Wandering Wren")
