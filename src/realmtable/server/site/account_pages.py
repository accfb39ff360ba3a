"""The pages of one's own account, and the ratings of all players."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from fastapi import APIRouter, Response
from fastapi.responses import RedirectResponse

from realmtable.engine import registry
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.preferences import read_preferences
from realmtable.server.api import accounts, people
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site import game_pictures
from realmtable.server.site.pages import games_in_order
from realmtable.server.site.templates import VisitDep
from realmtable.server.tables.scenes.scene import display_name

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


# ---- the account


@router.get("/account")
@declare_bounds(5)
async def account(visit: VisitDep) -> Response:
    """Show the visitor's name, devices and tokens."""
    known, session = visit.services.accounts, visit.visitor.session
    tokens = [] if visit.player is None else await known.list_tokens(visit.player)
    fresh = session is not None and await known.is_fresh(session)
    resets = session is not None and await known.may_reset_password(session)
    muted = await people.load_muted(visit.services, visit.player)
    return visit.page("account.html", tokens=tokens, fresh=fresh, resets_password=resets, muted=muted)


@router.get("/sign-in/{token}")
@declare_bounds(5)
async def sign_in_link(visit: VisitDep, token: str) -> Response:
    """Show the page of a one-time sign-in link. Its button uses the link, so that link previews do not."""
    response = visit.page("signin_link.html", token=token[:200])
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "no-referrer"
    return response


# ---- ratings


class RatingRow(NamedTuple):
    """A row in a list of ratings, with its error bar on a scale of 0 to 100."""

    name: str
    url: str
    rating: accounts.RatingData
    bar: tuple[float, ...] = (0, 50, 100)  # low end, estimate, high end


def add_bars(rows: list[RatingRow]) -> list[RatingRow]:
    """Return the rows with their error bars on a common scale."""
    ends = [[row.rating.value + part * row.rating.plus_minus for part in (-1, 0, 1)] for row in rows]
    low, high = min((low for low, _, _ in ends), default=0), max((high for _, _, high in ends), default=1)
    scale = 100 / max(1, high - low)
    return [
        row._replace(bar=tuple(round((end - low) * scale, 1) for end in bar))
        for row, bar in zip(rows, ends, strict=True)
    ]


@router.get("/ratings")
@declare_bounds(5)
async def ratings_index() -> Response:
    """Redirect to the ratings of the first game."""
    return RedirectResponse(f"/ratings/{games_in_order()[0].id}", 303)


@router.get("/ratings/{game}")
@declare_bounds(5)
async def ratings_page(visit: VisitDep, game: str) -> Response:
    """Show the highest-rated players of a game with their error bars."""
    info = registry.info(game)
    leaders = (await accounts.game_ratings(game, visit.services)).leaders
    rated = [(Player(**leader.player.model_dump()), leader.rating) for leader in leaders]
    rows = [RatingRow(display_name(player), f"/players/{player.id}", rating) for player, rating in rated]
    return visit.page("ratings.html", game=info, games=games_in_order(), rows=add_bars(rows))


class Setting(NamedTuple):
    """A preference on the page; `choices` are its values with their labels, none for a switch."""

    name: str
    title: str
    help: str
    choices: tuple[tuple[str, str], ...] = ()


GROUPS: Final[dict[str, tuple[Setting, ...]]] = {  # by heading
    "Appearance": (
        Setting(
            "board",
            "Board",
            "The colours of every board. Games with cards keep their own.",
            (("classic", "Standard"), ("walnut", "Walnut"), ("slate", "Slate"), ("contrast", "High contrast")),
        ),
        Setting(
            "pieces",
            "Pieces",
            "The colours of the two sides.",
            (
                ("classic", "Standard"),
                ("ivory", "Ivory and ebony"),
                ("berry", "White with red, black with blue"),
                ("contrast", "High contrast"),
            ),
        ),
        Setting("coordinates", "Coordinates", "Show letters and numbers around the board."),
    ),
    "Sound and motion": (
        Setting("sound", "Sounds", "Hear moves, captures, your turn, low time and the end of a game."),
        Setting(
            "motion",
            "Motion",
            "Pieces slide and wins are celebrated, unless you turn that off here or in your system.",
            (("system", "Same as my system"), ("reduced", "No animations")),
        ),
    ),
    "Moves": (
        Setting(
            "confirm",
            "Confirm moves",
            "Ask before a move is played.",
            (("off", "Never"), ("correspondence", "Correspondence games"), ("always", "Always")),
        ),
        Setting(
            "premoves", "Plan ahead", "Choose your next moves while your opponent thinks. They are played on your turn."
        ),
        Setting(
            "forced",
            "Play forced moves",
            "When you have only one legal move, play it automatically, unless that could tell others what you hold.",
        ),
        Setting("keys", "Single-key shortcuts", "Keys such as h for a hint. Turn them off if you dictate."),
    ),
}


@router.get("/settings")
@declare_bounds(5)
async def settings(visit: VisitDep) -> Response:
    """Show the visitor's preferences."""
    preferences = read_preferences(visit.player.preferences if visit.player else "")
    return visit.page(
        "settings.html",
        groups=GROUPS,
        values=preferences.model_dump(),
        defaults={name: field.default for name, field in type(preferences).model_fields.items()},
        preview=await asyncio.to_thread(preview_board),
    )


def preview_board() -> str:
    """Return the picture of a board in the middle of a game; empty if no game has a board that can be turned."""
    pictures = (
        game_pictures.picture(info.id)
        for info in sorted(registry.infos(), key=lambda info: not info.presentation.featured)
    )
    return next((picture for picture in pictures if "data-turns" in picture), "")
