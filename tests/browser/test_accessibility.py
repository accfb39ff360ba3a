"""Every page, on a desk and on a phone, light and dark, as axe-core judges it; and what axe does not look at."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Visitors
from tests.browser.driving import DESKTOP, PHONE
from tests.browser.places import NAMES, Places

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
OPTIONS = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
# A rule of axe by its id, and why we do not follow it; there is none so far.
EXCEPTIONS: dict[str, str] = {}
DEVICES = {"desktop": DESKTOP, "phone": PHONE}
# What the usual run looks at; the other two of the four are looked at by the slow one.
USUAL = [("desktop", "light"), ("phone", "dark")]
OTHERS = [("desktop", "dark"), ("phone", "light")]


def judge(visit: Visitors, places: Places, name: str, device: str, theme: str) -> None:
    visitor = visit(**DEVICES[device], color_scheme=theme, storage_state=places.cookies, reduced_motion="reduce")
    if name == "error":
        visitor.forgives.append("status of 404")
    page = visitor.goto(places.paths[name])
    visitor.unfold()
    found = Axe().run(page, options=OPTIONS).response["violations"]
    assert [told(violation) for violation in found if violation["id"] not in EXCEPTIONS] == []


def told(violation: Any) -> str:
    """A violation in one line."""
    nodes = [f"{node['target'][0]}: {node['any'][0]['message'] if node['any'] else ''}" for node in violation["nodes"]]
    return f"{violation['impact']} {violation['id']}: {violation['help']}: {nodes[:5]} of {len(nodes)}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("device", "theme"), USUAL)
def test_axe_finds_nothing(visit: Visitors, places: Places, name: str, device: str, theme: str) -> None:
    judge(visit, places, name, device, theme)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("device", "theme"), OTHERS)
def test_axe_finds_nothing_elsewhere(visit: Visitors, places: Places, name: str, device: str, theme: str) -> None:
    judge(visit, places, name, device, theme)
