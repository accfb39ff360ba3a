"""Break the final scores down by kind of point (Q8), and name seats by their characters."""

from __future__ import annotations

from typing import Any, Final

from realmtable.engine.protocol import ScoreBreakdown, ScoreLine, Seat, View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.text.wording import NUMBER_WORDS
from realmtable.kit.wording import format_count, join_words

KIND_NAMES: Final = {
    "treasures": "Great treasures",
    "spells": "Spells",
    "fame": "Fame",
    "notoriety": "Notoriety",
    "gold": "Gold",
}


def seat_name(view: View, seat: Seat) -> str:
    """Return the character of a seat; empty before one is chosen."""
    return str(view["players"][seat]["character"])


def score_breakdowns(view: View) -> list[ScoreBreakdown]:
    """Return the score of each seat by kinds of points, best first; empty while the game goes on (Q8)."""
    scores = sorted(view["scores"] or (), key=lambda score: (score["rank"], score["seat"]))
    return [
        ScoreBreakdown(score["seat"], score["rank"], float(score["total"]), tuple(_list_lines(view, score)))
        for score in scores
    ]


def _list_lines(view: View, score: dict[str, Any]) -> list[ScoreLine]:
    if score["dead"]:
        return [ScoreLine("Dead at the end", float(score["total"]), "The character died and did not start again (Q8).")]
    lines = [_make_line(view, score, row) for row in score["rows"] if row["kind"] != "spells"]
    if score["dropped"]:
        names = join_words([name.replace("-", " ") for name in score["dropped"]])
        lines.append(ScoreLine("Too heavy", 0.0, f"Too heavy to carry, so left behind: {names} (Q7).", struck=True))
    return lines


def _make_line(view: View, score: dict[str, Any], row: dict[str, Any]) -> ScoreLine:
    points = row["basic"] + row["bonus"]
    factor = getattr(load_catalog().numbers.victory, "great_treasures" if row["kind"] == "treasures" else row["kind"])
    worth = _worth(view, score["seat"]) if row["kind"] == "gold" else 0
    assigned = (row["needed"] - worth) // factor
    beyond, at = row["owned"] - row["needed"], f"at {factor} per point"
    if beyond < 0:
        times = NUMBER_WORDS[load_catalog().numbers.victory.negatives_count]
        result = f"The missing {-beyond} count {times} times: {row['basic']}, {at}"
    else:
        result = f"The {beyond} beyond that give {row['basic']}, {at}"
    bonus = f", and {row['bonus']} more for the points assigned" if row["bonus"] else ""
    result = f". {result}{bonus}" if assigned or beyond else ""
    reason = f"Has {row['owned']}; {_describe_need(assigned, assigned * factor, worth)}{result} (Q8)."
    return ScoreLine(KIND_NAMES[row["kind"]], float(points), reason.replace("-", "−"))


def _describe_need(assigned: int, needed: int, worth: int) -> str:
    """Return what the points that were assigned ask for, besides what the character was worth at the start."""
    start = f"{worth} that the character was worth at the start" if worth else ""
    if not assigned:
        return f"needs the {start}" if worth else "needs none"
    return f"{format_count(assigned, 'point')} assigned need{'s' * (assigned == 1)} {needed}{start and f' and {start}'}"


def _worth(view: View, seat: Seat) -> int:
    character = load_catalog().names.by_name("character")[view["players"][seat]["character"]]
    return load_catalog().characters[character].worth
