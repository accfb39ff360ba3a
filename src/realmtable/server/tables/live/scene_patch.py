"""Patches between two scenes of one stream, so that a picture of which a move changes little is not sent whole.

A patch is made from the texts of two scenes alone, both of which the viewer may see. The texts are split at each "<",
so that an element of a picture is one piece.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import orjson

SEPARATOR: Final = "<"
CHUNK: Final = 32  # pieces
MAX_SHARE: Final = 0.5  # of the scene; a larger patch is not worth applying

Part = str | tuple[int, int]  # new text, or the first piece to copy and how many


@lru_cache(maxsize=64)  # shared by all viewers who see the same
def make_patch(before: bytes, after: bytes) -> bytes | None:
    """Return the patch that turns the JSON of a scene into that of a later one, or None if it would be large."""
    old, new = before.decode().split(SEPARATOR), after.decode().split(SEPARATOR)
    patch = orjson.dumps({"parts": _find_parts(old, new)})
    return patch if len(patch) <= MAX_SHARE * len(after) else None


def apply_patch(before: bytes, patch: bytes) -> bytes:
    """Return the scene after a patch, as clients do."""
    old = before.decode().split(SEPARATOR)
    texts = [
        part if isinstance(part, str) else SEPARATOR.join(old[part[0] : part[0] + part[1]])
        for part in orjson.loads(patch)["parts"]
    ]
    return SEPARATOR.join(texts).encode()


def _find_parts(old: list[str], new: list[str]) -> list[Part]:
    """Return the new pieces as runs that are copied from the old ones, and texts that are not among them."""
    places = dict(zip(reversed(old), range(len(old) - 1, -1, -1), strict=True))  # the first place of each piece
    parts: list[Part] = []
    literal: list[str] = []
    at = following = 0  # the next new piece, and the old one that probably equals it
    while at < len(new):
        start = following if following < len(old) and old[following] == new[at] else places.get(new[at], -1)
        if start < 0:
            literal.append(new[at])
            at, following = at + 1, following + 1
            continue
        if literal:
            parts.append(SEPARATOR.join(literal))
            literal = []
        length = _common_length(old, start, new, at)
        parts.append((start, length))
        at, following = at + length, start + length
    if literal:
        parts.append(SEPARATOR.join(literal))
    return parts


def _common_length(old: list[str], start: int, new: list[str], at: int) -> int:
    """Return how many pieces are equal from these places on."""
    length, longest = 0, min(len(old) - start, len(new) - at)
    while old[start + length : start + length + CHUNK] == new[at + length : at + length + CHUNK] and length < longest:
        length += CHUNK  # comparing slices takes a fraction of comparing each piece
    length = min(length, longest)
    while length < longest and old[start + length] == new[at + length]:
        length += 1
    return length
