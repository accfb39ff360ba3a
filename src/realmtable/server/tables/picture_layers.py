"""The parts of pictures that rarely change. A browser loads each of them once and caches it by its content.

A scene names its layers, and the browser fetches those that it lacks. A moment contains the layers themselves, except
those that the client says it knows.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Collection
from typing import Any, Final

from realmtable.engine.pictures import layers_of
from realmtable.engine.protocol import AnyGame, PictureLayer, View
from realmtable.server.settings import MIB
from realmtable.server.sized_cache import SizedCache

KEY_LENGTH: Final = 32  # hexadecimal digits
MAX_STORED_CHARACTERS: Final = 32 * MIB
MAX_RECENT: Final = 32  # keys per viewer and table


def layer_key(layer: PictureLayer) -> str:
    """Return a digest of a layer's name and content."""
    return hashlib.sha256(f"{layer.name}\0{layer.svg}".encode()).hexdigest()[:KEY_LENGTH]


# The layers of all tables by key; viewers who see the same share one.
STORE: Final[SizedCache[str, str]] = SizedCache(MAX_STORED_CHARACTERS, len)


def store_layers(game: AnyGame, view: View) -> list[dict[str, str]]:
    """Store the layers of a view; return their names and keys for a scene."""
    named = []
    for layer in layers_of(game, view):
        key = layer_key(layer)
        STORE.put(key, layer.svg)
        named.append({"name": layer.name, "key": key})
    return named


def list_layers(game: AnyGame, view: View, known: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the layers of a view for a moment; `svg` is None for those that the client knows."""
    keyed = [(layer_key(layer), layer) for layer in layers_of(game, view)]
    return [{"name": layer.name, "key": key, "svg": None if key in known else layer.svg} for key, layer in keyed]


def note_recent(recent: OrderedDict[str, None], keys: Collection[str]) -> None:
    """Add keys to those that a viewer was sent; the oldest ones are forgotten."""
    for key in keys:
        recent[key] = None
        recent.move_to_end(key)
    while len(recent) > MAX_RECENT:
        recent.popitem(last=False)
