"""The API of people who meet at tables: statistics, muted players and reported messages."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import structlog
from pydantic import BaseModel, Field

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import ActingPlayer, AnyVisitor
from realmtable.server.accounts.ratings import RatingPoint
from realmtable.server.api.accounts import PlayerData, player_data
from realmtable.server.api.dependencies import Services, ServicesDep, make_router
from realmtable.server.api.models import MuteRequest, ReportRequest
from realmtable.server.errors import NotAllowed, NotFound
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.storage.moderation import ChatReport
from realmtable.server.study.player_statistics import Statistics, Streak, Tally
from realmtable.server.tables import actions
from realmtable.server.tables.scenes.scene import display_name
from realmtable.server.tables.table import ChatMessage, Table

LINES_BEFORE: Final = 10  # messages before a reported one that the operator sees
log = structlog.get_logger(__name__)

router = make_router("people")


class ResultCounts(BaseModel):
    """Numbers of finished games. Draws are shared first places."""

    played: int
    won: int
    drawn: int
    lost: int


class OpponentCounts(ResultCounts):
    """The results against an opponent; being ahead of them in the ranking is a win."""

    player: PlayerData


class StreakLengths(BaseModel):
    """The length of the current streak, and of the longest."""

    current: int
    longest: int


class StatisticsResponse(BaseModel):
    """A player's statistics. Others see only listed games in them; you see all of your own."""

    games: dict[str, ResultCounts] = Field(description="By game, most played first.")
    opponents: list[OpponentCounts] = Field(description="The most frequent opponents.")
    win_streak: StreakLengths
    puzzles_solved: int
    puzzle_streak: StreakLengths = Field(description="Days in a row with a solved puzzle of the day.")
    ratings: dict[str, list[RatingPoint]] = Field(
        description="By game, the time, rating and error bar after each of the latest rated games, oldest first."
    )
    limited: bool = Field(description="Whether only the latest 1,000 games are counted.")


class MutedList(BaseModel):
    """The players you have muted, latest first."""

    muted: list[PlayerData]


class ReportReceipt(BaseModel):
    """Confirms a report."""

    reported: bool


# ---- statistics


@router.get("/players/{player_id}/statistics")
@declare_bounds(10)
async def player_statistics(player_id: str, services: ServicesDep, visitor: AnyVisitor) -> StatisticsResponse:
    """Return a player's results by game and opponent, streaks, solved puzzles and the history of their ratings."""
    _, found = await load_profile(services, visitor.player, player_id)
    players = await services.accounts.players(found.opponents)
    return StatisticsResponse(
        games={game: ResultCounts(**_counts(tally)) for game, tally in found.games.items()},
        opponents=[
            OpponentCounts(**_counts(tally), player=player_data(players[other]))
            for other, tally in found.opponents.items()
            if other in players
        ],
        win_streak=_streak(found.win_streak),
        puzzles_solved=found.puzzles_solved,
        puzzle_streak=_streak(found.puzzle_streak),
        ratings={game: list(points) for game, points in found.histories.items()},
        limited=found.is_limited,
    )


async def load_profile(services: Services, viewer: Player | None, id_or_name: str) -> tuple[Player, Statistics]:
    """Return a player and the statistics that a viewer may see of them."""
    player = await services.accounts.find_player(id_or_name)
    if player is None:
        raise NotFound("There is no player with that name or id.")
    own = viewer is not None and viewer.id == player.id
    return player, await services.player_statistics.load(player, services.table_service.now(), own=own)


def _counts(tally: Tally) -> dict[str, int]:
    return {"played": tally.played, "won": tally.won, "drawn": tally.drawn, "lost": tally.losses}


def _streak(streak: Streak) -> StreakLengths:
    return StreakLengths(**streak._asdict())


# ---- muted players


@router.get("/me/mutes")
@declare_bounds(2)
async def list_muted(services: ServicesDep, visitor: AnyVisitor) -> MutedList:
    """List the players you have muted."""
    return await _muted_list(services, visitor.player)


@router.post("/me/mutes")
@declare_bounds(5)
async def mute(body: MuteRequest, services: ServicesDep, me: ActingPlayer) -> MutedList:
    """Mute a player: pages no longer show you their chat messages. They are not notified."""
    await services.limits.check("mute", me.id)
    other = await services.accounts.player(body.player)
    if other is None:
        raise NotFound("There is no player with that id.")
    if other.id == me.id:
        raise NotAllowed("You cannot mute yourself.")
    await services.mutes.mute(me.id, other.id, services.table_service.now())
    return await _muted_list(services, me)


@router.delete("/me/mutes/{player_id}")
@declare_bounds(5)
async def unmute(player_id: str, services: ServicesDep, visitor: AnyVisitor) -> MutedList:
    """Unmute a player."""
    if visitor.player is not None:
        await services.mutes.unmute(visitor.player.id, player_id[:32])
    return await _muted_list(services, visitor.player)


async def _muted_list(services: Services, player: Player | None) -> MutedList:
    return MutedList(muted=[player_data(muted) for muted in await load_muted(services, player)])


async def load_muted(services: Services, player: Player | None) -> list[Player]:
    """Return the players whom a player has muted, latest first."""
    ids = [] if player is None else await services.mutes.list_muted(player.id)
    players = await services.accounts.players(ids)
    return [players[muted_id] for muted_id in ids if muted_id in players]


# ---- reports


@router.post("/tables/{table_id}/reports", status_code=HTTPStatus.CREATED)
@declare_bounds(10, stores=True)
async def report_message(table_id: str, body: ReportRequest, services: ServicesDep, me: ActingPlayer) -> ReportReceipt:
    """Report a chat message to the operator, who sees it with the messages before it. A second report changes nothing.

    The sender is not notified.
    """
    await services.limits.check("report", me.id)
    table = await services.table_service.table(table_id)
    index = _find_message(table, me, body.version)
    message = table.chat[index]
    if message.player_id == me.id:
        raise NotAllowed("You cannot report your own message.")
    lines = table.chat[max(0, index - LINES_BEFORE) : index + 1]
    report = await _make_report(services, table, message, lines, me)
    if await services.reports.add(report):
        log.info("message_reported", report=report.id, table=table.id)
    return ReportReceipt(reported=True)


def _find_message(table: Table, viewer: Player, version: int) -> int:
    """Return the index of the message with this version, as the viewer counts versions."""
    seats = table.seats_of(viewer.id)
    numbering = table.numbering(seats)
    if actions.may_chat(table, seats):
        for index, message in enumerate(table.chat):
            if numbering.visible_version(message.version) == version:
                return index
    raise NotFound("There is no such message.")


async def _make_report(
    services: Services, table: Table, message: ChatMessage, lines: tuple[ChatMessage, ...], reporter: Player
) -> ChatReport:
    players = await services.accounts.players({line.player_id for line in lines})
    names = {player_id: display_name(player) for player_id, player in players.items()}
    return ChatReport(
        table_id=table.id,
        version=message.version,
        game=table.setup.game,
        reporter_id=reporter.id,
        reporter_name=reporter.name,
        reported_id=message.player_id,
        reported_name=names.get(message.player_id, "Unknown"),
        text=message.text,
        lines=[
            {"name": names.get(each.player_id, "Unknown"), "player": each.player_id, "text": each.text, "at": each.at}
            for each in lines
        ],
        at=services.table_service.now(),
    )
