"""Renders RULES.md as a page with an anchor for each clause, links to clauses, and drawn examples.

Examples come from the game's records (`realmtable.server.site.rules_rendering`) and from fenced ``board`` blocks in the
text. The first line of a block is a position, optionally with steps to play from there; the rest is the caption::

    W:Pc10,Bb11 B:Be2 move=W > Pc10g10, end
    A Power goes east.
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

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import AnyGame, GameInfo
from realmtable.engine.record import Record
from realmtable.server.site.game_pictures import records

CLAUSE: Final = re.compile(r"[A-Z]{1,2}\d{1,3}[a-z]?")
MENTION: Final = re.compile(rf"(?<![\w.])({CLAUSE.pattern})(?!\w)")
PRESET_NOTE: Final = r"`{name}` \(((?:[^()`]|`[^`]*`|\([^()]*\))*)\)"
STEP_BREAK: Final = re.compile(r",\s+")


class Heading(NamedTuple):
    """One line of the table of contents."""

    id: str
    text: str


class Rules(NamedTuple):
    """The rules of a game, ready for the template."""

    title: str
    html: str
    contents: list[Heading]
    clauses: tuple[str, ...]
    figures: list[Example]


@cache
def rules(game_id: str) -> Rules:
    """Return the rendered rules of a game, cached."""
    return render(registry.game(game_id), registry.read_rules(game_id), examples(game_id))


def render(game: AnyGame, text: str, shown: Sequence[Example] = ()) -> Rules:
    """Render rules as HTML with the examples at their clauses; raise if a ``board`` block is invalid."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse(text)
    title = pop_title(tokens) or game.info.title
    clauses = tuple(_mark_clauses(tokens))
    _link_mentions(tokens, clauses)
    contents = list(_mark_headings(tokens))
    figures = list(_place_blocks(game, tokens, clauses))
    tokens = list(_with_examples(game.info, tokens, clauses, shown, figures))
    html = markdown.renderer.render(tokens, markdown.options, {})
    html = html.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
    return Rules(title, html, contents, clauses, figures)


def pop_title(tokens: list[Token]) -> str:
    """Remove and return the first heading, which the page shows itself."""
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":  # noqa: PLR2004 - open, text, close
        title = tokens[1].content
        del tokens[:3]
        return title
    return ""


# ---- clauses


def _mark_clauses(tokens: Sequence[Token]) -> Iterator[str]:
    """Add an anchor to every list item that starts with a clause in bold; yield the clauses."""
    for item, inline in zip(tokens, tokens[2:], strict=False):
        if item.type != "list_item_open" or inline.type != "inline":
            continue
        name = _leading_clause(inline.children or [])
        if name:
            item.attrSet("id", name)
            item.attrSet("class", "clause")
            yield name


def _leading_clause(children: list[Token]) -> str:
    """Return the clause at the start of a paragraph and turn it into a link to itself; empty if there is none."""
    kinds = [child.type for child in children[:4]]
    # The parser puts an empty text before opening markup.
    first = 1 if kinds[:1] == ["text"] and not children[0].content else 0
    if kinds[first : first + 2] != ["strong_open", "text"]:
        return ""
    name = children[first + 1].content
    if not CLAUSE.fullmatch(name):
        return ""
    children[first + 1] = _html_token(f'<a class="clause-name" href="#{name}">{name}</a>')
    return name


def _link_mentions(tokens: Sequence[Token], clauses: Sequence[str]) -> None:
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = [_link_token(child, clauses) for child in token.children]


def _link_token(child: Token, clauses: Sequence[str]) -> Token:
    if child.type != "text" or not MENTION.search(child.content):
        return child
    return _html_token(link_clauses(child.content, clauses))


def link_clauses(text: str, clauses: Sequence[str]) -> str:
    """Return a text as HTML in which every clause is a link.

    >>> link_clauses("R7 & R9", ["R7"])
    '<a href="#R7">R7</a> &amp; R9'
    """
    link = r'<a href="#\1">\1</a>'
    return MENTION.sub(lambda found: found.expand(link) if found[1] in clauses else found[1], escape(text, quote=False))


def _html_token(text: str) -> Token:
    return Token("html_inline", "", 0, content=text)


# ---- headings


def _mark_headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            heading = Heading(slug(inline.content), inline.content)
            token.attrSet("id", heading.id)
            if token.tag == "h2":
                yield heading


def slug(text: str) -> str:
    """Return the anchor of a heading.

    >>> slug("Ends that are ours")
    'ends-that-are-ours'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


# ---- drawn examples


def _place_blocks(game: AnyGame, tokens: Sequence[Token], clauses: Sequence[str]) -> Iterator[Example]:
    """Replace the ``board`` blocks in the text with figures; yield their examples."""
    number = 0
    for token in tokens:
        if token.type == "fence" and token.info.strip() == "board":
            block = read_board(game, token.content)
            token.type, token.content = "html_block", _figure(game.info, block, number, clauses)
            number += 1
            yield block


def read_board(game: AnyGame, text: str) -> Example:
    """Return the example of a ``board`` block; raise if the position or a step is invalid."""
    first, _, caption = text.strip().partition("\n")
    position, _, steps = (part.strip() for part in first.partition(" > "))
    match = Match.start(game, game.decode(position))
    for step in STEP_BREAK.split(steps) if steps else []:
        seat = game.to_move(match.state)[0]
        match = match.play(seat, game.parse_move(match.state, step))
    return Example((), "", " ".join(caption.split()), match, position, steps)


def _with_examples(
    info: GameInfo, tokens: Sequence[Token], clauses: Sequence[str], shown: Sequence[Example], figures: list[Example]
) -> Iterator[Token]:
    """Yield the tokens with every example after the first clause it names; each chapter's first example is open."""
    open_clauses: list[str] = []
    fresh_chapter = True
    for token in tokens:
        if token.type in {"heading_open", "html_block"}:
            fresh_chapter = token.type == "heading_open"
        elif token.type == "list_item_open":
            open_clauses.append(str(token.attrGet("id") or ""))
        elif token.type == "list_item_close":
            clause = open_clauses.pop()
            for example in shown:
                if clause and next((name for name in example.clauses if name in clauses), "") == clause:
                    html = _collapsible_figure(info, example, len(figures), clauses, opened=fresh_chapter)
                    figures.append(example)
                    fresh_chapter = False
                    yield Token("html_block", "", 0, content=html)
        yield token


def _collapsible_figure(info: GameInfo, example: Example, number: int, clauses: Sequence[str], *, opened: bool) -> str:
    title = escape(example.title[:1].upper() + example.title[1:])
    figure = _figure(info, example, number, clauses)
    return f'<details class="drawn"{" open" if opened else ""}><summary>{title}</summary>{figure}</details>\n'


def _figure(info: GameInfo, example: Example, number: int, clauses: Sequence[str]) -> str:
    # An image file instead of inline SVG: it loads lazily, and screen readers skip the many spaces of the board.
    address = f"/rules/{info.id}/{number}.svg?theme=auto"
    explore = escape(f"/positions/{info.id}?p={quote(example.before)}")
    description = escape(example.title or example.caption)
    turn = f"<code>{escape(example.text)}</code> " if example.text else ""
    return (
        f'<figure class="example" id="example-{number + 1}"><img src="{address}" alt="Board: {description}" '
        f'loading="lazy" width="508" height="566" data-themed><figcaption>{turn}'
        f"{link_clauses(example.caption, clauses)} "
        f'<a href="{explore}">Try it<span class="unseen">: {description}</span></a></figcaption></figure>\n'
    )


@cache
def figure_picture(game_id: str, number: int, theme: str) -> str | None:
    """Return the picture of an example; None if the number is out of range."""
    figures = rules(game_id).figures
    if not 0 <= number < len(figures):
        return None
    match = figures[number].match
    return draw_whole(match.game, match.view(None), theme)


# ---- presets


@cache
def preset_notes(game_id: str) -> dict[str, str]:
    """Return the note about each preset, in parentheses after its name in the rules; empty if it only lists clauses.

    The rules list the presets after the word "Presets:", and may mention them before.
    """
    text = " ".join(registry.read_rules(game_id).split()).partition("Presets:")[2]
    return {name: _preset_note(text, name) for name in registry.info(game_id).presets}


def _preset_note(text: str, name: str) -> str:
    found = re.search(PRESET_NOTE.format(name=re.escape(name)), text)
    if found is None or CLAUSE.match(found[1]):
        return ""
    # The values after a colon are left out: every page shows them anyway.
    sentence = found[1].partition(":")[0].replace("`", "")
    return f"{sentence[:1].upper()}{sentence[1:]}."


EXAMPLE_EVENT: Final = re.compile(rf"({CLAUSE.pattern}(?:(?:, | and ){CLAUSE.pattern})*): (.+)")


class Example(NamedTuple):
    """An example of a clause: the match that leads to the board, and the position in which readers can try it."""

    clauses: tuple[str, ...]
    title: str
    caption: str
    match: Match
    before: str  # the position before the turn
    text: str  # the turn in notation


@cache
def examples(game_id: str) -> tuple[Example, ...]:
    """Return the examples from a game's records, sorted by record name."""
    return tuple(_find_examples(records(game_id)))


def _find_examples(candidates: list[Record]) -> Iterator[Example]:
    for record in candidates:
        event = EXAMPLE_EVENT.fullmatch(record.headers.get("Event", ""))
        if event is not None and record.turns:
            clauses = tuple(CLAUSE.findall(event[1]))
            index = turn_index_to_draw(record, clauses)
            turn = record.turns[index]
            caption = f"{record.comment} {turn.comment}".strip()
            match, before = record.replay(index + 1), record.game.encode(turn.before)
            yield Example(clauses, event[2], caption, match, before, turn.text)


def turn_index_to_draw(record: Record, clauses: tuple[str, ...]) -> int:
    """Return the index of the turn to draw.

    This is the first turn whose comment names one of the clauses; else the last turn, if the record has no comments or
    ends with an outcome; else the first turn with a comment.
    """
    commented = [index for index, turn in enumerate(record.turns) if turn.comment]
    naming = [index for index in commented if set(clauses) & set(CLAUSE.findall(record.turns[index].comment))]
    if naming:
        return naming[0]
    if not commented or record.outcome() is not None:
        return len(record.turns) - 1
    return commented[0]
