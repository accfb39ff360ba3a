"""A name is claimed with a password, and another device signs in with a link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import find_panel


@pytest.mark.slow
def test_a_name_is_claimed_left_and_taken_up_again(visit: Visitors) -> None:
    visitor = visit()
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
