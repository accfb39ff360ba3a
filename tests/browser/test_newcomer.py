"""The tour, names and passwords, tokens, and the theme: everything around the games."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import Visitor


def panel(page: Page, title: str) -> Any:
    """Find the panel with a heading."""
    return page.locator("section.panel").filter(has=page.get_by_role("heading", name=title, exact=True))


def test_the_tour_can_be_walked_to_its_end(visitor: Visitor) -> None:
    visitor.forgives.append("status of 4")  # one of the tour's steps shows a refusal
    page = visitor.goto("/tour")
    tour = json.loads(page.locator("#tour").inner_text() or page.locator("#tour").text_content() or "")
    assert len(tour["steps"]) == 5
    for number, step in enumerate(tour["steps"]):
        expect(visitor.part("title")).to_have_text(step["title"])
        do_tour_step(visitor, tour["game"], step)
        expect(visitor.part("done")).to_be_visible()
        expect(page.locator(".tour-steps .is-done")).to_have_count(number + 1)
        if number < 4:
            visitor.part("next").click()
    visitor.part("play").click()
    page.wait_for_url(re.compile(f"/play/{tour['game']}"))


def do_tour_step(visitor: Visitor, game: str, step: Any) -> None:
    """Do what a step of the tour asks for on the board."""
    played: list[str] = []
    for text in step["moves"]:
        if text == "undo":
            visitor.part("undo").click()
            played.pop()
        else:
            body = {"game": game, "position": step["position"], "moves": played}
            moment = visitor.post("/api/explore", {name: value for name, value in body.items() if value is not None})
            choice = next(choice for choice in moment["choices"] if choice["move"] == text)
            for handle in choice["path"]:
                visitor.pick(handle)
            visitor.confirm_move(text)
            played.append(text)
        expect(visitor.part("log").locator("li")).to_have_count(len(played))
    if step.get("refused"):
        visitor.part("notation").fill(step["refused"])
        visitor.part("notation").press("Enter")
        expect(visitor.part("refusal").get_by_role("link")).to_be_visible()


@pytest.mark.slow
def test_a_name_is_claimed_left_and_taken_up_again(visit: Visitors) -> None:
    visitor = visit()
    visitor.forgives.append("status of 4")
    page = visitor.goto("/account")
    claim = panel(page, "Create an account")
    claim.get_by_label("Name").fill("Bea of the Border")
    claim.get_by_label("Password").fill("a long password")
    claim.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bea of the Border")
    panel(page, "This device").get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator("a.who")).not_to_have_text("Bea of the Border")

    page = visitor.goto("/account")
    sign_in = panel(page, "Sign in")
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
    panel(page, "Another device").get_by_role("button", name="Create link").click()
    link = panel(page, "Another device").get_by_label("Link")
    expect(link).to_have_value(re.compile("/sign-in/"))
    phone.goto(link.input_value()).get_by_role("button", name="Sign in").click()
    phone.page.wait_for_url(re.compile("/account"))
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Wandering Wren")


@pytest.mark.slow
def test_a_token_works_until_it_is_revoked(visitor: Visitor) -> None:
    visitor.post("/api/me/name", {"name": "Maker of bots"})
    page = visitor.goto("/account")
    tokens = panel(page, "API tokens")
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
def test_the_theme_stays_as_it_was_chosen(visit: Visitors) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Toggle dark mode").click()
    dark = page.evaluate(ground)
    assert dark != light
    for path in ("/", "/rules/realm", "/account"):
        visitor.goto(path)
        assert page.evaluate(ground) == dark
    page.get_by_role("button", name="Toggle dark mode").click()
    visitor.goto("/")
    assert page.evaluate(ground) == light
