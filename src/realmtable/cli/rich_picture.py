"""Prints a game's sketch and tables with Rich; this is the only module that maps style words to colours.

Board spaces set both foreground and background, so they look the same on dark and light terminals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Final

from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from realmtable.engine.protocol import Span

Lines = Sequence[Sequence[Span]]

STYLES: Final = {
    "plain": Style(),
    "title": Style(bold=True),
    "label": Style(dim=True),
    "faint": Style(dim=True),
    "active": Style(bold=True, reverse=True),
    "line": Style(color="#8a7a5c", bgcolor="#e9dfc9"),
    "light": Style(color="#b3a482", bgcolor="#f4ecda"),
    "dark": Style(color="#a89873", bgcolor="#e9dfc9"),
    "held0": Style(color="#a67a2e", bgcolor="#f3d9a4"),
    "held1": Style(color="#3f7f8c", bgcolor="#b5d6da"),
    "center": Style(bold=True),
    "seat0": Style(color="#7a4300", bold=True),
    "seat1": Style(color="#101c2c", bold=True),
    "last": Style(color="#a3271b", bold=True),
}


def render_sketch(sketch: Lines) -> Text:
    """Convert the sketch to Rich text.

    Raises:
        KeyError: if a style word is not in `realmtable.kit.terminal_picture.STYLE_WORDS`.
    """
    picture = Text(no_wrap=True, overflow="crop")
    for index, line in enumerate(sketch):
        picture.append("\n" if index else "")
        for style, spans in groupby(line, itemgetter(1)):  # Rich is slow per span
            picture.append(_join(spans), combine_styles(style))
    return picture


def print_sketch(sketch: Lines, console: Console | None = None) -> None:
    """Print the sketch; narrow terminals crop the lines, because a wrapped board is unreadable."""
    console = console or Console()
    # Without colours Rich drops all styles, but only after it has combined them.
    plain = not console.color_system
    picture = Text("\n".join(_join(line) for line in sketch)) if plain else render_sketch(sketch)
    # Console.print ignores the text's own wrapping settings, so they are repeated here.
    console.print(picture, no_wrap=True, overflow="crop", highlight=False)


def plain_table() -> Table:
    """Return a table without lines, to which columns are added."""
    return Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))


def _join(spans: Iterable[Span]) -> str:
    return "".join(text for text, _ in spans)


@cache
def combine_styles(words: str) -> Style:
    """Combine the style words of a span into one Rich style."""
    return Style.combine(STYLES[word] for word in words.split())
