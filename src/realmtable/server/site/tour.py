"""A game's tour for newcomers: a few steps on a real board, kept as data in the game's own folder (tour.toml).

A step has a title, a text (paragraphs, with emphasis as in RULES.md), a position and what the reader does there:
`moves` to be played one after the other, where "undo" stands for taking one back, or a `refused` text to be typed.
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
    position: str | None  # None: the game's first position
    moves: list[str]  # as the game writes them, and "undo"
    refused: str | None
    done: str  # HTML, shown when it is done


def has_tour(game_id: str) -> bool:
    """Whether a game brings a tour."""
    return (game_folder(game_id) / FILE_NAME).is_file()


@cache
def steps(game_id: str) -> tuple[TourStep, ...]:
    """The steps of a game's tour; none where it brings none. A move that cannot be played raises why."""
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
    """The moves in the game's own full writing, which is what the page compares with."""
    game = registry.game(game_id)
    matches = [Match.start(game, None if position is None else game.decode(position))]
    written = []
    for text in texts:
        if text == UNDO:
            matches.pop()
            written.append(UNDO)
            continue
        state = matches[-1].state
        move = game.parse_move(state, text)
        matches.append(matches[-1].play(game.to_move(state)[0], move))
        written.append(game.format_move(state, move))
    return written
