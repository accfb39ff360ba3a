"""Check the built documentation: `python -m tests.docs.check_site build/docs`.

Every link and anchor must exist, every page must be reachable from the first one, and nothing may be loaded from
another host.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser loads by itself; all other links are followed only when a person clicks them.
LOADED = {("link", "href"), ("object", "data"), ("a", "ping")}
LOADED_BY_CSS = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s]+)""")
ELSEWHERE = re.compile(r"(?:https?:)?//")


class Page(HTMLParser):
    """The ids and links of a page, and the addresses that it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what one element refers to."""
        for name, value in attrs:
            if not value:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.ids.add(value)
            elif name in {"src", "srcset", "poster"} or (tag, name) in LOADED:
                self.loaded.add(value)
            elif name in {"href", "action"} and not value.startswith("data:"):
                self.links.add(value)
            elif name == "content" and "url=" in value:
                self.links.add(value.partition("url=")[2])


def find_faults(root: Path) -> Iterator[str]:
    """Yield a sentence for each fault of a site."""
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    reached = {root / "index.html"}
    to_visit = list(reached)
    while to_visit:
        path = to_visit.pop()
        for link in sorted(pages[path].links | pages[path].loaded):
            if urlsplit(link).scheme in {"http", "https", "mailto"}:
                continue
            found, anchor = resolve(path, link)
            if not found.is_file():
                yield f"{path}: {link} leads nowhere"
            elif found in pages and anchor and anchor not in pages[found].ids:
                yield f"{path}: {link} names no place of that page"
            elif found in pages and found not in reached:
                reached.add(found)
                to_visit.append(found)
    for path in sorted(pages.keys() - reached):
        yield f"{path}: no page leads here"
    loaded = {path: page.loaded for path, page in pages.items()}
    loaded |= {path: set(LOADED_BY_CSS.findall(path.read_text(encoding="utf-8"))) for path in root.rglob("*.css")}
    for path, addresses in loaded.items():
        for address in sorted(filter(ELSEWHERE.match, addresses)):
            yield f"{path}: loads {address} from another host"


def resolve(page: Path, link: str) -> tuple[Path, str]:
    """Return the file that a link of a page leads to, and the place in it."""
    parts = urlsplit(link)
    return (page.parent / unquote(parts.path)).resolve() if parts.path else page, unquote(parts.fragment)


def main() -> None:
    """Print the faults of the site in the folder that the command names; fail if there are any."""
    faults = list(find_faults(Path(sys.argv[1]).resolve()))
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
