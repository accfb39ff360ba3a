"""Pictures of every page and of every game's table, on a desk and on a phone, light and dark, to be looked at.

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

from tests.browser.driving import DESKTOP, HOW_TO_INSTALL, PHONE, Visitor, chromium, launch
from tests.browser.places import GAMES, Places, furnish, running_table
from tests.server.serving import Served, settings_for

FOLDER = Path("build/screenshots")
DEVICES = {"desktop": DESKTOP, "phone": PHONE}
THEMES = ("light", "dark")
TALL = ("rules", "api")  # too long to be looked at whole
SETTLED_MS = 700  # until pieces have glided and pictures are there


def main() -> None:
    """Make all pictures."""
    if not chromium():
        sys.exit(f"This {HOW_TO_INSTALL}.")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        Served(settings_for(Path(data))) as served,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for picture in pictures(browser, served.url, folder):
            print(picture)  # noqa: T201 - tells where the pictures are
        browser.close()


def pictures(browser: Browser, url: str, folder: Path) -> Iterator[Path]:
    """Make the pictures one by one."""
    host = Visitor(browser, url)
    places = furnish(host, "realm")
    tables = {game: running_table(host, game) for game in GAMES}
    for device, theme in [(device, theme) for device in DEVICES for theme in THEMES]:
        visitor = Visitor(browser, url, **DEVICES[device], color_scheme=theme, storage_state=places.cookies)
        ending = f"{device}-{theme}.png"
        yield from _pages(visitor, places, folder, ending)
        yield from _tables(visitor, tables, folder, ending)
        visitor.leave()
    host.leave()


def _pages(visitor: Visitor, places: Places, folder: Path, ending: str) -> Iterator[Path]:
    for name, path in places.paths.items():
        visitor.goto(path)
        visitor.page.wait_for_timeout(SETTLED_MS)
        whole = name not in TALL and not name.startswith("table")
        yield _keep(visitor, folder / f"{name}-{ending}", whole=whole)


def _tables(visitor: Visitor, tables: dict[str, str], folder: Path, ending: str) -> Iterator[Path]:
    """Every game's table with the piece chosen that has most to choose from."""
    for game, table in tables.items():
        visitor.goto(f"/tables/{table}")
        slides = [choice["path"] for choice in visitor.scene(table)["choices"] if len(choice["path"]) > 1]
        visitor.pick(max(slides, key=lambda path: [other[0] for other in slides].count(path[0]))[0])
        visitor.page.wait_for_timeout(SETTLED_MS)
        yield _keep(visitor, folder / f"game-{game}-{ending}", whole=True)


def _keep(visitor: Visitor, path: Path, *, whole: bool) -> Path:
    visitor.page.screenshot(path=path, full_page=whole)
    return path


if __name__ == "__main__":
    main()
