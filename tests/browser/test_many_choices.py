"""Hundreds of legal moves can all be chosen."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import DESKTOP, Visitor, expect_scene


def test_a_move_of_a_long_list_is_chosen_by_its_clicks(visit: Callable[..., Visitor]) -> None:
    ada = visit(**DESKTOP)
    table = ada.post("/api/tables", {"game": "modern_realm", "seats": ["me", "me"]})["table"]
    scene = ada.scene(table)
    assert len(scene["choices"]) > 300
    ada.goto(f"/tables/{table}")
    expect_scene(ada, scene)
    chosen = scene["choices"][-1]
    first, last = chosen["path"]
    ada.pick(first)
    targets = [choice for choice in scene["choices"] if choice["path"][0] == first]
    expect(ada.part("picture").locator(".target")).to_have_count(len(targets))
    ada.pick(last)
    ada.confirm_move(chosen["move"])
    expect(ada.part("moves").locator("button.move").last).to_contain_text(chosen["move"])
