"""Renders SUMMARY.md, a game on one page for people who have never seen it.

The text opens with the aim of the game; each heading then starts a section. A fenced ``board`` block is a picture of a
position, as in RULES.md. A fenced ``cards`` block shows cards of the game's gallery: the first line lists their names,
the rest is the caption::

    King, Queen
    With the Queen in the same hand, the King is worth more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import AnyGame, HasCardGallery, HasExcerpts
from realmtable.server.site.rules_rendering import Example, pop_title, read_board

VIEW_BOX: Final = re.compile(r'\bviewBox="\S+ \S+ (\S+) (\S+)"')


class SummarySection(NamedTuple):
    """A part of a summary: a title, and text with pictures."""

    title: str
    text: Markup
    pictures: Markup


class GameSummary(NamedTuple):
    """A game on one page, ready for the template."""

    aim: Markup
    sections: list[SummarySection]
    boards: list[Match]
    style: Markup  # of the cards in it; empty if it shows none


def summary_text(game_id: str) -> str:
    """Return the text of a game's SUMMARY.md; empty if it has none."""
    path = registry.game_folder(game_id) / "SUMMARY.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def game_summary(game_id: str) -> GameSummary | None:
    """Return the rendered summary of a game, cached; None if the game has none."""
    text = summary_text(game_id)
    return render_summary(registry.game(game_id), text) if text else None


def render_summary(game: AnyGame, text: str) -> GameSummary:
    """Render a summary; raise if a ``board`` block is invalid or a ``cards`` block names an unknown card."""
    markdown = MarkdownIt("commonmark")
    tokens = markdown.parse(text)
    pop_title(tokens)
    boards: list[Match] = []
    parts = []
    for part in _split_at_headings(tokens):
        pictures = [_picture(game, token, boards) for token in part if token.type == "fence"]
        html = markdown.renderer.render([token for token in part if token.type != "fence"], markdown.options, {})
        parts.append((Markup(html), Markup("".join(pictures))))  # noqa: S704 - our own files
    titles = [inline.content for token, inline in pairwise(tokens) if token.type == "heading_open"]
    sections = [SummarySection(title, *part) for title, part in zip(titles, parts[1:], strict=True)]
    has_cards = any(token.type == "fence" and token.info == "cards" for token in tokens)
    style = game.gallery().style if has_cards and isinstance(game, HasCardGallery) else ""
    return GameSummary(parts[0][0], sections, boards, Markup(style))  # noqa: S704 - the style of the game's pictures


def _split_at_headings(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the tokens before the first heading, then those after each heading."""
    part: list[Token] = []
    in_heading = False
    for token in tokens:
        if token.type == "heading_open":
            yield part
            part = []
        in_heading = token.type == "heading_open" or (in_heading and token.type != "heading_close")
        if not in_heading and token.type != "heading_close":
            part.append(token)
    yield part


# ---- pictures


def _picture(game: AnyGame, token: Token, boards: list[Match]) -> str:
    if token.info.strip() == "cards":
        return _card_figure(game, token.content)
    example = read_board(game, token.content)
    boards.append(example.match)
    return _board_figure(game, example, len(boards) - 1)


def _board_figure(game: AnyGame, example: Example, number: int) -> str:
    address = f"/rules/{game.info.id}/summary/{number}.svg?theme=auto"
    explore = escape(f"/positions/{game.info.id}?p={quote(example.before)}")
    caption = escape(example.caption)
    found = VIEW_BOX.search(_draw(example.match, "light"))
    size = f' width="{float(found[1]):.0f}" height="{float(found[2]):.0f}"' if found else ""
    return (
        f'<figure class="summary-picture"><img src="{address}" alt="{escape(game.info.title)}: a position"{size} '
        f'loading="lazy" data-themed><figcaption>{caption} '
        f'<a href="{explore}">Try it<span class="unseen">: {caption}</span></a></figcaption></figure>\n'
    )


def _card_figure(game: AnyGame, text: str) -> str:
    """Return a row of cards; raise KeyError if the gallery lacks one."""
    first, _, caption = text.strip().partition("\n")
    groups = game.gallery().groups if isinstance(game, HasCardGallery) else ()
    drawn = {card.name: card.svg for group in groups for card in group.cards}
    cards = "".join(drawn[name.strip()] for name in first.split(","))
    return (
        f'<figure class="summary-picture"><div class="summary-cards">{cards}</div>'
        f"<figcaption>{escape(' '.join(caption.split()))}</figcaption></figure>\n"
    )


@cache
def summary_picture(game_id: str, number: int, theme: str) -> str | None:
    """Return a board of a summary; None if the number is out of range."""
    summary = game_summary(game_id)
    boards = summary.boards if summary else []
    return _draw(boards[number], theme) if 0 <= number < len(boards) else None


def _draw(match: Match, theme: str) -> str:
    game, view = match.game, match.view(None)
    return draw_whole(game, game.excerpt(view) if isinstance(game, HasExcerpts) else view, theme)
