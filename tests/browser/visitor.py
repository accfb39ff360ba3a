"""A visitor with a browser: opens pages, clicks, taps and types, and records every error the browser reports."""

from __future__ import annotations

import re
import shutil
from typing import Any, Final
from urllib.parse import urljoin

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    FloatRect,
    Locator,
    Page,
    Playwright,
    Route,
    expect,
)

from realmtable.server.tables.scenes.changes import read_scene
from tests.browser.scripted_games import ScriptedGame

# No animations, except in tests about them: they take time.
DEFAULT_CONTEXT: Final[dict[str, Any]] = {
    "reduced_motion": "reduce",
    "service_workers": "block",  # except in tests about it: it would load a lot in the background
}
DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 900}}
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
SMALL_PHONE: Final[dict[str, Any]] = {**PHONE, "viewport": {"width": 360, "height": 740}}
LAPTOP: Final[dict[str, Any]] = {"viewport": {"width": 1366, "height": 768}}
HOW_TO_INSTALL: Final = "needs Chromium: install it (on Debian and Ubuntu: apt install chromium)"
BLANK_PAGE: Final = "/healthz"  # without scripts; on the same site, or the browser would start another process
CAN_BE_CHOSEN: Final = re.compile(r"\b(lit|target)\b")  # the classes of such a place
WAIT_MS: Final = 60_000  # for a busy machine

# Chromium logs most violations of the content security policy; this logs the others.
WATCH_POLICY: Final = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`Policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""

# Tests play every step themselves, except those about forced steps, which set `playsForced`.
PLAY_NO_FORCED_STEPS: Final = """
new MutationObserver((_, watcher) => {
  watcher.disconnect();
  if (!window.playsForced) document.documentElement.dataset.forced ??= "off";
}).observe(document, { childList: true });
"""


def find_chromium() -> str | None:
    """Return the path of the browser, if it is installed."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return next(filter(None, map(shutil.which, names)), None)


def launch(playwright: Playwright) -> Browser:
    """Launch the browser; `find_chromium` must have found it."""
    expect.set_options(timeout=WAIT_MS)
    return playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])


class Visitor:
    """A visitor with a separate browser profile and one page.

    `complaints` are errors on the console, uncaught exceptions in scripts, and policy violations; `forgives` are
    patterns of those that a test provokes.
    """

    def __init__(self, browser: Browser, url: str, **device: Any) -> None:
        self.url = url
        self.device = {**DESKTOP, **device}
        self.is_shared = False  # by tests, one after the other
        self.has_opened_panel = False  # for the next choice
        self.complaints: list[str] = []
        self.forgives: list[str] = []
        self.context: BrowserContext = browser.new_context(base_url=url, **{**DEFAULT_CONTEXT, **self.device})
        self.context.set_default_timeout(WAIT_MS)
        self.context.add_init_script(WATCH_POLICY)
        self.context.add_init_script(PLAY_NO_FORCED_STEPS)
        self.context.on("page", self._listen)
        self.page: Page = self.context.new_page()
        self.csrf = ""

    def _listen(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def leave(self) -> list[str]:
        """Close everything; return the complaints that the test did not provoke."""
        self.context.close()
        return self.list_complaints()

    def list_complaints(self) -> list[str]:
        """Return the complaints that the test did not provoke."""
        return [text for text in self.complaints if not any(re.search(pattern, text) for pattern in self.forgives)]

    def forget_everything(self) -> None:
        """Become a new visitor, but keep the page, its process and the files it has loaded."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        self.page.goto(BLANK_PAGE)
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.page.set_viewport_size(self.device["viewport"])
        self.page.mouse.move(0, 0)
        self.complaints.clear()
        self.forgives.clear()
        self.csrf = ""

    # ---- reading the page

    def goto(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def part(self, role: str) -> Locator:
        """Find the part of the page with a data-role."""
        return self.page.locator(f'[data-role="{role}"]')

    def handle(self, name: str) -> Locator:
        """Find a place in the picture."""
        return self.part("picture").locator(f'[data-handle="{name}"]')

    @property
    def lit(self) -> Locator:
        """The highlighted places."""
        return self.part("picture").locator(".lit, .target")

    def open_details(self) -> None:
        """Open all collapsed sections."""
        self.page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")

    def open_menu(self, role: str) -> Locator:
        """Open the menu of the page; return an entry of it."""
        self.part("table-menu").click()
        return self.part(role)

    def open_tab(self, name: str) -> None:
        """Bring a tab to the front."""
        self.page.locator(f"#tab-{name}").click()

    # ---- requests to the server as the same visitor, without the page

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return its JSON; fail on a refusal."""
        headers = {"Origin": self.url, **({"X-CSRF-Token": self.csrf} if self.csrf else {})}
        answer = self.context.request.fetch(urljoin(self.url, path), method=method, data=body, headers=headers)
        assert answer.ok, answer.text()
        self.csrf = answer.headers.get("x-csrf-token", self.csrf)
        return answer.json()

    def get(self, path: str) -> Any:
        return self.send("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        if not self.csrf:
            self.csrf = self.get("/api/me")["csrf"] or ""
        return self.send("POST", path, {} if body is None else body)

    def open_table(self, played: ScriptedGame, **wishes: Any) -> str:
        """Open a table from a position, with this visitor on every seat; return its id."""
        info = played.game.info
        return self.open_new_table(info.id, position=played.position, seats=["me"] * info.seats[0], **wishes)

    def open_new_table(self, game: str, *others: Visitor, **wishes: Any) -> str:
        """Open a table at which the others sit down, by default with this visitor on both seats; return its id."""
        seats = ["me", *["open"] * len(others)] if others else ["me", "me"]
        table: str = self.post("/api/tables", {"game": game, "seats": seats, **wishes})["table"]
        for other in others:
            other.post(f"/api/tables/{table}/seats")
        return table

    def enter_new_table(self, game: str, *others: Visitor, **wishes: Any) -> str:
        """Open such a table and go to its page; return its id."""
        table = self.open_new_table(game, *others, **wishes)
        self.goto(f"/tables/{table}")
        return table

    def scene(self, table: str) -> Any:
        return read_scene(self.get(f"/api/tables/{table}?pictures=true"))

    def move(self, table: str, text: str) -> Any:
        """Play a step without the page."""
        version = self.scene(table)["version"]
        return self.post(f"/api/tables/{table}/moves", {"version": version, "move": text, "key": f"step-{version}"})

    # ---- playing

    def pick(self, name: str) -> None:
        """Click a handle wherever the page offers it; fail if it does not."""
        self._find_offered(name).click()
        self._close_sheet()

    def tap(self, name: str) -> None:
        """Tap a handle wherever the page offers it."""
        self._find_offered(name).tap()
        self._close_sheet()

    def _find_offered(self, name: str) -> Locator:
        drawn, button = self.handle(name), self.part("action-panel").locator(f'[data-pick="{name}"]')
        panel = self.part("panel-pages").locator(f'[data-handle="{name}"]')
        expect(drawn.or_(button).or_(panel).first).to_be_attached()
        if panel.count() and not drawn.count() and not button.count() and not panel.first.is_visible():
            self._open_panel(panel.first)
        expect(drawn.or_(button).or_(panel).first).to_be_visible()
        if button.count() and not drawn.count():
            return button
        place = drawn if drawn.count() else panel
        expect(place).to_have_class(CAN_BE_CHOSEN)
        areas = place.locator(".et-area")  # all Portals of Etherium are one place, with other tiles in its middle
        return areas.first if areas.count() > 1 else place

    def _open_panel(self, entry: Locator) -> None:
        """Open the panel with an entry by its tab, which is marked if something can be chosen in it."""
        panel = entry.evaluate("entry => entry.closest('[role=tabpanel]').id")
        tab = self.page.locator(f'[aria-controls="{panel}"]')
        expect(tab).to_have_class(re.compile("has-choice"))
        tab.click()
        self.has_opened_panel = True

    def _close_sheet(self) -> None:
        """Lower the sheet of a phone, if this visitor has opened it and it takes space from the board."""
        now = self.page.locator("#tab-now")
        if self.has_opened_panel and now.is_visible():
            now.click()
        self.has_opened_panel = False

    def confirm_move(self, move: str) -> None:
        """Choose the intended move if its clicks are ambiguous."""
        button = self.part("action-panel").locator(f'[data-move="{move}"]')
        if button.count():
            button.click()


def find_panel(page: Page, title: str) -> Locator:
    """Return the panel with a heading."""
    return page.locator("section.panel").filter(has=page.get_by_role("heading", name=title, exact=True))


def hold_requests(visitor: Visitor, address: str | re.Pattern[str]) -> list[Route]:
    """Hold back the requests of a page for an address; return the list of them, which grows."""
    held: list[Route] = []
    visitor.page.route(address, lambda route: held.append(route))  # noqa: PLW0108 - the library marks its handlers
    return held


def box_of(place: Locator) -> FloatRect:
    """Return where an element is in the window."""
    box = place.bounding_box()
    assert box is not None, place
    return box


def click_path(scene: Any, move: str) -> list[str]:
    """Return the clicks that select a move."""
    path: list[str] = next(choice["path"] for choice in scene["choices"] if choice["move"] == move)
    return path


def expect_scene(visitor: Visitor, scene: Any) -> None:
    """Check that the page matches the server's scene: headline, latest news, move list and picture."""
    expect(visitor.part("headline")).to_have_text(scene["headline"])
    news = [item["words"].split(": ", 1)[-1] for item in scene["news"]]
    if shown := [words for words in news if words != "End turn"]:
        expect(visitor.part("news-card")).to_have_attribute("title", re.compile(re.escape(shown[-1])))
    expect_latest_moves(visitor, [line["text"] for line in scene["lines"]])
    begin = {choice["path"][0] for choice in scene["choices"] if choice["path"]}
    drawn = {name for name in begin if f'data-handle="{name}"' in scene["picture"]}
    expect(visitor.lit).to_have_count(len(drawn))


def expect_latest_moves(visitor: Visitor, texts: list[str]) -> None:
    """Check that the move list ends with these turns; a page keeps those that later scenes leave out."""
    moves = visitor.part("moves").locator("button.move")
    if texts:
        expect(moves.last).to_have_text(texts[-1])
    assert [shown.strip() for shown in moves.all_text_contents()][-len(texts) :] == texts or not texts


def expect_over(visitor: Visitor, table: str) -> None:
    """Check that the page shows the result and offers no moves."""
    expect(visitor.part("ending")).to_be_visible()
    scene = visitor.scene(table)
    assert scene["status"] == "over"
    expect(visitor.part("headline")).to_have_text(scene["headline"])
    expect(visitor.lit).to_have_count(0)
    expect(visitor.page.locator(".action-panel [data-pick], .action-panel [data-move]")).to_have_count(0)
