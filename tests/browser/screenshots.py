"""Take screenshots of every page and every game's table, on desktop and phone, light and dark, for review.

python -m tests.browser.screenshots [FOLDER]
"""

from __future__ import annotations

import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import structlog
from playwright.sync_api import Browser, sync_playwright

from tests.browser.sample_pages import GAMES, SamplePages, make_sample_pages, open_running_table
from tests.browser.visitor import DESKTOP, HOW_TO_INSTALL, PHONE, Visitor, find_chromium, launch
from tests.server.support.live_server import ServerThread, make_settings

FOLDER = Path("build/screenshots")
DEVICES = {"desktop": DESKTOP, "phone": PHONE}
THEMES = ("light", "dark")
TALL = ("rules", "api")  # too long for a full-page screenshot
SETTLE_MS = 700  # for animations and images


def main() -> None:
    """Take all screenshots."""
    if not find_chromium():
        sys.exit(f"This {HOW_TO_INSTALL}.")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        ServerThread(make_settings(Path(data))) as served,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for picture in take_screenshots(browser, served.url, folder):
            print(picture)  # noqa: T201 - the output of the command
        browser.close()


def take_screenshots(browser: Browser, url: str, folder: Path) -> Iterator[Path]:
    """Take the screenshots one by one."""
    host = Visitor(browser, url)
    places = make_sample_pages(host, "realm")
    tables = {game: open_running_table(host, game) for game in GAMES}
    for device, theme in [(device, theme) for device in DEVICES for theme in THEMES]:
        visitor = Visitor(browser, url, **DEVICES[device], color_scheme=theme, storage_state=places.cookies)
        ending = f"{device}-{theme}.png"
        yield from _shoot_pages(visitor, places, folder, ending)
        yield from _shoot_tables(visitor, tables, folder, ending)
        visitor.leave()
    host.leave()


def _shoot_pages(visitor: Visitor, places: SamplePages, folder: Path, ending: str) -> Iterator[Path]:
    for name, path in places.paths.items():
        visitor.goto(path)
        visitor.page.wait_for_timeout(SETTLE_MS)
        whole = name not in TALL and not name.startswith("table")
        yield _save_screenshot(visitor, folder / f"{name}-{ending}", whole=whole)


def _shoot_tables(visitor: Visitor, tables: dict[str, str], folder: Path, ending: str) -> Iterator[Path]:
    """Take a screenshot of every game's table with the piece selected that has the most targets."""
    for game, table in tables.items():
        visitor.goto(f"/tables/{table}")
        slides = [choice["path"] for choice in visitor.scene(table)["choices"] if len(choice["path"]) > 1]
        visitor.pick(max(slides, key=lambda path: [other[0] for other in slides].count(path[0]))[0])
        visitor.page.wait_for_timeout(SETTLE_MS)
        yield _save_screenshot(visitor, folder / f"game-{game}-{ending}", whole=True)


def _save_screenshot(visitor: Visitor, path: Path, *, whole: bool) -> Path:
    visitor.page.screenshot(path=path, full_page=whole)
    return path


if __name__ == "__main__":
    main()
