"""Take screenshots of every page and every game's table, and check that they are free of errors and cut-off texts."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import structlog
from playwright.sync_api import Browser, sync_playwright

from tests.browser.cut_texts import FIND_CUT_TEXTS
from tests.browser.sample_pages import GAMES, SamplePages, make_sample_pages, open_running_table
from tests.browser.visitor import DESKTOP, HOW_TO_INSTALL, LAPTOP, PHONE, Visitor, find_chromium, launch
from tests.server.support.live_server import ServerThread, hash_cheaply, make_settings

FOLDER = Path("build/screenshots")
SIZES = {"desktop": DESKTOP, "laptop": LAPTOP, "phone": PHONE}
THEMES = ("light", "dark")
TALL = ("rules", "api")  # too long for a full-page screenshot
SETTLE_MS = 700  # for animations and images
EXPECTED = {"error": "status of 404"}  # what the console says of these pages


def main() -> None:
    """Take the screenshots that were asked for; fail if a page has a fault."""
    wanted = read_arguments()
    if not find_chromium():
        sys.exit(f"This {HOW_TO_INSTALL}.")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    wanted.folder.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    with (
        tempfile.TemporaryDirectory() as data,
        hash_cheaply(),
        ServerThread(make_settings(Path(data))) as served,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for picture in take_screenshots(browser, served.url, wanted, faults):
            print(picture)  # noqa: T201 - the output of the command
        browser.close()
    if faults:
        sys.exit("\n".join(faults))


def read_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help=f"where to write; default: {FOLDER}")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES, metavar="GAME", help="default: all")
    parser.add_argument(
        "--sizes", nargs="+", choices=SIZES, default=["desktop", "phone"], help="default: desktop phone"
    )
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES, help="default: both")
    parser.add_argument("--tables-only", action="store_true", help="leave out the pages other than tables")
    return parser.parse_args(arguments)


def take_screenshots(browser: Browser, url: str, wanted: argparse.Namespace, faults: list[str]) -> Iterator[Path]:
    """Take the screenshots one by one; add what is wrong with a page to `faults`."""
    host = Visitor(browser, url)
    places = None if wanted.tables_only else make_sample_pages(host, "realm")
    tables = {game: open_running_table(host, game) for game in wanted.games}
    cookies = host.context.storage_state()
    for size, theme in [(size, theme) for size in wanted.sizes for theme in wanted.themes]:
        visitor = Visitor(browser, url, **SIZES[size], color_scheme=theme, storage_state=cookies)
        for name in _open_one_by_one(visitor, places, tables):
            path = wanted.folder / f"{name}-{size}-{theme}.png"
            visitor.page.wait_for_timeout(SETTLE_MS)
            visitor.forgives = [EXPECTED[name]] if name in EXPECTED else []
            found = [*visitor.list_complaints(), *visitor.page.evaluate(FIND_CUT_TEXTS)]
            faults += [f"{path.stem}: {fault}" for fault in found]
            visitor.complaints.clear()
            visitor.page.screenshot(path=path, full_page=name not in TALL and not name.startswith("table"))
            yield path
        visitor.leave()
    host.leave()


def _open_one_by_one(visitor: Visitor, places: SamplePages | None, tables: dict[str, str]) -> Iterator[str]:
    """Open every page, and every game's table with the choice made that has the most continuations; yield its name."""
    for name, path in places.paths.items() if places else ():
        visitor.goto(path)
        yield name
    for game, table in tables.items():
        visitor.goto(f"/tables/{table}")
        firsts = [choice["path"][0] for choice in visitor.scene(table)["choices"] if len(choice["path"]) > 1]
        if firsts:
            visitor.pick(max(firsts, key=firsts.count))
        yield f"game-{game}"


if __name__ == "__main__":
    main()
