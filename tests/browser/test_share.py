"""The dialog that shares a game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import PHONE, Visitor

RECORD = "Game: realm\nWhite: Ann\nBlack: Bob\n\n1. Bh11 / Bh2\n2. Be8 / Be5"


def open_dialog(visitor: Visitor) -> None:
    visitor.open_details()
    visitor.open_menu("open-share").click()
    picture = visitor.part("share-dialog").locator("img")
    expect(picture).to_have_js_property("complete", value=True)
    expect(picture).to_have_js_property("naturalWidth", 1080)


def test_a_replay_is_shared_as_picture_animation_and_challenge(visitor: Visitor) -> None:
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    url = visitor.post("/api/records", {"text": RECORD})["url"]
    visitor.goto(f"{url}#3")
    expect(visitor.part("slider")).to_have_value("3")
    open_dialog(visitor)
    dialog = visitor.part("share-dialog")
    dialog.get_by_role("button", name="Copy link").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert visitor.page.evaluate("navigator.clipboard.readText()").endswith(f"{url}#3")
    dialog.get_by_role("button", name="Copy picture").click()
    expect(visitor.part("share-status")).to_have_text("Picture copied.")
    dialog.get_by_role("button", name="Animated replay").click()
    expect(visitor.part("download-animation")).to_be_focused()
    visitor.part("challenge").click()
    expect(visitor.page.get_by_label("A friend")).to_be_checked()
    visitor.page.get_by_role("button", name="Start").click()
    expect(visitor.part("invite-link")).to_be_visible()
    expect(visitor.part("sub")).to_contain_text("custom position")


@pytest.mark.slow
@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_live_tables_and_the_analysis_board_are_shared(visit: Visitors, device: dict[str, object]) -> None:
    visitor = visit(**device)
    table = visitor.open_new_table("realm")
    for path in (f"/tables/{table}", "/analyse/realm", "/positions/realm"):
        visitor.goto(path)
        open_dialog(visitor)
        expect(visitor.page.get_by_role("button", name="Animated replay")).to_have_count(0)
        expect(visitor.part("challenge")).to_be_visible()


@pytest.mark.slow
def test_a_game_with_secrets_gives_no_position_away(visitor: Visitor) -> None:
    visitor.enter_new_table("fantasy_realms", seats=["me", "bot:random"])
    open_dialog(visitor)
    expect(visitor.part("challenge")).to_have_count(0)
