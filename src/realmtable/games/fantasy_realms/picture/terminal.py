"""The table for a terminal, readable without colours."""

from __future__ import annotations

import textwrap
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.captions import (
    SEAT_NAMES,
    end_warning,
    headline,
    seat_name,
    seats_by_rank,
    worth_text,
)
from realmtable.games.fantasy_realms.picture.card_status import CardStatus, card_statuses, describe_change
from realmtable.kit.terminal_picture import Sketch, Span
from realmtable.kit.wording import format_count, format_signed

_LINE_WIDTH: Final = 79  # columns
_INDENT: Final = "     "
_FACTS_COLUMN: Final = 12  # where the facts about a seat begin
_SENTENCE_COLUMN: Final = 25  # where the sentences of a scored realm begin


def sketch(view: View) -> Sketch:
    """Return the table as lines: the headline, the seats, the open cards, and the viewer's hand with its points."""
    lines: Sketch = [[Span(headline(view), "title")]]
    lines += [[Span(warning, "last")]] if (warning := end_warning(view)) else []
    if view["scores"] is not None:
        return [*lines, *(line for seat in seats_by_rank(view) for line in _realm_lines(view, seat))]
    lines += [[], *(line for seat in range(view["seats"]) for line in _seat_lines(view, seat))]
    lines += [*_discard_lines(view), *_trade_lines(view)]
    return lines if view["hand"] is None else [*lines, *_hand_lines(view)]


def _seat_lines(view: View, seat: int) -> Sketch:
    mark = Span("> " if seat == view["seat"] else "  ")
    facts = [format_count(view["counts"][seat], "card")] + ["ready"] * bool(view["ready"][seat])
    facts += ["with " + ", ".join(view["known"][seat])] * bool(view["known"][seat])
    first, *rest = textwrap.wrap("  ".join(facts), _LINE_WIDTH - _FACTS_COLUMN)
    head = [
        mark,
        Span(f"{seat_name(view, seat):<8}", "active" if seat == view["seat"] else "title"),
        Span("  " + first),
    ]
    return [head, *([Span(" " * _FACTS_COLUMN + line)] for line in rest)]


def _discard_lines(view: View) -> Sketch:
    if view["limit"] is None:
        return [[], [Span(f"Deck: {view['deck']} cards", "label")]]
    head = f"Discard area: {len(view['discard'])} of {view['limit']}; deck: {view['deck']} cards"
    return [
        [],
        [Span(head, "title")],
        *(_open_card_line(entry["card"], f"from {SEAT_NAMES[entry['seat']]}") for entry in view["discard"]),
    ]


def _open_card_line(card: str, note: str) -> list[Span]:
    printed = BY_NAME[card]
    return [Span(f"  {printed.strength:>2} {card:<18}"), Span(f"{printed.suit:<9} {note}", "label")]


def _trade_lines(view: View) -> Sketch:
    offers = [
        _open_card_line(entry["card"], f"on offer by {seat_name(view, entry['seat'])}") for entry in view["offers"]
    ]
    bids = [
        _open_card_line(entry["card"], f"bid for {entry['for']} by {seat_name(view, entry['seat'])}")
        for entry in view["bids"]
    ]
    return [[], [Span("Trading", "title")], *offers, *bids] if offers or bids else []


def _hand_lines(view: View) -> Sketch:
    known = card_statuses(view["worth"])
    worth = f", {worth_text(view['worth'])} now" if view["worth"] else ""
    lines: Sketch = [[], [Span(f"Your realm{worth}", "title")]]
    for card in view["hand"]:
        lines += _hand_card_lines(card, known.get(card), new=card in view["drawn"])
    return lines


def _hand_card_lines(card: str, status: CardStatus | None, *, new: bool) -> Sketch:
    """Return the lines of a card in the hand, with a star if it is new: its points and why, then its texts."""
    printed = BY_NAME[card]
    head = f"{'*' if new else ' '} {printed.strength:>2} {card:<18}{printed.suit:<9}"
    gives = f"{format_signed(status.points, plus=''):>4}" if status else ""
    texts = " ".join(part for part in (printed.bonus_text, printed.penalty_text) if part)
    lines: Sketch = [[Span(head), Span(gives, "title")]]
    if status:
        lines += [[Span(line, "title")] for line in _wrap(describe_change(status))]
        lines += [[Span(line, "faint" if status.blanked else "plain")] for line in _wrap(status.sentence)]
    return [*lines, *([Span(line, "label")] for line in _wrap(texts))]


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, _LINE_WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)


def _realm_lines(view: View, seat: int) -> Sketch:
    score = view["scores"][seat]
    head = f"{view['ranking'][seat]}. {seat_name(view, seat)}: {score['total']}"
    lines: Sketch = [[], [Span(head, "active" if view["ranking"][seat] == 1 else "title")]]
    for card, status in card_statuses(score).items():
        style = "faint" if status.blanked else "plain"
        words = ". ".join(part for part in (describe_change(status), status.sentence) if part)
        first, *rest = textwrap.wrap(words, _LINE_WIDTH - _SENTENCE_COLUMN) or [""]
        lines.append([Span(f"  {format_signed(status.points, plus=''):>4} {card:<18}{first}".rstrip(), style)])
        lines += [[Span(" " * _SENTENCE_COLUMN + line, style)] for line in rest]
    return lines
