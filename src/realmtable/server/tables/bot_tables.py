"""Tables with bots: who a bot's thought is for, and when a table of bots alone is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.fair_queue import Owner
from realmtable.server.tables.table import Table

if TYPE_CHECKING:
    from realmtable.server.tables.live_table import LiveTable

FOR_PLAYER, FOR_SPECTATOR = range(2)  # how urgent a bot's thought is
WEIGHTS: Final = (1.0, 4.0)  # how much a second of each counts


def people_at(table: Table) -> list[str]:
    """The ids of the people who sit at a table."""
    return [sitter.player_id for sitter in table.seats if sitter is not None and sitter.bot is None]


def is_paused(live: LiveTable) -> bool:
    """Whether a game waits until somebody watches: only bots play, and nobody does."""
    return live.table.status == "running" and not live.streams and not people_at(live.table)


def owner_and_urgency(live: LiveTable, addresses: LatestAddresses) -> tuple[Owner, int]:
    """Who a bot's thought is for, and how urgent it is.

    It is for the player who was here last; at a table of bots alone it is for whoever watches it first, not for whoever
    opened it: strangers who watch must not use up another's share.
    """
    if people := people_at(live.table):
        return addresses.latest_owner(people), FOR_PLAYER
    if live.watchers:
        return live.watchers[0], FOR_SPECTATOR
    return addresses.owner_of(live.table.created_by), FOR_SPECTATOR
