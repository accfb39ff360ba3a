"""Analyses, hints and the analysis board over HTTP; never for somebody in the middle of a rated game of the kind."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from realmtable.engine import registry
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.accounts.sessions import ActingPlayer, AnyVisitor
from realmtable.server.api.models import AnalysisBody, Edit, EditedBody, Empty, HintBody, Think, ThoughtBody
from realmtable.server.api.shared import JSON, Here, Realm, asker_of
from realmtable.server.error_responses import RESPONSES
from realmtable.server.study import analysis_board, hints

router = APIRouter(prefix="/api", tags=["study"], responses=RESPONSES)


# ---- analyses of whole games


@router.get("/tables/{table_id}/analysis", response_model=AnalysisBody)
async def table_analysis(table_id: str, realm: Here) -> Response:
    """The analysis of a game that is over, or how far it is; anybody who may see the replay sees it."""
    return JSON(await realm.analysts.look(f"table:{(await realm.house.table(table_id)).id}"))


@router.post("/tables/{table_id}/analysis", response_model=AnalysisBody, status_code=202)
async def analyse_table(
    table_id: str,
    body: Empty,  # noqa: ARG001 - an empty body is asked for
    request: Request,
    realm: Here,
    me: ActingPlayer,
) -> Response:
    """Have a game that is over analysed. It is done once for everybody: asking again changes nothing."""
    table = await realm.house.table(table_id)
    return await _asked(realm, request, f"table:{table.id}", table.setup.game, me)


@router.get("/records/{record_id}/analysis", response_model=AnalysisBody)
async def record_analysis(record_id: str, realm: Here) -> Response:
    """The analysis of a kept record, or how far it is."""
    await realm.replay_book.kept_text(record_id)
    return JSON(await realm.analysts.look(f"record:{record_id}"))


@router.post("/records/{record_id}/analysis", response_model=AnalysisBody, status_code=202)
async def analyse_record(
    record_id: str,
    body: Empty,  # noqa: ARG001 - as above
    request: Request,
    realm: Here,
    me: ActingPlayer,
) -> Response:
    """Have a kept record analysed."""
    game = await realm.replay_book.kept_game(record_id)
    return await _asked(realm, request, f"record:{record_id}", game, me)


async def _asked(realm: Realm, request: Request, source: str, game: str, me: Player) -> Response:
    asker = asker_of(realm, request, me)
    await realm.fair_play.check_may_ask(me.id, asker.address, game)
    await realm.limits.check("analysis", me.id)
    await realm.fair_play.check_record(game, partial(realm.analysts.main_line, source, asker), asker)
    answer = JSON(await realm.analysts.ask(source, me.id, asker))
    answer.status_code = 202
    return answer


# ---- hints and the analysis board


@router.post("/tables/{table_id}/hints", response_model=HintBody)
async def hint(
    table_id: str,
    body: Empty,  # noqa: ARG001 - as above
    request: Request,
    realm: Here,
    me: ActingPlayer,
    *,
    pictures: bool = False,
) -> dict[str, Any]:
    """A good turn for you, who are to move at an unrated table, and why. Everybody at the table sees that you asked."""
    table = await realm.house.table(table_id)
    await realm.fair_play.check_is_free(me.id, _address(realm, request), table.setup.game)
    await realm.limits.check("hint", me.id)
    await realm.fair_play.check_table(table)
    owner = asker_of(realm, request, me).owner
    return await hints.hint(realm.house, realm.thinkers, table_id, owner, pictures=pictures)


@router.post("/think", response_model=ThoughtBody)
async def think(body: Think, request: Request, realm: Here, who: AnyVisitor) -> Response:
    """What the engine thinks of a position: the chances, and the best lines in notation. Nothing is stored."""
    me = who.player.id if who.player else None
    asker = asker_of(realm, request, who.player)
    await realm.fair_play.check_may_ask(me, asker.address, registry.info(body.game).id)
    await realm.limits.check("think", asker.key)
    await realm.fair_play.check_position(body.game, body.position)
    gone = request.is_disconnected
    return JSON(await analysis_board.thought_of(realm.thinkers, body.game, body.position, asker.owner, gone))


def _address(realm: Realm, request: Request) -> str:
    return client_address(request, trust_proxy=realm.settings.trust_proxy)


@router.post("/positions/edits", response_model=EditedBody)
async def edit(body: Edit, request: Request, realm: Here, who: AnyVisitor) -> Response:
    """Change a position that is being set up. Nothing is stored."""
    asker = asker_of(realm, request, who.player)
    await realm.limits.check("explore", asker.key)
    change = analysis_board.Change(body.clear, body.seat, body.handle, body.piece)
    question = (registry.info(body.game).id, body.position, change)
    return JSON(await realm.replay_pool.run(asker, 1, analysis_board.edited, *question))
