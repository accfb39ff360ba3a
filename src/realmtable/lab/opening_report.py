"""What an opening study answers, in plain words and as a page of the documentation; every figure is the summary's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from realmtable.lab.opening_statistics import find_class_row, find_joint_row
from realmtable.lab.opening_study import FREE, STANDARD

EVEN: Final = 0.5
MAX_SHOWN: Final = 10  # placements in each list
TITLES: Final = {
    STANDARD: "Standard rules, Bases placed at random",
    FREE: "Standard rules, the bots place their Bases",
    "second_moves_first=true": "Who placed second moves first",
    "first_turn_single_power=true": "The very first turn moves one single Power",
    "extra_base_second=true": "Who moves second has one Base more",
    "bases=11": "11 Bases",
    "bases=13": "13 Bases",
    "bases=14": "14 Bases",
}
SEPARATE: Final = "b11-h2-k5"
FAIR: Final = ("b11-e8-h5", "b2-e5-h8")

Row = Mapping[str, Any]


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.5312)
    '53.1 %'
    """
    return f"{100 * share:.1f} %"


def format_score(row: Row) -> str:
    """A score with its interval."""
    return f"{percent(row['score'])} ({percent(row['low'])} to {percent(row['high'])})"


def format_difference(row: Row) -> str:
    """A difference in hundredths of the score, with its interval.

    >>> format_difference({"value": -0.021, "plus_minus": 0.008})
    '−2.1 ± 0.8 points'
    """
    sign = "+" if row["value"] >= 0 else "−"
    return f"{sign}{100 * abs(row['value']):.1f} ± {100 * row['plus_minus']:.1f} points"


def is_significant(row: Row) -> bool:
    """Whether a difference is more than chance: its interval leaves 0 out."""
    return bool(abs(row["value"]) > row["plus_minus"])


def add_titles(data: dict[str, Any]) -> dict[str, Any]:
    """A summary with what people read: titles of the runs, places of the classes, and the findings."""
    order = sorted(data["classes"], key=lambda row: -row["both"]["score"] if row["both"] else 0.0)
    places = {row["name"]: place for place, row in enumerate(order, 1)}
    classes = [{**row, "rank": places[row["name"]]} for row in data["classes"]]
    runs = [{**row, "title": TITLES.get(row["run"], row["run"])} for row in data["runs"]]
    return {**data, "classes": classes, "runs": runs, "findings": findings(data)}


def findings(data: Row) -> list[dict[str, str]]:
    """The magazine's open questions with what the study says to each; one without figures is left out."""
    found = [
        ("Does moving first win?", _answer_first_mover(data)),
        ("What do the remedies do?", _answer_remedies(data)),
        ("Which placements are good?", _answer_best_placements(data)),
        ("Should the Bases stand close together, and hold a central Realm?", _answer_spread(data)),
        (f"Is {SEPARATE} a bad placement?", _answer_separate(data)),
        (f"Is {FAIR[0]} against {FAIR[1]} a fair beginning?", _answer_fair(data)),
        ("Do nine Realms win?", _answer_nine(data)),
    ]
    return [{"question": question, "answer": answer} for question, answer in found if answer]


def _answer_first_mover(data: Row) -> str:
    overall = data["overall"]
    if overall is None:
        return ""
    over = f"Over all placements who moves first scores {format_score(overall)} in {overall['games']:,} games."
    free = next((row for row in data["runs"] if row["run"] == FREE), None)
    placed = (
        f" Where the bots place their Bases as well it is {format_score(free)} in {free['games']:,} games."
        if free
        else ""
    )
    return f"{_verdict(overall)} {over}{placed}"


def _verdict(overall: Row) -> str:
    if overall["low"] > EVEN:
        return "Yes, by this bot's play: moving first is an advantage."
    if overall["high"] < EVEN:
        return "No, rather the contrary: by this bot's play moving second is the better side."
    return "Not that one could tell: an even game lies within the interval."


def _answer_remedies(data: Row) -> str:
    told = [_describe_remedy(row) for row in data["runs"] if row["difference"]]
    intro = "What who moves first scores, and how that differs from the standard rules on the same placements."
    return " ".join([intro, *told]) if told else ""


def _describe_remedy(row: Row) -> str:
    change = row["difference"]
    return f"{TITLES.get(row['run'], row['run'])}: {format_score(row)}, {format_difference(change)}{_doubt(change)}."


def _answer_best_placements(data: Row) -> str:
    rows = sorted((row for row in data["classes"] if row["both"]), key=lambda row: -row["both"]["score"])
    if not rows:
        return ""
    best, worst = rows[0], rows[-1]
    return (
        f"On both sides together class {best['name']} ({best['bases']}) scores best, {format_score(best['both'])}, and "
        f"class {worst['name']} ({worst['bases']}) worst, {format_score(worst['both'])}. "
        f"{_overlap_text(best['both'], worst['both'])}"
    )


def _overlap_text(best: Row, worst: Row) -> str:
    if best["low"] > worst["high"]:
        return "The intervals do not touch: this is more than chance."
    return "The intervals overlap: the order of the classes is not certain."


def _answer_spread(data: Row) -> str:
    found = data["effects"]
    if not found:
        return ""
    central, apart = found["central"], found["spread"]
    return (
        f"Each central Realm more is worth {format_difference(central)} of the score{_doubt(central)}; "
        f"each Realm of distance more between the Bases {format_difference(apart)}{_doubt(apart)}."
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
        verdict = "No, the study contradicts this."
    else:
        verdict = "It is not clearly worse than even."
    return f"{verdict} Its class {row['name']} scores {format_score(row['both'])} and is number {place} of {len(rows)}."


def _answer_fair(data: Row) -> str:
    row = find_joint_row(data, *FAIR)
    if row is None:
        return ""
    if row["low"] <= EVEN <= row["high"]:
        verdict = "Nothing speaks against it: an even score lies within the interval."
    else:
        verdict = f"Not quite: {'White' if row['score'] > EVEN else 'Black'} is better off."
    return f"{verdict} White, who moves first, scores {format_score(row)} after {row['games']:,} games."


def _answer_nine(data: Row) -> str:
    row = data["nine"]
    if row is None:
        return ""
    return (
        f"In {percent(row['share'])} of the games somebody controls nine Realms before the end; who is first to do so "
        f"scores {format_score(row)} in {row['games']:,} games."
    )


# ---- the page of the documentation


def format_page(data: Row, commands: str) -> str:
    """The study as a page in Markdown, with the commands that made it."""
    parts = [
        "# The openings of Realm",
        _about(data),
        "```\n" + commands.strip() + "\n```",
        "## What the study says",
        "\n\n".join(f"**{each['question']}** {each['answer']}" for each in data["findings"]),
        "## The sixteen classes",
        "Scores of the class's player against all placements of the other, each weighted by how often it occurs.",
        _class_table(data),
        "## Moving first, by rule options",
        _run_table(data),
        "## Joint placements",
        "Drawn towards what their classes let expect, the more the fewer games they have; the raw score stands beside.",
        f"The {MAX_SHOWN} best for White:",
        _joint_table(data["joints"][:MAX_SHOWN]),
        f"The {MAX_SHOWN} best for Black:",
        _joint_table(data["joints"][::-1][:MAX_SHOWN]),
    ]
    return "\n\n".join(parts) + "\n"


def _about(data: Row) -> str:
    return (
        f"{data['games']:,} games of the bot `{data['bot']}` against itself, made and told by these commands. "
        "Intervals are 95 %. They say how sure the figures are for this bot's play; a stronger player may find others."
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
    head = "| rules | who moves first scores | games | against the standard rules | turns |\n|---|---|---|---|---|"
    return "\n".join([head, *(_run_line(row) for row in data["runs"])])


def _run_line(row: Row) -> str:
    change = format_difference(row["difference"]) if row["difference"] else "–"
    return f"| {row['title']} | {format_score(row)} | {row['games']:,} | {change} | {row['turns']} |"


def _joint_table(rows: list[Row]) -> str:
    head = "| White v Black | classes | White scores | raw | games |\n|---|---|---|---|---|"
    lines = [
        f"| {row['text']} | {' v '.join(row['classes'])} | {format_score(row)} | {percent(row['raw'])} "
        f"| {row['games']} |"
        for row in rows
    ]
    return "\n".join([head, *lines])
