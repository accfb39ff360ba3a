"""Tables with bots: who is charged for a bot's thinking, and when a table of bots alone is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from realmtable.engine.protocol import Seat
from realmtable.server.accounts.addresses import LatestAddresses
from realmtable.server.fair_queue import Requester
from realmtable.server.tables.table import Table

if TYPE_CHECKING:
    from realmtable.server.tables.live.live_table import LiveTable

FOR_PLAYER, FOR_SPECTATOR = range(2)  # urgency of a bot's thinking
WEIGHTS: Final = (1.0, 4.0)  # the turns that a job counts for at each urgency


def people_at(table: Table) -> list[str]:
    """Return the ids of the people at a table."""
    return [sitter.player_id for sitter in table.seats if sitter is not None and sitter.bot is None]


def seats_of_people(table: Table) -> list[Seat]:
    """Return the seats that people have."""
    return [seat for seat, sitter in enumerate(table.seats) if sitter is not None and sitter.bot is None]


def is_bot(table: Table, seat: Seat) -> bool:
    """Whether a bot has this seat."""
    sitter = table.seats[seat]
    return sitter is not None and sitter.bot is not None


def is_paused(live: LiveTable) -> bool:
    """Whether a game is paused: only bots play, and there are no spectators."""
    return live.table.status == "running" and not live.viewers and not people_at(live.table)


def requester_and_urgency(live: LiveTable, addresses: LatestAddresses) -> tuple[Requester, int]:
    """Return who is charged for a bot's thinking, and how urgent it is.

    This is the player who was active last. At a table of bots alone it is the spectator who has watched longest, not
    the player who opened it: strangers must not use up another player's share.
    """
    if people := people_at(live.table):
        return addresses.latest_requester(people), FOR_PLAYER
    watching = [viewer.requester for viewer in live.viewers if viewer.requester is not None]
    if watching:
        return watching[0], FOR_SPECTATOR
    return addresses.requester_of(live.table.created_by), FOR_SPECTATOR
