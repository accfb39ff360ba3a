"""The API of accounts: names, signing in and out, personal tokens, ratings."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import BaseModel, Field

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.server import display_names
from realmtable.server.accounts import passwords, ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import (
    AccountServices,
    ActingPlayer,
    AnyVisitor,
    BrowserPlayer,
    Visitor,
    account_services,
    close_session,
    csrf_token,
    open_session,
    sender_address,
)
from realmtable.server.accounts.ids import MAX_SECRET_LENGTH, digest
from realmtable.server.accounts.personal_tokens import MAX_LABEL_LENGTH
from realmtable.server.accounts.preferences import PreferenceChanges, Preferences, read_preferences
from realmtable.server.api.dependencies import make_router
from realmtable.server.api.models import RequestBody
from realmtable.server.errors import NotFound
from realmtable.server.invisible_characters import Visible
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.tables.lobby import Lobby

router = make_router("people")

LINK_MINUTES = 15
MAX_RECENT_TABLES = 20
MAX_LEADERS = 50

Name = Annotated[str, Field(max_length=4 * display_names.MAX_LENGTH, examples=["Ada Lovelace"])]
# Only new passwords have a minimum length.
NewPassword = Annotated[str, Field(min_length=passwords.MIN_LENGTH, max_length=passwords.MAX_LENGTH, repr=False)]
Password = Annotated[str, Field(max_length=passwords.MAX_LENGTH, repr=False)]
Secret = Annotated[str, Field(max_length=MAX_SECRET_LENGTH, repr=False)]


async def get_account_services(request: Request) -> AccountServices:  # async: plain functions would wait for a thread
    """Dependency: the services that deal with accounts."""
    return account_services(request)


AccountServicesDep = Annotated[AccountServices, Depends(get_account_services)]


class NameRequest(RequestBody):
    """A new name."""

    name: Name


class ClaimRequest(RequestBody):
    """A name to claim, and the password that protects it."""

    name: Name
    password: NewPassword
    current_password: Password = Field(default="", description="A member's current password.")
    revoke_tokens: bool | None = Field(
        default=None,
        description="Whether to revoke your personal tokens. The default is true for members and false for guests.",
    )


class SignInRequest(RequestBody):
    """A member's name and password."""

    name: Name
    password: Password


class LinkRequest(RequestBody):
    """The token of a one-time sign-in link."""

    token: Secret


class TokenRequest(RequestBody):
    """What a new personal token is for."""

    label: Annotated[str, Visible] = Field(min_length=1, max_length=MAX_LABEL_LENGTH, examples=["my bot"])


class PlayerData(BaseModel):
    """A person or bot that can take a seat."""

    id: str
    name: str
    kind: str = Field(description='"guest", "member" or "bot".')


class Me(BaseModel):
    """Your account, and the token that pages send back in X-CSRF-Token."""

    player: PlayerData | None
    csrf: str = Field(repr=False)


class Link(BaseModel):
    """A one-time sign-in link."""

    url: str = Field(repr=False)
    minutes: int = Field(description="How long the link is valid.")


class TokenData(BaseModel):
    """A personal token, without its secret."""

    id: str
    label: str
    created_at: float
    used_at: float | None


class TokenList(BaseModel):
    """Your personal tokens."""

    tokens: list[TokenData]


class NewToken(BaseModel):
    """A personal token. The secret is shown only once."""

    id: str
    token: str = Field(repr=False)


class RevokedToken(BaseModel):
    """The id of the revoked token."""

    revoked: str


class RatingData(BaseModel):
    """A player's rating, with an error bar of two standard deviations."""

    value: int
    plus_minus: int
    provisional: bool
    games: int


class PlayerPage(BaseModel):
    """The public profile of a player."""

    player: PlayerData
    ratings: dict[str, RatingData]
    tables: list[dict[str, Any]] = Field(description="The player's latest tables, in the format of the lobby.")


class Leader(BaseModel):
    """An entry in a game's leaderboard."""

    player: PlayerData
    rating: RatingData


class Leaders(BaseModel):
    """The leaderboard of a game: the strongest members and bots."""

    game: str
    leaders: list[Leader]


@router.get("/me")
@declare_bounds(1)
async def me(visitor: AnyVisitor) -> Me:
    """Return your account; `player` is null until you first do something."""
    return Me(player=player_data(visitor.player) if visitor.player else None, csrf=visitor.csrf)


@router.post("/me")
@declare_bounds(5)
async def arrive(player: ActingPlayer) -> PlayerData:
    """Become a guest if you have no account yet. The cookie in the response identifies you from then on."""
    return player_data(player)


@router.post("/me/name")
@declare_bounds(5)
async def rename(body: NameRequest, request: Request, visitor: AnyVisitor, player: BrowserPlayer) -> PlayerData:
    """Change your name. Members must have signed in within the last few minutes."""
    services = account_services(request)
    await _limit_claims(request)
    return player_data(await services.accounts.rename(player, body.name, _acting_session(visitor)))


@router.get("/me/preferences")
@declare_bounds(1)
async def preferences(visitor: AnyVisitor) -> Preferences:
    """Return your preferences; those of a new visitor are the defaults."""
    return read_preferences(visitor.player.preferences if visitor.player else "")


@router.patch("/me/preferences")
@declare_bounds(5)
async def change_preferences(
    body: PreferenceChanges, services: AccountServicesDep, player: BrowserPlayer
) -> Preferences:
    """Change some of your preferences. They apply on all your devices."""
    return await services.accounts.change_preferences(player, body)


@router.post("/me/claim")
@declare_bounds(50, runs_in="thread")
async def claim(body: ClaimRequest, request: Request, visitor: AnyVisitor, player: BrowserPlayer) -> Me:
    """Claim a name with a password. A guest becomes a member and keeps their games; a member gets a new password.

    Members give their `current_password`, unless they have just signed in with an administrator's link. You are signed
    out everywhere else, and a member's personal tokens are revoked unless `revoke_tokens` is false.
    """
    services = account_services(request)
    await _limit_claims(request)
    if player.kind == "member":  # or the form could be used to guess the password
        await _check_attempt(request, player.name)
    revoke_tokens = player.kind == "member" if body.revoke_tokens is None else body.revoke_tokens
    member, token = await services.accounts.claim(
        player,
        body.name,
        body.password,
        _acting_session(visitor),
        current_password=body.current_password,
        revoke_tokens=revoke_tokens,
    )
    return _start_session(request, member, token)


@router.post("/session")
@declare_bounds(50, runs_in="thread")
async def sign_in(body: SignInRequest, request: Request, visitor: AnyVisitor) -> Me:
    """Sign in with name and password."""
    await _check_attempt(request, body.name)
    player, token = await account_services(request).accounts.sign_in(body.name, body.password)
    return await _replace_session(request, visitor, player, token)


@router.post("/session/link")
@declare_bounds(5)
async def sign_in_by_link(body: LinkRequest, request: Request, visitor: AnyVisitor) -> Me:
    """Sign in with a one-time link, which becomes invalid."""
    services = account_services(request)
    await services.limits.check("sign_in", sender_address(request))
    player, token = await services.accounts.use_link(body.token)
    return await _replace_session(request, visitor, player, token)


@router.delete("/session")
@declare_bounds(5)
async def sign_out(request: Request, visitor: AnyVisitor) -> Me:
    """Sign out on this device."""
    if visitor.session is not None:
        await account_services(request).accounts.sign_out(visitor.session)
        close_session(request)
    return Me(player=None, csrf="")


@router.post("/me/link", status_code=HTTPStatus.CREATED)
@declare_bounds(5)
async def make_link(services: AccountServicesDep, visitor: AnyVisitor, player: BrowserPlayer) -> Link:
    """Create a one-time link that signs you in on another device.

    Members must have signed in within the last few minutes.
    """
    await services.limits.check("token", player.id)
    token = await services.accounts.make_link(player.id, LINK_MINUTES, _acting_session(visitor))
    return Link(url=f"{services.settings.public_url}/sign-in/{token}", minutes=LINK_MINUTES)


@router.get("/me/tokens")
@declare_bounds(2)
async def tokens(services: AccountServicesDep, visitor: AnyVisitor) -> TokenList:
    """List your personal tokens, without their secrets."""
    if visitor.player is None:
        return TokenList(tokens=[])
    rows = await services.accounts.list_tokens(visitor.player)
    return TokenList(tokens=[TokenData(**asdict(row)) for row in rows])


@router.post("/me/tokens", status_code=HTTPStatus.CREATED)
@declare_bounds(5)
async def make_token(
    body: TokenRequest, services: AccountServicesDep, visitor: AnyVisitor, player: BrowserPlayer
) -> NewToken:
    """Create a personal token for a program that plays in your name and sends it as `Authorization: Bearer …`.

    Members must have signed in within the last few minutes.
    """
    await services.limits.check("token", player.id)
    if not body.label.strip():
        raise BadInput("Say what the token is for.")
    token_id, secret = await services.accounts.make_token(player, body.label, _acting_session(visitor))
    return NewToken(id=token_id, token=secret)


@router.delete("/me/tokens/{token_id}")
@declare_bounds(5)
async def revoke_token(token_id: str, services: AccountServicesDep, visitor: AnyVisitor) -> RevokedToken:
    """Revoke a token, immediately and permanently. Programs can do this too, so that a leaked token can be revoked."""
    if visitor.player is None:
        raise NotFound("You have no token with that id.")
    await services.accounts.revoke_token(visitor.player, token_id)
    return RevokedToken(revoked=token_id)


@router.get("/players/{player_id}")
@declare_bounds(3)
async def player_page(player_id: str, services: AccountServicesDep, visitor: AnyVisitor) -> PlayerPage:
    """Return a player's name, ratings and latest tables. Only the player sees their unlisted tables.

    Members and bots can also be found by name.
    """
    player = await services.accounts.find_player(player_id)
    if player is None:
        raise NotFound("There is no player with that name or id.")
    mine = visitor.player is not None and visitor.player.id == player.id
    rated = await ratings.ratings_by_game(services.database, player.id)
    rows = await services.store.list_tables_of(player.id, limit=MAX_RECENT_TABLES, listed_only=not mine)
    return PlayerPage(
        player=player_data(player),
        ratings={game: RatingData(**rating) for game, rating in rated.items()},
        tables=await Lobby(services.store, services.accounts).make_entries(rows, visitor.player),
    )


@router.get("/ratings/{game}")
@declare_bounds(5)
async def game_ratings(game: str, services: AccountServicesDep) -> Leaders:
    """List the strongest players of a game by the low end of their error bar. Guests are not listed."""
    rows = await ratings.leaders(services.database, registry.info(game).id, MAX_LEADERS)
    players = await services.accounts.players([player_id for player_id, _ in rows])
    entries = [Leader(player=player_data(players[each]), rating=RatingData(**rating)) for each, rating in rows]
    return Leaders(game=game, leaders=entries)


def player_data(player: Player) -> PlayerData:
    """Return what the API tells of a player."""
    return PlayerData(id=player.id, name=player.name, kind=player.kind)


async def _limit_claims(request: Request) -> None:
    services = account_services(request)
    if services.settings.limits_addresses:
        await services.limits.check("claim", sender_address(request))


async def _check_attempt(request: Request, name: str) -> None:
    """Count an attempt to give the password of the member with this name; raise RateLimited if there were too many.

    Attempts are counted by address, by name and address and, to limit guessing from many addresses, by name.
    """
    services = account_services(request)
    address, key = sender_address(request), digest(display_names.key(name))
    await services.limits.check("sign_in", address)
    await services.limits.check("sign_in_here", f"{key} {address}")
    await services.limits.check("sign_in_name", key)


def _start_session(request: Request, player: Player, token: str) -> Me:
    open_session(request, token)
    return Me(player=player_data(player), csrf=csrf_token(token))


async def _replace_session(request: Request, visitor: Visitor, player: Player, token: str) -> Me:
    """Start a new session, and end the one that the browser sent, even if it belonged to someone else."""
    if visitor.session is not None:
        await account_services(request).accounts.sign_out(visitor.session, token)
    return _start_session(request, player, token)


def _acting_session(visitor: Visitor) -> str | None:
    """Return the session that requests an account change; None if the account was created by this request."""
    return visitor.session if visitor.player is not None else None
