"""The command that takes screenshots, and its checks of what it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Visitors
from tests.browser.cut_texts import FIND_CUT_TEXTS
from tests.browser.screenshots import FOLDER, THEMES, read_arguments, take_screenshots
from tests.server.support.live_server import ServerThread

NARROW = "width:3rem; white-space:nowrap"
NAME = "A name that is long"
CARD = '<g data-handle="x"><rect class="card" width="{}" height="20"/><text y="15">' + NAME + "</text></g>"
PLACES = {
    "a wide button": (f"<button>{NAME}</button>", False),
    "a narrow button": (f'<button style="{NARROW}; padding:0">{NAME}</button>', True),
    "an ellipsis": (f'<p style="{NARROW}; overflow:hidden; text-overflow:ellipsis">{NAME}</p>', False),
    "a clipped line": (f'<p style="{NARROW}; overflow:hidden">{NAME}</p>', True),
    "a scrolled line": (f'<p style="{NARROW}; overflow:auto">{NAME}</p>', False),
    "a line wider than the window": (f'<p style="white-space:nowrap; margin-left:95vw">{NAME}</p>', True),
    "a wide card": (f'<svg viewBox="0 0 300 20" width="300">{CARD.format(290)}</svg>', False),
    "a narrow card": (f'<svg viewBox="0 0 300 20" width="300">{CARD.format(60)}</svg>', True),
    "a narrow picture": (f'<svg viewBox="0 0 60 20" width="60"><text y="15">{NAME}</text></svg>', True),
    "a part of a map": (f'<svg data-pans viewBox="0 0 60 20" width="60"><text y="15">{NAME}</text></svg>', False),
}


def test_texts_that_leave_their_place_are_found(visit: Visitors) -> None:
    page = visit(fresh=True).page
    found = {}
    for name, (markup, _) in PLACES.items():
        page.set_content(f"<body>{markup}</body>")
        found[name] = bool(page.evaluate(FIND_CUT_TEXTS))
    assert found == {name: is_cut for name, (_, is_cut) in PLACES.items()}


def test_the_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert read_arguments([]).folder == FOLDER
    chosen = read_arguments(["shots", "--games", "realm", "--sizes", "phone", "laptop", "--tables-only"])
    assert (chosen.folder, chosen.games, chosen.sizes) == (Path("shots"), ["realm"], ["phone", "laptop"])
    assert chosen.themes == THEMES
    with pytest.raises(SystemExit, match=r"^0$"):
        read_arguments(["--help"])
    assert "--games" in capsys.readouterr().out


def test_a_picture_and_the_errors_of_a_table(browser: Browser, served: ServerThread, tmp_path: Path) -> None:
    choice = "--games magic_realm --sizes phone --themes dark --tables-only"
    wanted = read_arguments([str(tmp_path), *choice.split()])
    faults: list[str] = []
    taken = list(take_screenshots(browser, served.url, wanted, faults))
    assert [path.name for path in taken] == ["game-magic_realm-phone-dark.png"]
    assert taken[0].read_bytes().startswith(b"\x89PNG")
    assert faults == []
