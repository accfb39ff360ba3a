"""What players do at a table, whether by a message of their page or a request of their program.

Each function checks the player's limits, acts, and returns the new version as the player counts it.
"""

from __future__ import annotations

from collections.abc import Callable

from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.ratings import check_may_play_rated
from realmtable.server.api.dependencies import Services
from realmtable.server.api.models import (
    ActionRequest,
    ChatRequest,
    ClaimRequest,
    MoveRequest,
    OfferAnswerRequest,
    OfferRequest,
    SeatRequest,
    UndoRequest,
)
from realmtable.server.errors import add_table_context
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.table import Occupant, Table, visible_version

Decision = Callable[[Table], list[EventDraft]]


async def play(services: Services, table_id: str, me: Player, request: MoveRequest) -> int:
    """Play a step, or several up to the end of the player's turn."""
    await services.limits.check("move", me.id)

    def decide(table: Table) -> list[EventDraft]:
        seats = table.seats_of(me.id)
        _check_version(table, seats, request.version)
        return actions.play(table, actions.playing_seat(table, seats), request.move)

    return await _act(services, table_id, me, decide, request.key, request.version)


async def undo(services: Services, table_id: str, me: Player, request: UndoRequest) -> int:
    """Take back the latest step of the player's current turn."""
    await services.limits.check("move", me.id)

    def decide(table: Table) -> list[EventDraft]:
        seats = table.seats_of(me.id)
        _check_version(table, seats, request.version)
        return actions.undo(table, seats)

    return await _act(services, table_id, me, decide, request.key, request.version)


async def offer(services: Services, table_id: str, me: Player, request: OfferRequest) -> int:
    """Offer a draw, or ask to take back the player's last turn."""
    await services.limits.check("move", me.id)
    return await _act(
        services, table_id, me, lambda table: actions.offer(table, table.seats_of(me.id), request.what), request.key
    )


async def answer_offer(services: Services, table_id: str, me: Player, request: OfferAnswerRequest) -> int:
    """Accept or decline another player's offer, or withdraw the player's own."""
    await services.limits.check("move", me.id)

    def decide(table: Table) -> list[EventDraft]:
        return actions.answer_offer(table, table.seats_of(me.id), accept=request.accept, what=request.what)

    return await _act(services, table_id, me, decide, request.key)


async def resign(services: Services, table_id: str, me: Player, request: ActionRequest) -> int:
    """Resign. In an unrated game of three or more with other people, a bot takes over the seat."""
    await services.limits.check("move", me.id)
    bot = await services.table_service.takeover_bot()
    return await _act(
        services, table_id, me, lambda table: actions.resign(table, table.seats_of(me.id), bot), request.key
    )


async def abort(services: Services, table_id: str, me: Player, request: ActionRequest) -> int:
    """Abort a game in which the player has not made a step yet."""
    await services.limits.check("move", me.id)
    return await _act(services, table_id, me, lambda table: actions.abort(table, table.seats_of(me.id)), request.key)


async def claim(services: Services, table_id: str, me: Player, request: ClaimRequest) -> int:
    """Claim a win or a draw against an opponent who is away."""
    await services.limits.check("move", me.id)
    tables = services.table_service

    def decide(table: Table) -> list[EventDraft]:
        live = tables.live.get(table_id)
        away_since = None if live is None else tables.presence.away_since(live)
        return actions.claim(table, table.seats_of(me.id), request.what, away_since, tables.now())

    return await _act(services, table_id, me, decide, request.key)


async def chat(services: Services, table_id: str, me: Player, request: ChatRequest) -> int:
    """Send a chat message to the table."""
    await services.limits.check("chat", me.id)

    def decide(table: Table) -> list[EventDraft]:
        return actions.chat(table, me.id, table.seats_of(me.id), request.text)

    return await _act(services, table_id, me, decide, request.key)


async def sit(services: Services, table_id: str, me: Player, request: SeatRequest) -> int:
    """Take a seat; the game starts when all are taken."""
    await services.limits.check("move", me.id)
    found, sitter = await services.table_service.table(table_id), Occupant(me.id)
    if found.setup.rated:
        await check_may_play_rated(services.database, services.settings, me, services.table_service.now())
    exhausted = await services.table_service.exhausted_pairs(found.setup, [*found.seats, sitter])

    def decide(table: Table) -> list[EventDraft]:
        is_seated = bool(table.seats_of(me.id))
        return [] if is_seated else actions.sit(table, sitter, request.seat, exhausted)

    return await _act(services, table_id, me, decide)


async def stand_up(services: Services, table_id: str, me: Player) -> int:
    """Leave the player's seat before the game has started."""
    await services.limits.check("move", me.id)
    return await _act(services, table_id, me, lambda table: actions.leave(table, table.seats_of(me.id)))


async def find_seen_table(services: Services, table_id: str, player: Player | None, seen: int) -> LiveTable:
    """Return a table; if the player has seen a later version, in another process, wait for it or read its log."""
    live = await services.table_service.find(table_id)
    if seen > version_for(live.table, player):
        await services.table_service.wait_for_change(live)
        live = await services.table_service.find(table_id)
        if seen > version_for(live.table, player):
            live.is_stale = True
            live = await services.table_service.find(table_id)
    return live


def version_for(table: Table, player: Player | None) -> int:
    """Return the version of a table as a player counts it."""
    return visible_version(table, table.seats_of(player.id if player else None))


def _check_version(table: Table, seats: tuple[int, ...], version: int) -> None:
    """Refuse an action chosen in an older position; `version` is numbered as the player sees it."""
    if not seats or table.status != "running":
        return
    acting = next((seat for seat in seats if seat in table.acting), seats[0])
    actions.check_version(table, acting, table.numbering(seats).latest_actual_version(version))


async def _act(
    services: Services, table_id: str, me: Player, decide: Decision, key: str | None = None, seen: int = 0
) -> int:
    """Act at a table, once for each key. A refusal says which table and version it is about."""
    live = await find_seen_table(services, table_id, me, seen)
    try:
        return version_for(await services.table_service.act(table_id, decide, me.id, key), me)
    except RealmtableError as refusal:
        table = services.table_service.live.get(table_id, live).table
        raise add_table_context(refusal, table.setup.game, version_for(table, me)) from None
