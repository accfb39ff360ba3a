"""A game's tour for newcomers: a few steps on a real board, defined in tour.toml in the game's folder.

A step has a title, a text (Markdown, as in RULES.md), a position and a task: `moves` to play in order, where "undo"
takes one back, or a `refused` move to type.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.server.site.game_pictures import game_folder

FILE_NAME: Final = "tour.toml"
UNDO: Final = "undo"


class TourStep(NamedTuple):
    """One step of a tour, ready for the page."""

    title: str
    text: str  # HTML
    position: str | None  # None: the game's initial position
    moves: list[str]  # in the game's notation, or "undo"
    refused: str | None
    done: str  # HTML, shown when the step is done


def has_tour(game_id: str) -> bool:
    """Whether a game has a tour."""
    return (game_folder(game_id) / FILE_NAME).is_file()


@cache
def steps(game_id: str) -> tuple[TourStep, ...]:
    """Return the steps of a game's tour, empty if it has none; raise if a move is illegal."""
    if not has_tour(game_id):
        return ()
    data = tomllib.loads((game_folder(game_id) / FILE_NAME).read_text(encoding="utf-8"))
    return tuple(_make_step(game_id, step) for step in data["step"])


def _make_step(game_id: str, facts: dict[str, Any]) -> TourStep:
    position = facts.get("position")
    return TourStep(
        title=facts["title"],
        text=_render_html(facts["text"]),
        position=position,
        moves=_format_moves(game_id, position, facts.get("moves", [])),
        refused=facts.get("refused"),
        done=_render_html(facts["done"]),
    )


def _render_html(text: str) -> str:
    return str(MarkdownIt("commonmark", {"html": False}).render(text))


def _format_moves(game_id: str, position: str | None, texts: list[str]) -> list[str]:
    """Return the moves in canonical notation, with which the page compares the reader's moves."""
    game = registry.game(game_id)
    matches = [Match.start(game, None if position is None else game.decode(position))]
    formatted = []
    for text in texts:
        if text == UNDO:
            matches.pop()
            formatted.append(UNDO)
            continue
        state = matches[-1].state
        move = game.parse_move(state, text)
        matches.append(matches[-1].play(game.to_move(state)[0], move))
        formatted.append(game.format_move(state, move))
    return formatted
