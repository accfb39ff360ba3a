"""The connection of a table's page, held up or answered as a test wants."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocketRoute

from tests.browser.visitor import Visitor

PAUSE_MS = 20


class SlowWire:
    """Passes on what a page and the server send each other, except while answers are held or moves are refused."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._holds = self._has_passed = False
        self.refusal = ""  # what moves are answered with
        self.sent: list[dict[str, Any]] = []  # by the page
        self._held: list[str | bytes] = []
        self._page: WebSocketRoute | None = None
        visitor.page.route_web_socket(re.compile("/socket"), self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        self._page, server = page, page.connect_to_server()

        def from_page(text: str | bytes) -> None:
            message = json.loads(text)
            self.sent.append(message)
            if self.refusal and message["do"] == "move":
                error = {"code": "IllegalMove", "message": self.refusal}
                page.send(json.dumps({"refused": message["key"], "error": error}))
            else:
                server.send(text)

        page.on_message(from_page)

        def from_server(text: str | bytes) -> None:
            if self._holds:
                self._held.append(text)
            else:
                page.send(text)
                self._has_passed = True

        server.on_message(from_server)

    def hold(self) -> None:
        """Hold back answers from now on, once the page has its first scene."""
        while not self._has_passed:
            self._visitor.page.wait_for_timeout(PAUSE_MS)
        self._holds = True

    def release(self) -> None:
        """Pass on the answers that were held."""
        self._holds = False
        assert self._page is not None
        for text in self._held:
            self._page.send(text)
        self._held.clear()
