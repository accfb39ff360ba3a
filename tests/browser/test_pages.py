"""Every page, on desktop and a small phone, light and dark: accessible (axe-core), lightweight, and not too wide."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has none
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.sample_pages import NAMES, SamplePages
from tests.browser.visitor import DESKTOP, SMALL_PHONE, Visitor

PAGE_KB = 100  # with headers and the font
CONTENT_KB = 60  # compressed, without headers and the font
SCRIPTS_KB = 50
FONT = "Font"
DEVICES = {"desktop": DESKTOP, "phone": SMALL_PHONE}
THEMES = ("light", "dark")
OPTIONS = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    "resultTypes": ["violations"],
}
TOO_WIDE = """
[...document.querySelectorAll("body *")].filter((element) =>
  element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, pre, .unseen, .preview"))
.map((element) => `${element.nodeName}.${element.className}`).slice(0, 5)
"""
DAILY = ("lobby", "table_running")  # the other pages are left to the slow tests


def arrive(visit: Visitors, places: SamplePages, name: str, device: str, theme: str) -> Visitor:
    """A returning visitor about to open a page."""
    visitor = visit(**DEVICES[device], color_scheme=theme, storage_state=places.cookies)
    visitor.forgives += ["status of 404"] if name == "error" else []
    return visitor


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        pytest.param(name, THEMES[number % 2], marks=() if name in DAILY else pytest.mark.slow)
        for number, name in enumerate(NAMES)
    ],
)
def test_on_a_small_phone(visit: Visitors, places: SamplePages, name: str, theme: str) -> None:
    visitor = arrive(visit, places, name, "phone", theme)
    weights = measure_weight(visitor, places.paths[name])
    assert sum(weights.values()) < PAGE_KB, weights
    assert weights.get("Script", 0) < SCRIPTS_KB, weights
    check_width(visitor)
    visitor.open_details()
    check_width(visitor)
    check_accessibility(visitor)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("device", DEVICES)
def test_the_content_of_every_page_is_light(visit: Visitors, places: SamplePages, name: str, device: str) -> None:
    visitor = arrive(visit, places, name, device, "light")
    weights = measure_transfers(visitor, places.paths[name])
    content = {kind: content for kind, (_, content) in weights.items() if kind != FONT}
    assert sum(content.values()) < CONTENT_KB, (content, weights[FONT])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("device", DEVICES)
def test_everywhere(visit: Visitors, places: SamplePages, name: str, device: str, theme: str) -> None:
    visitor = arrive(visit, places, name, device, theme)
    visitor.goto(places.paths[name])
    visitor.open_details()
    check_accessibility(visitor)


@pytest.mark.slow
def test_a_table_in_use(visit: Visitors, places: SamplePages) -> None:
    """Check a table with a piece selected, after a refusal, in the past, in a variation, and with help open."""
    visitor = arrive(visit, places, "table_running", "phone", "light")
    visitor.forgives.append("status of 4")
    page = visitor.goto(places.paths["table_running"])
    visitor.lit.first.click()
    check_accessibility(visitor)
    visitor.page.keyboard.press("/")
    visitor.part("notation").fill("nonsense")
    visitor.part("notation").press("Enter")
    expect(visitor.part("refusal")).to_be_visible()
    check_accessibility(visitor)
    visitor.part("first").click()
    expect(visitor.part("banner")).to_be_visible()
    check_accessibility(visitor)
    visitor.part("whatif").click()
    expect(visitor.lit.first).to_be_visible()
    check_accessibility(visitor)
    page.keyboard.press("?")
    expect(visitor.part("help")).to_be_visible()
    check_accessibility(visitor)


def measure_weight(visitor: Visitor, path: str) -> dict[str, float]:
    """Open a page and return its transfer size, in kB by kind of file."""
    return {kind: whole for kind, (whole, _) in measure_transfers(visitor, path).items()}


def measure_transfers(visitor: Visitor, path: str) -> dict[str, tuple[float, float]]:
    """Open a page and return by kind of file what is transferred, in kB: with the headers, and the contents alone."""
    assert not visitor.is_shared, "the browser has cached what earlier tests loaded"
    wire = visitor.context.new_cdp_session(visitor.page)
    begun: dict[str, Any] = {}
    weights: dict[str, tuple[float, float]] = {}

    def add(event: Any) -> None:
        kind, headers = begun.get(event["requestId"], ("Other", 0))
        whole, content = weights.get(kind, (0, 0))
        size = event["encodedDataLength"] / 1000
        weights[kind] = whole + size, content + size - headers

    def begin(event: Any) -> None:
        begun[event["requestId"]] = event["type"], event["response"]["encodedDataLength"] / 1000

    wire.on("Network.responseReceived", begin)
    wire.on("Network.loadingFinished", add)
    wire.send("Network.enable")
    visitor.goto(path)
    visitor.page.wait_for_timeout(200)  # for requests from scripts
    return weights


@pytest.mark.slow
@pytest.mark.parametrize(("device", "theme"), [("phone", "light"), ("phone", "dark"), ("desktop", "light")])
def test_an_invitation_and_the_share_dialog(visit: Visitors, places: SamplePages, device: str, theme: str) -> None:
    stranger = visit(**DEVICES[device], color_scheme=theme)
    stranger.goto(places.paths["table_open"])
    expect(stranger.part("headline")).to_contain_text("invites you to")
    check_width(stranger)
    check_accessibility(stranger)
    stranger.goto(places.paths["table_running"])
    stranger.open_menu("open-share").click()
    expect(stranger.part("share-dialog").locator("img")).to_have_js_property("complete", value=True)
    check_width(stranger)
    check_accessibility(stranger)


def check_width(visitor: Visitor) -> None:
    """Check that nothing is wider than the screen."""
    page = visitor.page
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), page.evaluate(TOO_WIDE)


def check_accessibility(visitor: Visitor) -> None:
    """Check that axe-core finds no fault in the page."""
    found = Axe().run(visitor.page, options=OPTIONS).response["violations"]
    assert [_format_violation(violation) for violation in found] == []


def check_best_practices(visitor: Visitor) -> None:
    """Check that axe-core finds no fault, with all its rules."""
    found = Axe().run(visitor.page)
    assert not found.response["violations"], found.generate_report()


def _format_violation(violation: Any) -> str:
    nodes = [f"{node['target'][0]}: {node['any'][0]['message'] if node['any'] else ''}" for node in violation["nodes"]]
    return f"{violation['impact']} {violation['id']}: {violation['help']}: {nodes[:5]} of {len(nodes)}"
