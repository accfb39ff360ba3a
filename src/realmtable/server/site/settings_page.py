"""The settings page: the player's preferences in groups, each with a sentence, and a board that shows the themes."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from realmtable.engine import registry
from realmtable.server.accounts.preferences import read_preferences
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site import game_pictures
from realmtable.server.site.templates import page
from realmtable.server.site.visitor import PageVisitor

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


class Setting(NamedTuple):
    """A preference on the page; `choices` are its values with their labels, none for a switch."""

    name: str
    title: str
    help: str
    choices: tuple[tuple[str, str], ...] = ()


class Group(NamedTuple):
    """Settings under a heading."""

    title: str
    settings: tuple[Setting, ...]


GROUPS: Final = (
    Group(
        "Appearance",
        (
            Setting(
                "board",
                "Board",
                "The colours of every board. Games with cards keep their own.",
                (
                    ("classic", "Standard"),
                    ("walnut", "Walnut"),
                    ("slate", "Slate"),
                    ("contrast", "High contrast"),
                ),
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
    ),
    Group(
        "Sound and motion",
        (
            Setting("sound", "Sounds", "Hear moves, captures, your turn, low time and the end of a game."),
            Setting(
                "motion",
                "Motion",
                "Pieces slide and wins are celebrated, unless you turn that off here or in your system.",
                (("system", "Same as my system"), ("reduced", "No animations")),
            ),
        ),
    ),
    Group(
        "Moves",
        (
            Setting(
                "confirm",
                "Confirm moves",
                "Ask before a move is played.",
                (("off", "Never"), ("correspondence", "Correspondence games"), ("always", "Always")),
            ),
            Setting(
                "premoves", "Plan ahead", "Choose your next move while your opponent thinks. It is played on your turn."
            ),
            Setting("forced", "Play forced moves", "When you have only one legal move, play it automatically."),
        ),
    ),
)


@router.get("/settings")
@declare_bounds(5)
async def settings(request: Request, visitor: PageVisitor) -> Response:
    """Show the visitor's preferences."""
    preferences = read_preferences(visitor.player.preferences if visitor.player else "")
    return page(
        request,
        visitor,
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
