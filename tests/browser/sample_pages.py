"""Every kind of page with content, for checks and screenshots."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote

import realmtable
from tests.browser.scripted_games import ScriptedGame, from_middle, last_turns
from tests.browser.visitor import Visitor

GAMES = [info.id for info in realmtable.infos()]
STEPS = 6


@dataclass(frozen=True)
class SamplePages:
    """URLs by kind of page, and the cookies of a visitor who has used them."""

    paths: dict[str, str]
    cookies: Any


# The names of all pages, known before a server runs, so that tests can be named after them.
NAMES = (
    "lobby",
    "setup",
    "table_open",
    "table_running",
    "table_over",
    "replay",
    "position",
    "analysis_board",
    "record",
    "rules",
    "rules_index",
    "cards",
    "lesson",
    "account",
    "my_games",
    "settings",
    "player",
    "ratings",
    "watch",
    "records",
    "api",
    "sign_in",
    "privacy",
    "terms",
    "contact",
    "error",
)


def make_sample_pages(visitor: Visitor, game: str) -> SamplePages:
    """Play a little as a member, so that every page has content."""
    visitor.post("/api/me/claim", {"name": "Ada of the Realm", "password": "a long password"})
    running, over = open_running_table(visitor, game), play_table_to_end(visitor, game)
    visitor.post(f"/api/tables/{running}/chat", {"text": "Good luck!"})
    waiting = visitor.open_new_table(game, seats=["me", "open"], listed=True)
    me = visitor.get("/api/me")["player"]["id"]
    visitor.post("/api/me/tokens", {"label": "My first bot"})
    text = visitor.context.request.get(f"{visitor.url}/api/tables/{over}/record").text()
    moment = visitor.get(f"/api/tables/{running}/moments/{STEPS}")
    position = quote(moment["position"])
    found = (
        "/",
        f"/play/{game}",
        f"/tables/{waiting}",
        f"/tables/{running}",
        f"/tables/{over}",
        f"/tables/{over}/replay",
        f"/positions/{game}?p={position}",
        f"/analyse/{game}?p={position}",
        visitor.post("/api/records", {"text": text})["url"],
        f"/rules/{game}",
        "/rules",
        "/rules/fantasy_realms/cards",
        f"/learn/{game}",
        "/account",
        "/my-games",
        "/settings",
        f"/players/{me}",
        f"/ratings/{game}",
        "/watch",
        "/records",
        "/api",
        visitor.post("/api/me/link")["url"],
        "/privacy",
        "/terms",
        "/contact",
        "/nowhere",
    )
    return SamplePages(dict(zip(NAMES, found, strict=True)), visitor.context.storage_state())


def open_running_table(visitor: Visitor, game: str, **wishes: Any) -> str:
    """Open a table in the middle of a game."""
    played = from_middle(game)
    table = visitor.open_table(played, **{"listed": True, **wishes})
    if played.game.info.chance:  # the table has its own dice and cards, after which other moves are legal
        choose_moves(visitor, table)
        return table
    for move in played.moves[: _turn_after(played, STEPS)]:
        visitor.move(table, move)
    return table


def choose_moves(visitor: Visitor, table: str) -> None:
    """Play some legal moves, of which the visitor can choose another one afterwards."""
    rng = Random(0)
    for _ in range(STEPS):
        choices = visitor.scene(table)["choices"]
        if choices:
            visitor.move(table, rng.choice(choices)["move"])


def _turn_after(played: ScriptedGame, steps: int) -> int:
    """Return the smallest number of steps, at least `steps`, after which a turn starts."""
    turns = [played.game.turn(step.state) for step in played.steps]
    return next(index for index in range(steps, len(turns)) if turns[index] != turns[index - 1])


def play_table_to_end(visitor: Visitor, game: str) -> str:
    """Open a table whose game is over."""
    played = last_turns(game, 4)
    table = visitor.open_table(played, listed=True)
    for move in played.moves:
        visitor.move(table, move)
    return table
