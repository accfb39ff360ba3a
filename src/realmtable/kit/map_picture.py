"""Pictures of maps: they have no fixed size and no fixed corner, because the map grows in all directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from realmtable.kit.picture_style import check_theme
from realmtable.kit.svg import SVG_NAMESPACE, Element, PartedElement, parted_element


class Box(NamedTuple):
    """A part of the picture."""

    left: float
    top: float
    wide: float
    high: float

    def text(self) -> str:
        """Return the numbers as in a view box."""
        return f"{self.left:.0f} {self.top:.0f} {self.wide:.0f} {self.high:.0f}"

    def widen(self, wide: float, high: float) -> Box:
        """Return a box with the same middle that has at least a certain size."""
        more_wide, more_high = max(0, wide - self.wide), max(0, high - self.high)
        return Box(self.left - more_wide / 2, self.top - more_high / 2, self.wide + more_wide, self.high + more_high)

    def surroundings(self) -> Box:
        """Return a box around this one that fills a frame of any shape."""
        return self.widen(3 * self.wide + 2000, 3 * self.high + 2000)


class MapStyle(NamedTuple):
    """The style that all map pictures of a game share: its name, and the element with its rules."""

    name: str
    rules: Element

    def make_document(
        self, box: Box, theme: str, children: Mapping[str, Element], attributes: Mapping[str, str | None]
    ) -> PartedElement:
        """Return a complete SVG document that shows a box; `theme` is one of `picture_style.THEMES`."""
        check_theme(theme)
        own = {"xmlns": SVG_NAMESPACE, "viewBox": box.text(), "width": "100%"}
        own["class_"] = f"rt-board rt-{self.name} rt-{theme}"
        return parted_element("svg", "svg", {"style": self.rules, **children}, {**own, **attributes})
