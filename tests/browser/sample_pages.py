"""Every kind of page with content, for checks and screenshots."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final
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


# The pages by name, known before a server runs, so that tests can be named after them.
PAGES: Final = {
    "lobby": "/",
    "setup": "/play/{game}",
    "table_open": "/tables/{waiting}",
    "table_running": "/tables/{running}",
    "table_over": "/tables/{over}",
    "replay": "/tables/{over}/replay",
    "position": "/positions/{game}?p={position}",
    "analysis_board": "/analyse/{game}?p={position}",
    "record": "{record}",
    "rules": "/rules/{game}",
    "rules_index": "/rules",
    "cards": "/rules/fantasy_realms/cards",
    "lesson": "/learn/{game}",
    "account": "/account",
    "my_games": "/my-games",
    "settings": "/settings",
    "player": "/players/{me}",
    "ratings": "/ratings/{game}",
    "watch": "/watch",
    "records": "/records",
    "api": "/api",
    "sign_in": "{link}",
    "privacy": "/privacy",
    "terms": "/terms",
    "contact": "/contact",
    "error": "/nowhere",
}
NAMES: Final = tuple(PAGES)


def make_sample_pages(visitor: Visitor, game: str) -> SamplePages:
    """Play a little as a member, so that every page has content."""
    visitor.post("/api/me/claim", {"name": "Ada of the Realm", "password": "a long password"})
    running, over = open_running_table(visitor, game), play_table_to_end(visitor, game)
    visitor.post(f"/api/tables/{running}/chat", {"text": "Good luck!"})
    visitor.post("/api/me/tokens", {"label": "My first bot"})
    text = visitor.context.request.get(f"{visitor.url}/api/tables/{over}/record").text()
    facts = {
        "game": game,
        "running": running,
        "over": over,
        "waiting": visitor.open_new_table(game, seats=["me", "open"], listed=True),
        "me": visitor.get("/api/me")["player"]["id"],
        "position": quote(visitor.get(f"/api/tables/{running}/moments/{STEPS}")["position"]),
        "record": visitor.post("/api/records", {"text": text})["url"],
        "link": visitor.post("/api/me/link")["url"],
    }
    paths = {name: path.format(**facts) for name, path in PAGES.items()}
    return SamplePages(paths, visitor.context.storage_state())


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
