"""How much a socket sends of the pictures of a game."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import orjson

from realmtable.engine.pictures import parts_of
from realmtable.server.socket_protocol import COMPRESSION
from realmtable.server.tables.scenes.changes import NOTHING, find_change


def count_sent_bytes(pictures: Iterable[str]) -> list[int]:
    """Return for each picture the bytes that are sent of it, compressed as a socket does; 0 if nothing has changed."""
    assert COMPRESSION.server_max_window_bits is not None
    packer = zlib.compressobj(wbits=-COMPRESSION.server_max_window_bits, **(COMPRESSION.compress_settings or {}))
    sizes, placed = [], NOTHING
    for picture in pictures:
        placed, change = find_change(placed, {"picture": parts_of(picture)})
        sent = packer.compress(orjson.dumps(change)) + packer.flush(zlib.Z_SYNC_FLUSH) if change else b""
        sizes.append(len(sent))
    return sizes
