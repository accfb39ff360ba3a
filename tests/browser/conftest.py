from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog
from playwright.sync_api import Browser, sync_playwright

from realmtable.engine.protocol import AnyGame
from realmtable.server.app import style_hashes
from tests.browser.sample_pages import SamplePages, make_sample_pages
from tests.browser.visitor import HOW_TO_INSTALL, Visitor, find_chromium, launch
from tests.browser.visitor_pool import VisitorPool
from tests.server.support.live_server import ServerThread, hash_cheaply, make_settings, repeat_deals
from tests.toys import add_games

Visitors = Callable[..., Visitor]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this folder; its event loop must end before asynchronous tests follow."""
    if not find_chromium():
        pytest.skip(HOW_TO_INSTALL)
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """One server for all tests of this folder; visitors of different tests do not interact."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with hash_cheaply(), ServerThread(make_settings(tmp_path_factory.mktemp("browser"))) as server:
        yield server
    structlog.reset_defaults()


@contextmanager
def serve_games(folder: Path, *games: AnyGame) -> Iterator[str]:
    """Run a server that knows these games too and allows their styles; yield its address."""
    with pytest.MonkeyPatch.context() as patch:
        add_games(patch, *games)
        style_hashes.cache_clear()
        with hash_cheaply(), ServerThread(make_settings(folder)) as server:
            yield server.url
    style_hashes.cache_clear()


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that fails with one deal fails again with it."""
    with repeat_deals(request.node.nodeid):
        yield


@pytest.fixture(scope="package")
def places(browser: Browser, served: ServerThread) -> SamplePages:
    """Every kind of page, with content."""
    visitor = Visitor(browser, served.url)
    found = make_sample_pages(visitor, "realm")
    visitor.leave()
    return found


@pytest.fixture(scope="package")
def visitor_pool(browser: Browser) -> VisitorPool:
    return VisitorPool(browser)


@pytest.fixture
def visit(visitor_pool: VisitorPool, served: ServerThread) -> Iterator[Visitors]:
    """Return a visitor without cookies on each call; at the end no browser may have reported an error.

    A test that changes how a page works, or checks what it loads, asks for a `fresh` browser profile.
    """
    visitors: list[Visitor] = []

    def arrive(url: str = "", *, fresh: bool = False, **device: object) -> Visitor:
        visitors.append(visitor_pool.arrive(url or served.url, device, fresh=fresh))
        return visitors[-1]

    yield arrive
    complaints = [complaint for visitor in visitors for complaint in visitor_pool.leave(visitor)]
    assert not complaints


@pytest.fixture
def visitor(visit: Visitors) -> Visitor:
    """A visitor with a desktop browser."""
    return visit()
