"""Pictures of games: their parts, and a picture together with its layers as one SVG document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Final, Self

from realmtable.engine.protocol import AnyGame, HasLayers, PictureLayer, View

_HANDLE: Final = re.compile(r' data-handle="([^"]*)"')
_ROOT: Final = re.compile(r"<svg\b[^>]*>")
_STYLE: Final = re.compile(r"<style>[^<]*</style>")
_ORIGIN: Final = re.compile(r'\bviewBox="([^\s"]+)\s+([^\s"]+)')


class Picture(str):
    """An SVG document in parts: texts by key which, joined in order, are the document.

    A page that shows a picture receives of the next one only the parts that differ.
    """

    __slots__ = ("parts",)
    parts: Mapping[str, str]

    @classmethod
    def from_parts(cls, parts: Mapping[str, str]) -> Self:
        picture = cls("".join(parts.values()))
        picture.parts = parts
        return picture


def parts_of(picture: str) -> Mapping[str, str]:
    """Return the parts of a picture; one that is a plain text has one part."""
    return picture.parts if isinstance(picture, Picture) else {"svg": picture}


def find_handles(parts: Mapping[str, str]) -> set[str]:
    """Return the handles in the parts of a picture."""
    return {unescape(handle) for part in parts.values() for handle in _HANDLE.findall(part)}


def layers_of(game: AnyGame, view: View, theme: str = "auto") -> list[PictureLayer]:
    """Return the layers under a game's picture; empty if the game has none."""
    return list(game.layers(view, theme)) if isinstance(game, HasLayers) else []


def draw_whole(game: AnyGame, view: View, theme: str = "auto") -> str:
    """Return a view as one SVG document that includes its layers."""
    return insert_layers(game.draw(view, theme), [layer.svg for layer in layers_of(game, view, theme)])


def insert_layers(picture: str, layers: Sequence[str]) -> str:
    """Return an SVG document with others under its content; all have the same view box.

    Styles that the document has itself are left out of the others.
    """
    root = _ROOT.search(picture)
    if not layers or root is None:
        return picture
    origin = _ORIGIN.search(root[0])
    # A nested document fills the view box but starts at 0, 0.
    start = f'<g transform="translate({origin[1]} {origin[2]})">' if origin else "<g>"
    inside = "".join(leave_out_styles(layer[layer.index("<svg") :], picture) for layer in layers)
    return f"{picture[: root.end()]}{start}{inside}</g>{picture[root.end() :]}"


def leave_out_styles(picture: str, shown: str) -> str:
    """Return an SVG document without the styles of another one that is shown on the same page.

    >>> leave_out_styles("<svg><style>a{}</style><style>b{}</style><a/></svg>", "<svg><style>a{}</style></svg>")
    '<svg><style>b{}</style><a/></svg>'
    """
    styles = set(_STYLE.findall(shown))
    return _STYLE.sub(lambda found: "" if found[0] in styles else found[0], picture)
