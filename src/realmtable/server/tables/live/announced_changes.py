"""Changes of tables as the fan-out announces them: the new version and, if they are short, the events themselves.

A process that receives the events need not read them from the database.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import orjson

from realmtable.server.storage.table_store import Event

MAX_LENGTH: Final = 16_384  # of the events in an announcement; longer ones are read from the database


def announce_events(events: Sequence[Event]) -> str:
    """Return the message that announces events which were stored."""
    version = str(events[-1].version)
    try:
        data = orjson.dumps(
            [
                (event.version, event.kind, event.seat, event.player_id, event.data, event.at, event.key)
                for event in events
            ]
        )
    except TypeError:  # a number that is too large for it
        return version
    return f"{version} {data.decode()}" if len(data) <= MAX_LENGTH else version


def announced_version(message: str) -> int:
    """Return the version that a message announces."""
    return int(message.partition(" ")[0])


def has_events(message: str) -> bool:
    """Whether a message contains the events of the change."""
    return " " in message


def read_events(table_id: str, messages: Sequence[str], after: int) -> list[Event]:
    """Return the events in these messages after a version, each once and in order."""
    found = {
        version: Event(table_id, version, kind, seat, player_id, data, at, key)
        for message in messages
        for version, kind, seat, player_id, data, at, key in orjson.loads(message.partition(" ")[2])
        if version > after
    }
    return [found[version] for version in sorted(found)]
