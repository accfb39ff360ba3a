"""The socket of a table's page: the page sends what its player does, and receives every change of their scene.

The sender is identified when the socket opens. Each message has a `key`, with which it is answered: `accepted` comes
together with the change that it made, `refused` with the reason.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_hex
from typing import Any, Final

import orjson
import structlog
from pydantic import ValidationError
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import is_admitted, visitor
from realmtable.server.api import player_actions
from realmtable.server.api.dependencies import Services, requester_of
from realmtable.server.api.models import (
    ActionRequest,
    ChatRequest,
    ClaimRequest,
    MoveRequest,
    OfferAnswerRequest,
    OfferRequest,
    UndoRequest,
)
from realmtable.server.error_responses import Problem, internal_problem, to_problem, validation_problem
from realmtable.server.errors import BadCredentials
from realmtable.server.fair_queue import Requester
from realmtable.server.request_bounds import charge_message, charge_weight, parse_json
from realmtable.server.request_checks import RequestChecks
from realmtable.server.tables.live.table_feed import TableFeed
from realmtable.server.task_cancellation import cancel_tasks

PATH: Final = "/api/tables/{table_id}/socket"
OPENING_WEIGHT: Final = 10  # as in `declare_bounds`
MESSAGE_WEIGHT: Final = 5
ALIVE_EVERY_S: Final = 20.0  # so that a page notices when the connection is gone
REOPEN: Final = 4000  # a close code: the page opens the socket again
REFUSED: Final = 4001  # a close code: the last message says why

log = structlog.get_logger(__name__)
SIGNED_OUT: Final = "You have been signed out. Sign in again, or reload the page to watch."

Act = Callable[[Services, str, Player, Any], Awaitable[int]]
ACTIONS: Final[dict[str, tuple[type[ActionRequest], Act]]] = {
    "move": (MoveRequest, player_actions.play),
    "undo": (UndoRequest, player_actions.undo),
    "offer": (OfferRequest, player_actions.offer),
    "answer": (OfferAnswerRequest, player_actions.answer_offer),
    "resign": (ActionRequest, player_actions.resign),
    "abort": (ActionRequest, player_actions.abort),
    "claim": (ClaimRequest, player_actions.claim),
    "chat": (ChatRequest, player_actions.chat),
}


async def serve_table_socket(socket: WebSocket) -> None:
    """Handle one connection."""
    started_at = time.perf_counter()
    with structlog.contextvars.bound_contextvars(request=token_hex(8)):
        try:
            await _serve(socket)
        except (WebSocketDisconnect, ClientDisconnected):
            pass
        except RealmtableError as refusal:
            await _refuse(socket, to_problem(refusal))
        except Exception:
            log.exception("socket_failed", route=PATH)
            await _refuse(socket, internal_problem())
        finally:
            log.debug("socket", route=PATH, s=round(time.perf_counter() - started_at))


async def _serve(socket: WebSocket) -> None:
    services: Services = socket.app.state.services
    checks: RequestChecks = socket.app.state.site_checks
    checks.check_address(socket.scope)
    checks.origin.check_socket(socket)
    await charge_weight(socket, OPENING_WEIGHT)
    sender = await visitor(socket)
    check_player(socket.query_params.get("me"), sender.player)
    me, requester = sender.player, requester_of(services, socket, sender.player)
    await services.limits.check("stream", requester.key)
    table_id = socket.path_params["table_id"]
    live = await services.table_service.find(table_id)
    my_id = me.id if me else None
    stream = services.streams.open(requester, table_id if live.table.seats_of(my_id) else None)
    try:
        known, pictures = socket.query_params.get("known", ""), socket.query_params.get("pictures") != "false"
        feed = TableFeed(services.table_service, live, my_id, stream, services.closing, pictures=pictures, known=known)
        if me is not None and not await is_admitted(socket, sender):  # after the feed has begun to note sign-outs
            raise BadCredentials(SIGNED_OUT)
        await socket.accept(headers=checks.session_headers(socket.scope))
        with services.metrics.streams.track_inprogress():
            await TableSocket(services, socket, table_id, me, requester, feed).serve()
    finally:
        services.streams.close(stream)


def check_player(expected: str | None, player: Player | None) -> None:
    """Raise BadCredentials if a page was made for a player, and the session is somebody else's or nobody's by now."""
    if expected and (player is None or player.id != expected):
        raise BadCredentials(SIGNED_OUT)


async def _refuse(socket: WebSocket, problem: Problem) -> None:
    """Say why, and close. A page can read this, but not the status of a refused handshake."""
    with suppress(WebSocketDisconnect, ClientDisconnected, RuntimeError):  # it is closed already
        if socket.client_state.name == "CONNECTING":
            await socket.accept()
        await socket.send_text(orjson.dumps(problem.body()).decode())
        await socket.close(REFUSED)


class TableSocket:
    """One open socket. Messages are handled in order; what is sent goes out between them, or with their answer."""

    def __init__(
        self,
        services: Services,
        socket: WebSocket,
        table_id: str,
        me: Player | None,
        requester: Requester,
        feed: TableFeed,
    ) -> None:
        self._services, self._socket, self._table_id = services, socket, table_id
        self._me, self._requester, self._feed = me, requester, feed
        self._sending = asyncio.Lock()

    async def serve(self) -> None:
        """Serve until either side ends it."""
        with self._feed.watch():
            works = (self._send_updates(), self._read_messages(), self._show_life())
            tasks = [asyncio.ensure_future(work) for work in works]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                async with self._sending:  # once the action in progress is answered
                    await cancel_tasks(tasks)
            finally:
                await cancel_tasks(tasks)
            for task in tasks:
                if not task.cancelled():
                    task.result()
            await self._socket.close(REOPEN)

    async def _send_updates(self) -> None:
        """Send a first message, even an empty one, and every change, until the viewer must open the table again."""
        async with self._sending:
            await self._send({})
        while not self._feed.must_end():
            async with self._sending:
                await self._send()
            await self._feed.viewer.woken.wait()

    async def _show_life(self) -> None:
        """Send an empty message from time to time, whatever happens at the table: its time tells nothing."""
        while True:
            await asyncio.sleep(ALIVE_EVERY_S)
            async with self._sending:
                await self._socket.send_text("{}")

    async def _read_messages(self) -> None:
        while True:
            try:
                text = await self._socket.receive_text()
            except KeyError:
                raise BadInput("Send messages as text.") from None
            async with self._sending:  # so that the answer comes with the change that it makes
                if self._feed.must_end():
                    return  # the page sends the message again
                await self._send(await self._answer(text))

    async def _send(self, answer: dict[str, object] | None = None) -> None:
        """Send an answer together with what is new, if there is anything."""
        update = None if self._feed.must_end() else await self._feed.next_update()
        parts = [orjson.dumps(answer)[1:-1]] if answer else []
        if update is not None:
            name = b"scene" if update.is_whole else b"change"
            parts.append(b'"id":"%b","%b":%b' % (update.scene_id.encode(), name, update.change))
        if parts or answer is not None:
            await self._socket.send_text((b"{%b}" % b",".join(parts)).decode())

    async def _answer(self, text: str) -> dict[str, object]:
        """Do what a message says, and return the answer."""
        key: str | None = None
        try:
            try:
                message = read_message(text)
                key = message["key"] if isinstance(message.get("key"), str) else None
            finally:  # whatever it says
                await charge_message(self._services, self._requester.address, self._me, MESSAGE_WEIGHT, len(text))
            await self._act(message)
        except RealmtableError as refusal:
            self._services.metrics.refusals.labels(refusal.code).inc()
            return {"refused": key, **to_problem(refusal).body()}
        except ValidationError as invalid:
            return {"refused": key, **validation_problem(invalid.errors()[0]).body()}
        except Exception:  # the socket goes on
            log.exception("message_failed", route=PATH)
            return {"refused": key, **internal_problem().body()}
        return {"accepted": key}

    async def _act(self, message: dict[str, Any]) -> None:
        do = message.pop("do", None)
        if not isinstance(do, str) or do not in ACTIONS:
            raise BadInput(f'"do" must be one of {", ".join(ACTIONS)}.')
        if not isinstance(message.get("key"), str):
            raise BadInput('Every message needs a "key", a text that you choose.')
        model, act = ACTIONS[do]
        request = model.model_validate(message)
        if self._me is None:
            raise BadCredentials("You are not signed in; reload the page.")
        await act(self._services, self._table_id, self._me, request)


def read_message(text: str) -> dict[str, Any]:
    """Return a message; raise BadInput unless it is a JSON object."""
    message = parse_json(text.encode("utf-8", "replace"))
    if not isinstance(message, dict):
        raise BadInput("Send each message as a JSON object.")
    return message


ROUTE: Final = WebSocketRoute(PATH, serve_table_socket)
