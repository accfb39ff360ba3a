"""Fantasy Realms in the browser: a whole game against bots, no secrets in the page, and the scoring."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import realmtable
from realmtable.engine.record import load_record
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.state import State
from realmtable.server.tables.live import table_service
from realmtable.server.tables.live.scene_patch import apply_patch
from tests.browser import input_devices
from tests.browser.conftest import Visitors
from tests.browser.visitor import PHONE, Visitor
from tests.server.support.live_server import ServerThread

GAME = realmtable.game("fantasy_realms")
MOVING = {"reduced_motion": "no-preference"}
TURNS_MAX = 30

# Record everything the stream delivers.
LISTEN = """
window.heard = [];
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    const listen = (kind) => this.addEventListener(kind, ({ data }) => window.heard.push([kind, data]));
    ["message", "scene", "patch"].forEach(listen);
  }
};
"""


class FixedSecrets:
    """Stands in for the module `secrets`, with the same seed for every table.

    With "the realm" no card with choices comes early; interpreted rules are slow at scoring those.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def token_hex(self, size: int) -> str:  # noqa: ARG002 - the module's signature
        return self.seed

    def __getattr__(self, name: str) -> Any:
        import secrets  # noqa: PLC0415 - the original module

        return getattr(secrets, name)


# ---- a whole game


@pytest.mark.slow
def test_one_person_and_two_bots_play_a_whole_game(monkeypatch: pytest.MonkeyPatch, visit: Visitors) -> None:
    monkeypatch.setattr(table_service, "secrets", FixedSecrets("the realm"))
    visitor = visit()
    visitor.context.add_init_script(LISTEN)
    body = {"game": "fantasy_realms", "seats": ["me", "bot:level2", "bot:level2"]}
    table = visitor.post("/api/tables", body)["table"]
    visitor.goto(f"/tables/{table}")
    pages = list(_play_turns(visitor))
    assert any("Last turns:" in page for _, page in pages), "the last turns are announced"
    _check_scoring(visitor, table)
    _check_no_leak(visitor, table, pages)


def _play_turns(visitor: Visitor) -> Iterator[tuple[int, str]]:
    """Draw and discard until the game is over; return the page before every turn, with its step."""
    waiting = visitor.page.locator("body.your-turn, body.revealing")
    for _ in range(TURNS_MAX):
        expect(waiting).to_be_attached()
        if visitor.page.locator("body.revealing").count():
            return
        step = int(visitor.part("slider").get_attribute("max") or 0)
        content = visitor.page.content()
        if "Last turns:" in content:
            visitor.page.emulate_media(reduced_motion="no-preference")  # or the scoring would not be revealed
        yield step, content
        visitor.pick("deck")
        expect(visitor.part("slider")).to_have_attribute("max", str(step + 2))
        worst = _least_useful(visitor)
        visitor.pick(worst)
        expect(visitor.part("slider")).to_have_attribute("max", str(step + 2))  # selected, not discarded
        visitor.part("choices").get_by_role("button", name=f"Discard {worst.removeprefix('hand:')}").click()
        expect(visitor.part("slider")).not_to_have_attribute("max", str(step + 2))
    raise AssertionError("the game does not end")


def _least_useful(visitor: Visitor) -> str:
    """Return the card of the hand with the fewest points, according to its label."""
    found = visitor.part("picture").locator('[data-handle^="hand:"]')
    labels = {each.get_attribute("data-handle") or "": each.get_attribute("aria-label") or "" for each in found.all()}
    return min(labels, key=lambda handle: int(re.findall(r"Now (−?\d+) point", labels[handle])[0].replace("−", "-")))


def _check_scoring(visitor: Visitor, table: str) -> None:
    """Check that the scoring is revealed with reasons, can be skipped, and is then listed in full."""
    expect(visitor.part("headline")).to_have_text("The scoring")
    expect(visitor.part("ending")).to_be_hidden()
    expect(visitor.part("beat")).to_contain_text("Strength")
    input_devices.press(visitor, "Escape")
    scene = visitor.scene(table)
    expect(visitor.part("headline")).to_have_text(scene["headline"])
    expect(visitor.part("ending")).to_be_visible()
    expect(visitor.part("picture").locator(".later")).to_have_count(0)
    listed = visitor.part("tallies").locator("article")
    expect(listed).to_have_count(3)
    for tally, article in zip(scene["tallies"], listed.all(), strict=True):
        expect(article.locator("h3")).to_have_text(f"{tally['rank']}. {tally['name']} {tally['total']} points")
        expect(article.locator("li")).to_contain_text([line["reason"] for line in tally["lines"]])
    visitor.page.evaluate("document.querySelector('[data-do=earlier]')?.click()")  # a short game has no earlier page
    expect(visitor.part("moves")).to_contain_text("Each player is dealt seven cards")


def _check_no_leak(visitor: Visitor, table: str, pages: list[tuple[int, str]]) -> None:
    """Check that neither pages nor the stream name a card that the player could not know of."""
    text = visitor.context.request.get(f"{visitor.url}/api/tables/{table}/record").text()
    states = [entry.before for entry in load_record(text, realmtable.game).replay().log()]
    heard = _scenes_from(visitor.page.evaluate("window.heard"))
    scenes = [(json.loads(data)["step"], data) for data in heard if '"result":null' in data.replace(" ", "")]
    assert len(scenes) > len(pages)
    checked = 0
    for step, shown in pages + scenes:
        for name in _unknown_cards(states[step]):
            checked += 1
            assert not re.search(rf"\b{name}\b", shown), f"{name} at step {step}"
    assert checked > 10 * len(pages)


def _scenes_from(heard: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the scenes that a stream sent, whole or as patches."""
    text = ""
    for kind, data in heard:
        text = apply_patch(text.encode(), data.encode()).decode() if kind == "patch" else data
        yield text


def _unknown_cards(state: State) -> list[str]:
    """Return the cards unknown to the first seat, except those that a visible card mentions."""
    seen = {*state.hands[0], *state.known, *state.open_cards()}
    printed = " ".join(f"{CARDS[card].bonus_text} {CARDS[card].penalty_text}" for card in seen)
    return [card.name for card in CARDS if card.id not in seen and card.name not in printed]


# ---- confirming a choice


@pytest.fixture
def begun(visit: Visitors, request: pytest.FixtureRequest) -> tuple[Visitor, str]:
    """A visitor who plays all three seats and has to discard a card."""
    visitor = visit(**getattr(request, "param", {}))
    table = visitor.post("/api/tables", {"game": "fantasy_realms", "seats": ["me"] * 3})["table"]
    visitor.move(table, "deck")
    visitor.goto(f"/tables/{table}")
    expect(visitor.lit).to_have_count(8)
    return visitor, table


@pytest.mark.parametrize("begun", [PHONE], indirect=True)
def test_a_tap_shows_a_card_large_and_a_second_one_drops_it(begun: tuple[Visitor, str]) -> None:
    visitor, table = begun
    before = visitor.scene(table)
    first, second = (choice["path"][0] for choice in before["choices"][:2])
    for handle in (first, second):  # selecting another card does not discard the first
        visitor.tap(handle)
        expect(visitor.part("zoom")).to_be_visible()
        expect(visitor.part("zoom")).to_contain_text(visitor.handle(handle).get_attribute("data-now") or "?")
    assert visitor.scene(table)["version"] == before["version"]
    visitor.tap(second)
    expect(visitor.part("zoom")).to_be_hidden()
    expect(visitor.handle(second.replace("hand:", "discard:"))).to_be_visible()


def test_the_mouse_shows_a_card_large_with_what_discarding_it_does(begun: tuple[Visitor, str]) -> None:
    visitor, _ = begun
    card = visitor.part("picture").locator('[data-handle^="hand:"]').first
    card.hover()
    zoom = visitor.part("zoom")
    expect(zoom).to_contain_text(re.compile(r"Discard it: (worth \d+ → \d+|still worth \d+)\."))
    box, place = zoom.bounding_box(), card.bounding_box()
    assert box is not None
    assert place is not None
    assert box["x"] > place["x"] + place["width"] or box["y"] + box["height"] < place["y"]
    visitor.part("headline").hover()
    expect(zoom).to_be_hidden()


@pytest.mark.slow
def test_with_keys_enter_chooses_and_enter_drops(begun: tuple[Visitor, str]) -> None:
    visitor, table = begun
    before = visitor.scene(table)
    handle = before["choices"][3]["path"][0]
    input_devices.press_n_until(visitor, handle)
    input_devices.press(visitor, "Enter")
    expect(visitor.handle(handle)).to_have_class(re.compile("chosen"))
    input_devices.press(visitor, "Escape")
    expect(visitor.handle(handle)).not_to_have_class(re.compile("chosen"))
    assert visitor.scene(table)["version"] == before["version"]
    input_devices.press(visitor, "Enter")
    input_devices.press(visitor, "Enter")
    expect(visitor.handle(handle.replace("hand:", "discard:"))).to_be_visible()


# ---- trading


def test_a_newcomer_reads_how_to_trade_and_offers_a_card_on_a_phone(visit: Visitors) -> None:
    visitor = visit(**PHONE)
    body = {"game": "fantasy_realms", "preset": "chaos", "seats": ["me", "open", "open"]}
    table = visitor.post("/api/tables", body)["table"]
    for _ in range(2):
        visit().post(f"/api/tables/{table}/seats", {})
    page = visitor.goto(f"/tables/{table}")
    expect(visitor.part("tips")).to_contain_text("Bid: tap a card on offer")
    page.get_by_role("button", name="Got it").tap()
    expect(visitor.part("tips")).to_have_count(0)
    handle = visitor.scene(table)["choices"][0]["path"][0]
    visitor.tap(handle)
    zoom, hand = visitor.part("zoom"), page.get_by_role("group", name="Your hand")
    expect(zoom.locator("svg")).to_have_attribute("aria-label", re.compile(handle.removeprefix("hand:")))
    above, below = zoom.bounding_box(), hand.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"] + 1, "the enlarged card covers no card of the hand"
    page.get_by_role("button", name="Offer it").tap()
    expect(visitor.handle(handle.replace("hand:", "offer:"))).to_be_visible()
    page.reload()
    expect(visitor.lit.first).to_be_visible()
    expect(visitor.part("tips")).to_have_count(0)


# ---- viewing the scoring later


@pytest.fixture(scope="module")
def finished(browser: Browser, served: ServerThread) -> Iterator[tuple[str, Any]]:
    """Open a table whose game is over; return its id and scene."""
    visitor = Visitor(browser, served.url)
    body = {"game": "fantasy_realms", "seats": ["me"] * 3, "options": {"ring": "together", "max_turns": 20}}
    table = visitor.post("/api/tables", body)["table"]
    rng = Random(1)
    while (scene := visitor.scene(table))["status"] == "running":
        visitor.move(table, rng.choice(scene["choices"])["move"])
    yield table, scene
    visitor.leave()


def test_who_wants_nothing_to_move_sees_all_at_once(visitor: Visitor, finished: tuple[str, Any]) -> None:
    table, scene = finished
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("tallies").locator("article")).to_have_count(3)
    expect(visitor.part("reveal")).to_be_hidden()
    expect(visitor.part("headline")).to_have_text(scene["headline"])
    best = scene["tallies"][0]
    expect(visitor.part("result")).to_contain_text(f"1. {best['name']} {best['total']}")


def test_the_scoring_can_be_seen_again_and_says_the_totals(visit: Visitors, finished: tuple[str, Any]) -> None:
    table, scene = finished
    visitor = visit(**MOVING)
    visitor.page.clock.install()
    visitor.goto(f"/tables/{table}/replay")
    again = visitor.part("reveal")
    expect(again).to_have_text("Show the scoring again")
    again.click()
    expect(visitor.part("picture").locator(".later").first).to_be_attached()
    last = scene["tallies"][-1]
    for _ in last["lines"]:
        visitor.page.clock.run_for(1500)
    expect(visitor.part("announcer")).to_contain_text(f"{last['name']}: {last['total']} points.")
    visitor.part("skip").click()
    expect(visitor.part("picture").locator(".later")).to_have_count(0)
    totals = visitor.part("picture").locator("[data-counts] text")
    expect(totals).to_have_text([str(tally["total"]).replace("-", "−") for tally in scene["tallies"]])


@pytest.mark.parametrize("page", ["", pytest.param("/replay", marks=pytest.mark.slow)])
def test_each_realm_can_be_tried_on_the_scoring_page(visitor: Visitor, finished: tuple[str, Any], page: str) -> None:
    table, scene = finished
    visitor.goto(f"/tables/{table}{page}")
    visitor.part("tallies").get_by_role("link", name="try other choices").first.click()
    expect(visitor.page.locator(".score-total")).to_have_text(str(scene["tallies"][0]["total"]))
    assert "option=ring=together" in visitor.page.url
