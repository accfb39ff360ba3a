"""Answers the open questions from the summary of an opening study, in words and as a documentation page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from realmtable.lab.openings.opening_statistics import find_class_row, find_joint_row
from realmtable.lab.openings.opening_study import FREE, STANDARD

EVEN: Final = 0.5
MAX_SHOWN: Final = 10  # placements in each list
TITLES: Final = {
    STANDARD: "Standard rules, Bases placed at random",
    FREE: "Standard rules, the bots place their Bases",
    "second_moves_first=true": "The second to place moves first",
    "first_turn_single_power=true": "Only one Power moves on the first turn",
    "extra_base_second=true": "The second mover has an extra Base",
    "bases=11": "11 Bases",
    "bases=13": "13 Bases",
    "bases=14": "14 Bases",
}
SEPARATE: Final = "b11-h2-k5"
FAIR: Final = ("b11-e8-h5", "b2-e5-h8")

Row = Mapping[str, Any]


def percent(share: float) -> str:
    """Format a share.

    >>> percent(0.5312)
    '53.1%'
    """
    return f"{100 * share:.1f}%"


def format_score(row: Row) -> str:
    """Format a score with its interval."""
    return f"{percent(row['score'])} ({percent(row['low'])} to {percent(row['high'])})"


def format_difference(row: Row) -> str:
    """Format a difference in hundredths of the score, with its interval.

    >>> format_difference({"value": -0.021, "plus_minus": 0.008})
    '−2.1 ± 0.8 points'
    """
    sign = "+" if row["value"] >= 0 else "−"
    return f"{sign}{100 * abs(row['value']):.1f} ± {100 * row['plus_minus']:.1f} points"


def is_significant(row: Row) -> bool:
    """Whether a difference is more than chance: its interval excludes 0."""
    return bool(abs(row["value"]) > row["plus_minus"])


def add_titles(data: dict[str, Any]) -> dict[str, Any]:
    """Add titles of the runs, ranks of the classes and the findings to a summary."""
    order = sorted(data["classes"], key=lambda row: -row["both"]["score"] if row["both"] else 0.0)
    places = {row["name"]: place for place, row in enumerate(order, 1)}
    classes = [{**row, "rank": places[row["name"]]} for row in data["classes"]]
    runs = [{**row, "title": TITLES.get(row["run"], row["run"])} for row in data["runs"]]
    return {**data, "classes": classes, "runs": runs, "findings": findings(data)}


def findings(data: Row) -> list[dict[str, str]]:
    """Answer the magazine's open questions; questions without figures are left out."""
    found = [
        ("Is moving first an advantage?", _answer_first_mover(data)),
        ("What do the remedies change?", _answer_remedies(data)),
        ("Which placements are good?", _answer_best_placements(data)),
        ("Should the Bases be close together and hold a central Realm?", _answer_spread(data)),
        (f"Is {SEPARATE} a bad placement?", _answer_separate(data)),
        (f"Is {FAIR[0]} against {FAIR[1]} a fair start?", _answer_fair(data)),
        ("Do nine Realms win?", _answer_nine(data)),
    ]
    return [{"question": question, "answer": answer} for question, answer in found if answer]


def _answer_first_mover(data: Row) -> str:
    overall = data["overall"]
    if overall is None:
        return ""
    over = f"Over all placements, the first mover scores {format_score(overall)} in {overall['games']:,} games."
    free = next((row for row in data["runs"] if row["run"] == FREE), None)
    placed = (
        f" When the bots also place their Bases, it is {format_score(free)} in {free['games']:,} games." if free else ""
    )
    return f"{_verdict(overall)} {over}{placed}"


def _verdict(overall: Row) -> str:
    if overall["low"] > EVEN:
        return "Yes, in this bot's games."
    if overall["high"] < EVEN:
        return "No, in this bot's games moving second is better."
    return "The games do not show one: an even score is within the interval."


def _answer_remedies(data: Row) -> str:
    remedies = [_describe_remedy(row) for row in data["runs"] if row["difference"]]
    intro = "The first mover's score, and the difference from the standard rules on the same placements."
    return " ".join([intro, *remedies]) if remedies else ""


def _describe_remedy(row: Row) -> str:
    change = row["difference"]
    return f"{TITLES.get(row['run'], row['run'])}: {format_score(row)}, {format_difference(change)}{_doubt(change)}."


def _answer_best_placements(data: Row) -> str:
    rows = sorted((row for row in data["classes"] if row["both"]), key=lambda row: -row["both"]["score"])
    if not rows:
        return ""
    best, worst = rows[0], rows[-1]
    return (
        f"Over both sides, class {best['name']} ({best['bases']}) scores best, {format_score(best['both'])}, and "
        f"class {worst['name']} ({worst['bases']}) worst, {format_score(worst['both'])}. "
        f"{_overlap_text(best['both'], worst['both'])}"
    )


def _overlap_text(best: Row, worst: Row) -> str:
    if best["low"] > worst["high"]:
        return "The intervals do not overlap: this is more than chance."
    return "The intervals overlap, so the order of the classes is not certain."


def _answer_spread(data: Row) -> str:
    found = data["effects"]
    if not found:
        return ""
    central, apart = found["central"], found["spread"]
    return (
        f"Each additional central Realm is worth {format_difference(central)} of the score{_doubt(central)}; "
        f"each additional Realm of distance between the Bases {format_difference(apart)}{_doubt(apart)}."
    )


def _doubt(row: Row) -> str:
    return "" if is_significant(row) else ", which may be chance"


def _answer_separate(data: Row) -> str:
    row = find_class_row(data, SEPARATE)
    rows = [each for each in data["classes"] if each["both"]]
    if row["both"] is None:
        return ""
    place = 1 + sum(each["both"]["score"] > row["both"]["score"] for each in rows)
    if row["both"]["high"] < EVEN:
        verdict = "Yes."
    elif row["both"]["low"] > EVEN:
        verdict = "No, the study contradicts that."
    else:
        verdict = "It is not clearly worse than even."
    return f"{verdict} Its class {row['name']} scores {format_score(row['both'])} and is number {place} of {len(rows)}."


def _answer_fair(data: Row) -> str:
    row = find_joint_row(data, *FAIR)
    if row is None:
        return ""
    if row["low"] <= EVEN <= row["high"]:
        verdict = "Nothing speaks against it: an even score is within the interval."
    else:
        verdict = f"Not quite: {'White' if row['score'] > EVEN else 'Black'} is better off."
    return f"{verdict} White, who moves first, scores {format_score(row)} after {row['games']:,} games."


def _answer_nine(data: Row) -> str:
    row = data["nine"]
    if row is None:
        return ""
    return (
        f"In {percent(row['share'])} of the games a player controls nine Realms before the end; the first to do so "
        f"scores {format_score(row)} in {row['games']:,} games."
    )


# ---- the documentation page


def format_page(data: Row, commands: str) -> str:
    """Format the study as a Markdown page, with the commands that made it."""
    parts = [
        "# The openings of Realm",
        _about(data),
        "```\n" + commands.strip() + "\n```",
        "## Findings",
        "\n\n".join(f"**{each['question']}** {each['answer']}" for each in data["findings"]),
        "## The sixteen classes",
        "The score of each class against all placements of the opponent, weighted by how often they occur.",
        _class_table(data),
        "## Moving first, by rule options",
        _run_table(data),
        "## Joint placements",
        "Scores are shrunk towards the prediction from the two classes, more so with fewer games.",
        f"The {MAX_SHOWN} best for White:",
        _joint_table(data["joints"][:MAX_SHOWN]),
        f"The {MAX_SHOWN} best for Black:",
        _joint_table(data["joints"][::-1][:MAX_SHOWN]),
    ]
    return "\n\n".join(parts) + "\n"


def _about(data: Row) -> str:
    return (
        f"{data['games']:,} games of the bot `{data['bot']}` against itself, played and summarised by these commands. "
        "Intervals are 95%. They apply to this bot's play; a stronger player may get different results."
    )


def _class_table(data: Row) -> str:
    head = (
        "| class | Bases | central Realms | mean distance | as White | as Black | both |\n|---|---|---|---|---|---|---|"
    )
    rows = sorted(data["classes"], key=lambda row: int(row["rank"]))
    return "\n".join([head, *(_class_line(row) for row in rows)])


def _class_line(row: Row) -> str:
    scores = [format_score(row[side]) if row[side] else "–" for side in ("white", "black", "both")]
    return f"| {row['name']} | {row['bases']} | {row['central']} | {row['spread']} | {' | '.join(scores)} |"


def _run_table(data: Row) -> str:
    head = "| rules | first mover's score | games | against the standard rules | turns |\n|---|---|---|---|---|"
    return "\n".join([head, *(_run_line(row) for row in data["runs"])])


def _run_line(row: Row) -> str:
    change = format_difference(row["difference"]) if row["difference"] else "–"
    return f"| {row['title']} | {format_score(row)} | {row['games']:,} | {change} | {row['turns']} |"


def _joint_table(rows: list[Row]) -> str:
    head = "| White v Black | classes | White's score | raw | games |\n|---|---|---|---|---|"
    lines = [
        f"| {row['text']} | {' v '.join(row['classes'])} | {format_score(row)} | {percent(row['raw'])} "
        f"| {row['games']} |"
        for row in rows
    ]
    return "\n".join([head, *lines])
