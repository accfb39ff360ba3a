"""Visitors that tests share one after the other: a page that stays in its process loads in two thirds of the time."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError

from tests.browser.visitor import DESKTOP, Visitor

MAX_IDLE: Final = 5
# Visitors who wish for anything else, such as a permission, get a new browser profile.
SHARED_WISHES: Final = {"color_scheme", "device_scale_factor", "has_touch", "is_mobile", "reduced_motion", "viewport"}


class VisitorPool:
    """Creates visitors, and reuses those who have left."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[Visitor] = []

    def arrive(self, url: str, device: dict[str, Any], *, fresh: bool) -> Visitor:
        """Return a visitor without cookies and storage; if `fresh`, one whose browser has never loaded anything."""
        if fresh or not device.keys() <= SHARED_WISHES:
            return Visitor(self._browser, url, **device)
        for visitor in self._idle:
            if (visitor.url, visitor.device) == (url, {**DESKTOP, **device}):
                self._idle.remove(visitor)
                return visitor
        visitor = Visitor(self._browser, url, **device)
        visitor.is_shared = True
        return visitor

    def leave(self, visitor: Visitor) -> list[str]:
        """End a visit; return the complaints that the test did not provoke."""
        if not visitor.is_shared:
            return visitor.leave()
        complaints = visitor.list_complaints()
        try:
            visitor.forget_everything()
        except BrowserError:  # its server is gone, for example
            visitor.leave()
            return complaints
        self._idle.append(visitor)
        if len(self._idle) > MAX_IDLE:
            self._idle.pop(0).leave()
        return complaints
