"""Advice as plain data: charts of choices on a common scale, and a hand as small cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor
from typing import Any, Final, NamedTuple

from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.picture.card_group import CHIP_HEIGHT, CHIP_WIDTH, CardPlacement
from realmtable.games.fantasy_realms.picture.chip import draw_chip
from realmtable.games.fantasy_realms.picture.style import STYLE_NAME
from realmtable.games.fantasy_realms.state import Step
from realmtable.kit.svg import element
from realmtable.kit.wording import format_signed

SCALE_STEP: Final = 10  # scales begin and end at multiples of this
CARD_MARGIN: Final = 2  # around a small card


class ChartRow(NamedTuple):
    """One choice: its name, its average value and its range in most games."""

    words: str
    value: float
    low: float
    high: float
    text: str  # the value in words
    step: Step | None = None  # the step to take; None if it is not possible now
    lead: float | None = None  # points ahead of the best other player; None if not estimated

    @property
    def rank(self) -> float:
        """The number that choices are compared by."""
        return self.value if self.lead is None else self.lead


def certain_row(words: str, value: float, text: str, step: Step | None) -> ChartRow:
    """Return a choice whose value is certain."""
    return ChartRow(words, value, value, value, text, step)


def make_chart(
    title: str, rows: Sequence[ChartRow], *, note: str, best: ChartRow | None, zero: bool = False
) -> dict[str, Any]:
    """Return a chart of rows, best first; `best` is the recommended one.

    With `zero`, bars begin at 0; otherwise they begin at the low end of the scale.
    """
    low, high = _scale(rows, zero=zero)
    return {
        "title": title,
        "note": note,
        "from": 0 if zero else low,
        "low": low,
        "high": high,
        "choices": [_choice_data(row, rows[0], best=row is best, zero=zero) for row in rows],
    }


def _scale(rows: Iterable[ChartRow], *, zero: bool) -> tuple[int, int]:
    values = [value for row in rows for value in (row.value, row.low, row.high)] + [0] * zero
    low, high = floor(min(values) / SCALE_STEP) * SCALE_STEP, ceil(max(values) / SCALE_STEP) * SCALE_STEP
    return low - SCALE_STEP * (not zero), max(high, low + SCALE_STEP)


def _choice_data(row: ChartRow, first: ChartRow, *, best: bool, zero: bool) -> dict[str, Any]:
    return {
        "words": row.words,
        "move": "" if row.step is None else format_move(row.step),
        "value": round(row.value, 1),
        "low": round(row.low, 1),
        "high": round(row.high, 1),
        "lead": None if row.lead is None else round(row.lead, 1),
        "behind": round(first.rank - row.rank, 1),
        "best": best,
        "shown": format_signed(round(row.value), "+" if zero else ""),
        "span": ""
        if row.low == row.high
        else f"{format_signed(round(row.low), '')} to {format_signed(round(row.high), '')}",
        "text": row.text,
    }


# ---- the hand the player is heading for


def heading_data(cards: Sequence[tuple[CardId, float]], held: Sequence[CardId], total: int) -> dict[str, Any]:
    """Return the cards of a hand, how likely each is, and what they would score together."""
    return {
        "total": total,
        "cards": [
            {
                "card": CARDS[card].name,
                "chance": round(chance, 3),
                "held": card in held,
                "picture": draw_small_card(card, chance, held=card in held),
            }
            for card, chance in cards
        ],
    }


def draw_small_card(card: CardId, chance: float, *, held: bool) -> str:
    """Draw a small card with its likelihood; the page's other pictures provide the style."""
    note = f"{round(chance * 100)}%{', you hold it' if held else ''}"
    return element(
        "svg",
        draw_chip(CARDS[card].name, None, CardPlacement((CARD_MARGIN, CARD_MARGIN)), note),
        viewBox=f"0 0 {CHIP_WIDTH + 2 * CARD_MARGIN} {CHIP_HEIGHT + 2 * CARD_MARGIN}",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
    )
