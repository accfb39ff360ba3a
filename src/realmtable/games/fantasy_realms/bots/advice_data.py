"""What advice looks like as plain data: choices with their worth on a common scale, and a hand as small cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor
from typing import Any, Final, NamedTuple

from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.picture.card import CHIP_HIGH, CHIP_WIDE, Place, chip
from realmtable.games.fantasy_realms.picture.card_status import signed
from realmtable.games.fantasy_realms.picture.style import NAME
from realmtable.games.fantasy_realms.state import Step
from realmtable.kit.svg import element

ROUND: Final = 10  # scales begin and end with multiples of this
EDGE: Final = 2  # around a small card


class Row(NamedTuple):
    """One choice: what it is called, what it is worth on average, and between what in most games."""

    words: str
    value: float
    low: float
    high: float
    text: str  # the worth in words
    step: Step | None = None  # what to do for it; None where it cannot be done now
    lead: float | None = None  # points more than the best other player; None where that is not asked

    @property
    def rank(self) -> float:
        """By what it is better or worse than others."""
        return self.value if self.lead is None else self.lead


def certain(words: str, value: float, text: str, step: Step | None = None) -> Row:
    """A choice whose worth is known."""
    return Row(words, value, value, value, text, step)


def chart(title: str, rows: Sequence[Row], *, note: str, best: Row | None, zero: bool = False) -> dict[str, Any]:
    """Rows below each other, from good to bad, of which `best` is what one should do.

    `zero` lets bars begin at 0, else they begin where the scale does.
    """
    low, high = _scale(rows, zero=zero)
    return {
        "title": title,
        "note": note,
        "from": 0 if zero else low,
        "low": low,
        "high": high,
        "choices": [_choice(row, rows[0], best=row is best, zero=zero) for row in rows],
    }


def _scale(rows: Iterable[Row], *, zero: bool) -> tuple[int, int]:
    values = [value for row in rows for value in (row.value, row.low, row.high)] + [0] * zero
    low, high = floor(min(values) / ROUND) * ROUND, ceil(max(values) / ROUND) * ROUND
    return low - ROUND * (not zero), max(high, low + ROUND)


def _choice(row: Row, first: Row, *, best: bool, zero: bool) -> dict[str, Any]:
    return {
        "words": row.words,
        "move": "" if row.step is None else format_move(row.step),
        "value": round(row.value, 1),
        "low": round(row.low, 1),
        "high": round(row.high, 1),
        "lead": None if row.lead is None else round(row.lead, 1),
        "behind": round(first.rank - row.rank, 1),
        "best": best,
        "shown": signed(round(row.value), "+" if zero else ""),
        "span": "" if row.low == row.high else f"{signed(round(row.low), '')} to {signed(round(row.high), '')}",
        "text": row.text,
    }


# ---- the hand that one is heading for


def hand_to_come(cards: Sequence[tuple[CardId, float]], held: Sequence[CardId], total: int) -> dict[str, Any]:
    """The cards of a hand with how likely each is, and what they would score together."""
    return {
        "total": total,
        "cards": [
            {
                "card": CARDS[card].name,
                "chance": round(chance, 3),
                "held": card in held,
                "picture": small_card(card, chance, held=card in held),
            }
            for card, chance in cards
        ],
    }


def small_card(card: CardId, chance: float, *, held: bool) -> str:
    """A small card with how likely it is; its style comes with the other pictures of the page."""
    note = f"{round(chance * 100)} %{', you hold it' if held else ''}"
    return element(
        "svg",
        chip(CARDS[card].name, place=Place((EDGE, EDGE)), note=note),
        viewBox=f"0 0 {CHIP_WIDE + 2 * EDGE} {CHIP_HIGH + 2 * EDGE}",
        class_=f"rt-board rt-{NAME} rt-auto",
    )
