"""The API of notifications: whether this browser is notified, and how many games wait for you."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import Annotated

from pydantic import BaseModel, Field

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import AnyVisitor, Visitor
from realmtable.server.accounts.ids import digest
from realmtable.server.api.dependencies import ServicesDep, make_router
from realmtable.server.api.models import RequestBody
from realmtable.server.errors import NotAllowed, SignInAgain
from realmtable.server.notifications.push_client import check_endpoint
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.storage.push_subscriptions import Subscription

router = make_router("people", "/api/me")

NO_SESSION = "Only a browser that has joined a game or signed in can be notified."
BASE64URL = r"^[A-Za-z0-9_-]+={0,2}$"


class SubscriptionKeys(RequestBody):
    """The keys with which messages to this browser are encrypted."""

    p256dh: Annotated[str, Field(min_length=87, max_length=88, pattern=BASE64URL, repr=False)]
    auth: Annotated[str, Field(min_length=22, max_length=24, pattern=BASE64URL, repr=False)]


class SubscriptionRequest(RequestBody):
    """A push subscription, as the browser's `PushManager` describes it."""

    endpoint: Annotated[str, Field(max_length=1000, repr=False, examples=["https://push.example.org/send/abc"])]
    keys: SubscriptionKeys


class NotificationState(BaseModel):
    """Whether this browser is notified when it is your turn."""

    on: bool
    public_key: str = Field(description="The key to pass to `pushManager.subscribe` as `applicationServerKey`.")


class WaitingGames(BaseModel):
    """How many games wait for you."""

    count: int = Field(description="Running games in which it is your turn and another person waits for you.")


@router.get("/notifications")
@declare_bounds(2)
async def notification_state(services: ServicesDep, visitor: AnyVisitor) -> NotificationState:
    """Return whether this browser is notified when it is your turn in a correspondence game."""
    return await _state(services, visitor)


@router.post("/notifications", status_code=HTTPStatus.CREATED)
@declare_bounds(5)
async def switch_on(body: SubscriptionRequest, services: ServicesDep, visitor: AnyVisitor) -> NotificationState:
    """Notify this browser when it is your turn in a correspondence game, until you sign out."""
    player, session = _require_session(visitor)
    await services.limits.check("notify", player.id)
    check_endpoint(body.endpoint, allow_loopback=services.settings.push_loopback)
    subscription = Subscription(body.endpoint, body.keys.p256dh, body.keys.auth)
    if not await services.subscriptions.save(session, subscription, time.time()):
        raise SignInAgain("You have been signed out: sign in again.")
    return await _state(services, visitor)


@router.delete("/notifications")
@declare_bounds(5)
async def switch_off(services: ServicesDep, visitor: AnyVisitor) -> NotificationState:
    """Do not notify this browser any more."""
    await services.subscriptions.remove_of(_require_session(visitor)[1])
    return await _state(services, visitor)


@router.get("/waiting")
@declare_bounds(2)
async def waiting_games(services: ServicesDep, visitor: AnyVisitor) -> WaitingGames:
    """Return how many games wait for you."""
    return WaitingGames(count=0 if visitor.player is None else await services.store.count_waiting(visitor.player.id))


async def _state(services: ServicesDep, visitor: Visitor) -> NotificationState:
    keys = await services.push_sender.keys()
    is_known = visitor.session is not None and visitor.player is not None
    on = is_known and await services.subscriptions.is_subscribed(digest(visitor.session or ""))
    return NotificationState(on=on, public_key=keys.public_key)


def _require_session(visitor: Visitor) -> tuple[Player, str]:
    """Return the player who visits with a browser, and the hash of their session."""
    if visitor.player is None or visitor.session is None:
        raise NotAllowed(NO_SESSION)
    return visitor.player, digest(visitor.session)
