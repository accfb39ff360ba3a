"""Parse a page as a browser and a screen reader would, and report what is wrong with it."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

FIELDS = ("input", "select", "textarea")
VOID = ("input", "meta", "link", "img", "br", "hr", "path", "circle")
Attributes = dict[str, str]


class Page(HTMLParser):
    """A page taken apart: its elements, headings and texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.headings: list[int] = []
        self.texts: dict[str, str] = {}  # of labels by the field they are for, of "title" and "h1"
        self.wrapped: set[int] = set()  # fields inside a label
        self.unnamed_buttons = 0
        self._open: list[tuple[str, Attributes]] = []
        self._button = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.elements.append((tag, found))
        if any(name == "label" for name, _ in self._open):
            self.wrapped.add(len(self.elements) - 1)
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag == "button":
            self._button = found.get("aria-label", "")
        if tag not in VOID:
            self._open.append((tag, found))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:  # which is not open
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "button" and not self._button.strip():
            self.unnamed_buttons += 1

    def handle_data(self, data: str) -> None:
        for tag, found in self._open:
            key = found.get("for", "") if tag == "label" else tag
            if tag in {"label", "title", "h1"}:
                self.texts[key] = self.texts.get(key, "") + data
            if tag == "button":
                self._button += data

    def all(self, tag: str) -> list[Attributes]:
        return [found for name, found in self.elements if name == tag]

    def find_faults(self) -> list[str]:
        """Return what would break the security policy, or hide something from people who use a screen reader."""
        return [*self._inline_faults(), *self._landmark_faults(), *self._label_faults(), *self._heading_faults()]

    def _inline_faults(self) -> list[str]:
        scripts = [f"script {found}" for found in self.all("script") if not _is_safe(found)]
        return scripts + [
            f"{tag} has {name}"
            for tag, found in self.elements
            for name in found
            if name == "style" or name.startswith("on")
        ]

    def _landmark_faults(self) -> list[str]:
        ids = Counter(found["id"] for _, found in self.elements if "id" in found)
        twice = [f"id {name} twice" for name, count in ids.items() if count > 1]
        counts = Counter(tag for tag, _ in self.elements)
        mains = [] if counts["main"] == counts["h1"] == 1 else ["one main and one h1"]
        skips = [] if any(found.get("href") == "#main" for found in self.all("a")) else ["no way past the header"]
        described = [
            f"nothing called {name}"
            for _, found in self.elements
            for key in ("aria-describedby", "aria-labelledby", "list", "for")
            for name in found.get(key, "").split()
            if name not in ids
        ]
        return [*twice, *mains, *skips, *described]

    def _label_faults(self) -> list[str]:
        nameless = [
            f"{tag} {found} without a label"
            for index, (tag, found) in enumerate(self.elements)
            if tag in FIELDS
            and found.get("type") != "hidden"
            and "aria-label" not in found
            and index not in self.wrapped
            and not self.texts.get(found.get("id", "?"), "").strip()
        ]
        images = [f"img {found} without alt" for found in self.all("img") if "alt" not in found]
        sizes = [f"img {found} without size" for found in self.all("img") if not {"width", "height"} <= set(found)]
        buttons = ["a button without a name"] * self.unnamed_buttons
        title = [] if self.texts.get("title", "").strip() else ["no title"]
        return [*nameless, *images, *sizes, *buttons, *title]

    def _heading_faults(self) -> list[str]:
        steps = zip([0, *self.headings], self.headings, strict=False)
        return [f"h{level} after h{before}" for before, level in steps if level > before + 1 and before]


def _is_safe(script: Attributes) -> bool:
    return script.get("type") == "application/json" or script.get("src", "").startswith("/static/")
