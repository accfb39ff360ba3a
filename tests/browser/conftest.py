from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import pytest
import structlog
from playwright.sync_api import Browser, sync_playwright

from tests.browser.driving import HOW_TO_INSTALL, Visitor, chromium, launch
from tests.browser.places import Places, furnish
from tests.server.serving import Served, settings_for

Visitors = Callable[..., Visitor]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this folder; its loop must be gone when asynchronous tests follow."""
    if not chromium():
        pytest.skip(HOW_TO_INSTALL)
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of this folder; people in tests do not know each other, so they do not meet."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with Served(settings_for(tmp_path_factory.mktemp("browser"))) as server:
        yield server
    structlog.reset_defaults()


@pytest.fixture(scope="package")
def places(browser: Browser, served: Served) -> Places:
    """Every kind of page, with something on it."""
    visitor = Visitor(browser, served.url)
    found = furnish(visitor, "realm")
    visitor.leave()
    return found


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Visitors]:
    """Somebody new at the door, as often as called; at the end no browser may have complained."""
    visitors: list[Visitor] = []

    def arrive(url: str = "", **device: object) -> Visitor:
        visitors.append(Visitor(browser, url or served.url, **device))
        return visitors[-1]

    yield arrive
    complaints = [complaint for visitor in visitors for complaint in visitor.leave()]
    assert not complaints


@pytest.fixture
def visitor(visit: Visitors) -> Visitor:
    """Somebody at a desk."""
    return visit()
