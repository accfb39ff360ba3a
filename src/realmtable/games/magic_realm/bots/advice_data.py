"""Advice as plain data, as `HasAdvice` requires."""

from __future__ import annotations

from math import ceil
from typing import Any


def make_advice(move: str, words: str, reason: str, rows: list[dict[str, Any]], note: str) -> dict[str, Any]:
    """Return advice; the first of the choices is the best."""
    rows[0]["best"] = True
    high = max(1, ceil(max(row["value"] for row in rows)))
    chart = {"title": "What to do?", "note": note, "from": 0, "low": 0, "high": high, "choices": rows}
    return {"move": move, "words": words, "reason": reason, "charts": [chart], "heading": None, "needs": []}


def make_choice(words: str, move: str, value: float, behind: float, unit: str) -> dict[str, Any]:
    """Return one row of a chart, with points or without."""
    number = round(max(0.0, value), 1)
    is_number = unit == "points"
    return {
        "words": words,
        "move": move,
        "value": number,
        "low": number,
        "high": number,
        "lead": None,
        "behind": round(max(0.0, behind), 1),
        "best": False,
        "shown": f"{number:.1f}" if is_number else "",
        "span": "",
        "text": f"{number:.1f} points" if is_number else "the best choice",
    }
