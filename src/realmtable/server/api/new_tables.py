"""The API that opens tables: new games and rematches."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from realmtable.engine import registry
from realmtable.search.bot_levels import levels, make_bot, make_bot_for
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import ActingPlayer
from realmtable.server.accounts.ratings import check_may_play_rated
from realmtable.server.api.dependencies import ActingRequesterDep, Services, ServicesDep, make_router
from realmtable.server.api.models import NewTableRequest, OpenedTable, RematchRequest
from realmtable.server.errors import BadSetup, NotAllowed, NotRunning, NotSeated
from realmtable.server.fair_queue import Requester
from realmtable.server.request_bounds import LARGEST_BODY, declare_bounds
from realmtable.server.settings import Settings
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.events.timeout import TIMEOUT_RULES
from realmtable.server.tables.rating_conditions import check_rated_setup, unrate_if_necessary
from realmtable.server.tables.rematches import choose_level, rematch_seats
from realmtable.server.tables.replays.replay_tasks import estimate_steps
from realmtable.server.tables.setup import RulesRequest, Setup, resolve_rules
from realmtable.server.tables.table import Occupant, Table, replace

router = make_router("tables", "/api/tables")


@router.post("", status_code=201)
@declare_bounds(20, body=LARGEST_BODY, runs_in="worker", stores=True)
async def open_table(
    body: NewTableRequest, services: ServicesDep, me: ActingPlayer, requester: ActingRequesterDep
) -> OpenedTable:
    """Open a table. The game starts at once if no seat is open; otherwise send `invite` to a friend."""
    await _charge_new_table(services, me)
    setup = await _make_setup(services, body, requester)
    if setup.rated:
        check_rated_setup(setup)
        await check_may_play_rated(services.database, services.settings, me, services.table_service.now())
    if setup.start is not None:  # a bot playing from there would be as good as the engine
        await services.engine_help_rules.check_position(setup.game, setup.start)
    occupants = [await make_occupant(services, assignment, me) for assignment in body.seats]
    table = await services.table_service.open_table(setup, me, occupants)
    return _describe_opened_table(services, table)


async def _charge_new_table(services: Services, me: Player) -> None:
    await services.limits.check("table", me.id)
    await services.quotas.check_tables(me)


async def _make_setup(services: Services, body: NewTableRequest, requester: Requester) -> Setup:
    info = registry.info(body.game)
    if len(body.seats) not in info.seats:
        raise BadSetup(f"{info.title} is for {info.players}, not {len(body.seats)}.")
    if body.rated and ("me" not in body.seats or body.seats.count("me") > 1):
        raise BadSetup("In a rated game you must take exactly one seat.")
    if body.timeout is not None and (len(body.seats) <= actions.TWO_PLAYERS or body.clock.kind == "none"):
        raise BadSetup("Only a game of three or more players with a clock can have a timeout rule; leave it out.")
    too_strong = {f"bot:{level.name}" for level in levels()[info.bot_levels :]}
    if not too_strong.isdisjoint(body.seats):
        raise BadSetup(f"The strongest bot of {info.title} is level{info.bot_levels}.")
    for assignment in body.seats:
        if assignment.startswith("bot:"):
            make_bot_for(registry.game(body.game), assignment.removeprefix("bot:"))  # raises if it cannot play the game
    rules = RulesRequest(body.game, body.preset, body.options, body.position, body.record, body.after)
    if body.record is not None:
        cost = estimate_steps(body.record)
        options, start = await services.replay_pool.run_long(requester, cost, resolve_rules, rules, len(body.seats))
    elif body.position is not None:
        options, start = await services.replay_pool.run(requester, 1, resolve_rules, rules, len(body.seats))
    else:
        options, start = resolve_rules(rules, len(body.seats))
    setup = Setup(
        game=body.game,
        seats=len(body.seats),
        options=options,
        preset=body.preset,
        start=start,
        clock=body.clock.to_rule(),
        rated=body.rated,
        listed=body.listed,
        chat=body.chat,
        sides="shared" if body.seats.count("me") > 1 else "",
        timeout=body.timeout or TIMEOUT_RULES[0],
    )
    return _with_waits(setup, services.settings)


def _with_waits(setup: Setup, settings: Settings) -> Setup:
    """Return the set-up with how long the game waits for players who do not begin, or are away."""
    first_step_s, absence_s = setup.clock.first_step_s(), setup.clock.absence_s(settings.absence_s)
    return dataclasses.replace(setup, first_step_s=first_step_s, absence_s=absence_s)


async def make_occupant(services: Services, assignment: str, me: Player) -> Occupant | None:
    """Return the occupant of a seat assigned to "me" or to a bot ("bot:level1"); None if it stays "open"."""
    if assignment == "open":
        return None
    if assignment == "me":
        return Occupant(me.id)
    name = assignment.removeprefix("bot:")
    make_bot(name)  # raises if there is no such bot
    return Occupant((await services.accounts.bot_player(name)).id, name)


def _describe_opened_table(services: Services, table: Table) -> OpenedTable:
    url = f"/tables/{table.id}"
    return OpenedTable(table=table.id, url=url, invite=services.settings.public_url.rstrip("/") + url)


@router.post("/{table_id}/rematch", status_code=201)
@declare_bounds(10, stores=True)
async def rematch(table_id: str, body: RematchRequest, services: ServicesDep, me: ActingPlayer) -> OpenedTable:
    """Play again. The first request opens a new table; later ones join it.

    In a game of two, the loser takes the first seat. Against other bots, every request opens a new table.
    The rematch of a rated game is unrated if its set-up may no longer be rated.
    """
    table = await services.table_service.table(table_id)
    mine = table.seats_of(me.id)
    if not mine:
        raise NotSeated("Only players of this game can ask for a rematch.")
    if table.result is None:
        raise NotRunning("You can ask for a rematch when the game is over.")
    next_seats = rematch_seats(table.result.ranking)
    setup = _with_waits(unrate_if_necessary(table.setup), services.settings)
    if setup.rated:
        await check_may_play_rated(services.database, services.settings, me, services.table_service.now())
    if body.bots != "same":
        return await _rematch_with_other_bots(services, replace(table, setup=setup), me, next_seats, body.bots)
    if table.rematch is None:
        await _charge_new_table(services, me)
        reseated = [table.seats[next_seats.index(seat)] for seat in range(len(next_seats))]
        occupants = [each if each and (each.bot or each.player_id == me.id) else None for each in reseated]
        new_table = await services.table_service.open_table(setup, me, occupants)
        table = await services.table_service.act(
            table_id, lambda now: [] if now.rematch else [EventDraft("rematch", None, me.id, {"table": new_table.id})]
        )
    assert table.rematch is not None  # noqa: S101 - set by this request or a faster one
    exhausted = await services.table_service.exhausted_pairs(setup, table.seats)

    def join(now: Table) -> list[EventDraft]:
        if now.seats_of(me.id) or now.started:
            return []
        return actions.sit(now, Occupant(me.id), next_seats[mine[0]], exhausted)

    joined = await services.table_service.act(table.rematch, join, me.id)
    return _describe_opened_table(services, joined)


async def _rematch_with_other_bots(
    services: Services, table: Table, me: Player, next_seats: Sequence[int], wish: str
) -> OpenedTable:
    """Open a table like this one with easier or stronger bots, or with bots of a level."""
    info = registry.info(table.setup.game)
    occupants: list[Occupant | None] = []
    for seat in range(len(next_seats)):
        sitter = table.seats[next_seats.index(seat)]
        if sitter is not None and sitter.player_id == me.id:
            occupants.append(sitter)
            continue
        level = None if sitter is None or sitter.bot is None else choose_level(sitter.bot, wish, info)
        if level is None:
            raise NotAllowed(
                "You can change the level only if every opponent is a bot and the game has bots of that level."
            )
        occupants.append(await make_occupant(services, f"bot:{level}", me))
    await _charge_new_table(services, me)
    return _describe_opened_table(services, await services.table_service.open_table(table.setup, me, occupants))
