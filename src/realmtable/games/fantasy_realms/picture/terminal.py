"""The table for a terminal, to be read by its characters alone."""

from __future__ import annotations

import textwrap
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.captions import SEATS, View, counted, headline, name, order, warning
from realmtable.games.fantasy_realms.picture.card_status import Standing, signed, standings
from realmtable.kit.terminal_picture import Sketch, Span

_WIDE: Final = 79  # columns of the longest lines
_INDENT: Final = "     "
_BESIDE: Final = 12  # where what is known of a seat begins
_COLUMN: Final = 25  # where the sentences of a scored realm begin


def sketch(view: View) -> Sketch:
    """The table as lines: who does what, the others, what lies open, and the viewer's hand with what it gives."""
    lines: Sketch = [[Span(headline(view), "title")]]
    lines += [[Span(alarm, "last")]] if (alarm := warning(view)) else []
    if view["scores"] is not None:
        return [*lines, *(line for seat in order(view) for line in _realm(view, seat))]
    lines += [[], *(line for seat in range(view["seats"]) for line in _seat(view, seat))]
    lines += [*_discard(view), *_trade(view)]
    return lines if view["hand"] is None else [*lines, *_hand(view)]


def _seat(view: View, seat: int) -> Sketch:
    mark = Span("> " if seat == view["seat"] else "  ")
    facts = [counted(view["counts"][seat], "card")] + ["ready"] * bool(view["ready"][seat])
    facts += ["with " + ", ".join(view["known"][seat])] * bool(view["known"][seat])
    first, *rest = textwrap.wrap("  ".join(facts), _WIDE - _BESIDE)
    head = [mark, Span(f"{name(view, seat):<8}", "active" if seat == view["seat"] else "title"), Span("  " + first)]
    return [head, *([Span(" " * _BESIDE + line)] for line in rest)]


def _discard(view: View) -> Sketch:
    if view["limit"] is None:
        return [[], [Span(f"Deck: {view['deck']} cards", "label")]]
    head = f"Discard area: {len(view['discard'])} of {view['limit']}; deck: {view['deck']} cards"
    return [
        [],
        [Span(head, "title")],
        *(_open(entry["card"], f"from {SEATS[entry['seat']]}") for entry in view["discard"]),
    ]


def _open(card: str, note: str) -> list[Span]:
    printed = BY_NAME[card]
    return [Span(f"  {printed.strength:>2} {card:<18}"), Span(f"{printed.suit:<9} {note}", "label")]


def _trade(view: View) -> Sketch:
    offers = [_open(entry["card"], f"on offer by {name(view, entry['seat'])}") for entry in view["offers"]]
    bids = [_open(entry["card"], f"bid for {entry['for']} by {name(view, entry['seat'])}") for entry in view["bids"]]
    return [[], [Span("Trading", "title")], *offers, *bids] if offers or bids else []


def _hand(view: View) -> Sketch:
    known = standings(view["worth"])
    worth = f", worth {view['worth']['total']} now" if view["worth"] else ""
    lines: Sketch = [[], [Span(f"Your realm{worth}", "title")]]
    for card in view["hand"]:
        lines += _held(card, known.get(card), new=card in view["drawn"])
    return lines


def _held(card: str, standing: Standing | None, *, new: bool) -> Sketch:
    """A card of the hand, a star where it is new: what it gives and why, then its texts."""
    printed = BY_NAME[card]
    head = f"{'*' if new else ' '} {printed.strength:>2} {card:<18}{printed.suit:<9}"
    gives = f"{signed(standing.points, plus=''):>4}" if standing else ""
    texts = " ".join(part for part in (printed.bonus_text, printed.penalty_text) if part)
    lines: Sketch = [[Span(head), Span(gives, "title")]]
    if standing:
        lines += [[Span(line, "faint" if standing.blanked else "plain")] for line in _wrapped(standing.sentence)]
    return [*lines, *([Span(line, "label")] for line in _wrapped(texts))]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDE, initial_indent=_INDENT, subsequent_indent=_INDENT)


def _realm(view: View, seat: int) -> Sketch:
    told = view["scores"][seat]
    head = f"{view['ranking'][seat]}. {name(view, seat)}: {told['total']}"
    lines: Sketch = [[], [Span(head, "active" if view["ranking"][seat] == 1 else "title")]]
    for card, standing in standings(told).items():
        style = "faint" if standing.blanked else "plain"
        first, *rest = textwrap.wrap(standing.sentence, _WIDE - _COLUMN) or [""]
        lines.append([Span(f"  {signed(standing.points, plus=''):>4} {card:<18}{first}".rstrip(), style)])
        lines += [[Span(" " * _COLUMN + line, style)] for line in rest]
    return lines
