"""The page of the balance study: who wins in the order of play, what options change, and how the lead changes hands."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any, Final

from realmtable.engine import registry
from realmtable.lab.jobs.code_version import SHOWN
from studies.balance.plan import PLAN

PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
SHOWN_USES: Final = 6
FEWEST_GAMES: Final = 10  # per setting; experiments with fewer count as not played
HEAD: Final = """# Balance of the games

Whom do the rules favour, which options even that out, and does the answer change with stronger play? Each table is one
experiment of [`realmtable lab balance`](../../docs/study/lab.md): the same bot plays all seats, and all settings of a
table share their seeds. Brackets hold 95% intervals.

`python -m studies.balance` plays all experiments in turn, continues where it stopped, stores the results in
`results.jsonl` and writes this page, which rests on {games:,} games; those that several experiments share are counted
in each. An experiment ends when the first player's share is known to ±5 points, or ±2.5 where games are quick and ±10
where they are slow. {progress}
Each says how many games it has and which version of the rules and bots played them.

**Strengths.** Levels 2 and 5 are those of the tables. Level 8 thinks for two seconds on two threads, so its games
depend on the machine. The study limits it by nodes, so that its games can be repeated: `level8:nodes=1000` is the
search of level 8 with 1,000 nodes, which is between levels 6 and 7; where a game takes long, fewer nodes. On a quiet
machine level 8 searches far more, so nothing here is about its full strength. The bots of Fantasy Realms need no clock:
there, level 8 is the real one. Magic Realm has no level above 5.
"""
ALL_ENDED: Final = "All {experiments} experiments got that far."
SOME_ENDED: Final = """**{ended} of {experiments} experiments got that far.**
The others ended when the time was over, whatever they showed by then."""
FINDINGS_HEAD: Final = """## What is clear

These are the clear rows of the next two tables. The others are compatible with equal seats, or with options that change
nothing, but also with an advantage or a change as large as their intervals allow.
"""
SUMMARY_HEAD: Final = """## What the options change

The first player's share of the wins with the first value of an option and with the other one, and the paired
difference. If the difference is clear (its interval excludes 0), the last column says where it leads: it *evens out*
the seats, *reverses* the advantage (the other side gets more than half of it) or *widens* it. Of twenty options that
change nothing, one would look clear by chance.

| game | option | bot | games | before | after | difference | |
|---|---|---|---:|---|---|---|---|"""
STRENGTH_HEAD: Final = """## What stronger play changes

With the standard options, or the first value of each. *Clear* means that the interval excludes what equal seats would
win.

| game | players | bot | games | first player wins | advantage |
|---|---:|---|---:|---|---|"""
DETAILS_HEAD: Final = """## All experiments

p is the probability of wins at least as uneven if all seats won alike. Drama is the share of turns after which another
seat than the winner led; a comeback is a game whose winner was behind in its middle.
[Experiments](../../docs/study/lab.md) says what leading and first gains mean in each game.
"""
UNPLAYED_HEAD: Final = """## Not played yet

There was no time for ten games of these experiments; `python -m studies.balance` plays them. See also [the balance of
Realms of Etherium](../etherium/balance.md), which was measured with a quick bot, [the openings of
Realm](../openings/openings.md) and [the bots of Magic Realm](../magic_realm/bots.md).
"""


def format_study(results: list[dict[str, Any]]) -> str:
    """Return the whole page. Experiments with few games are left out."""
    results = [result for result in results if result["games_per_setting"] >= FEWEST_GAMES]
    games = sum(result["games_per_setting"] * len(result["settings"]) for result in results)
    head = HEAD.format(games=games, progress=describe_progress(results))
    rows = [row for result in results for row in summarise_options(result)]
    strengths = keep_largest([row for result in results for row in summarise_strengths(result)])
    parts = [head, FINDINGS_HEAD, *list_findings(rows, strengths), "", SUMMARY_HEAD, *rows, ""]
    parts += [STRENGTH_HEAD, *strengths, "", DETAILS_HEAD]
    for game, same in groupby(results, key=lambda result: str(result["game"])):
        parts += [f"### {registry.info(game).title}\n", *map(format_experiment, same)]
    return "\n".join([*parts, *list_unplayed(results)])


def describe_progress(results: list[dict[str, Any]]) -> str:
    """Say how many experiments have ended as planned.

    >>> describe_progress([{"interrupted": False}, {"interrupted": False}])
    'All 2 experiments got that far.'
    """
    ended = sum(not result["interrupted"] for result in results)
    return (ALL_ENDED if ended == len(results) else SOME_ENDED).format(ended=ended, experiments=len(results))


def list_unplayed(results: list[dict[str, Any]]) -> list[str]:
    """Return a section with the planned experiments that have no results."""
    played = {result["command"] for result in results}
    missing = [command for planned in PLAN if (command := planned.make_command()) not in played]
    return [UNPLAYED_HEAD, *(f"- `{command}`" for command in missing), ""] if missing else []


# ---- summaries


def list_findings(changes: list[str], strengths: list[str]) -> list[str]:
    """Return a sentence for each row of the summaries that is clear."""
    found = []
    for row in strengths:
        game, players, bot, games, share, advantage = split_row(row)
        if advantage.startswith("clear"):
            whom = advantage.removeprefix("clear, for ")
            wins = f"the first wins {share} of {games} games"
            found.append(f"- **{game}**, {players} players, {bot}: an advantage for {whom}; {wins}.")
    for row in changes:
        game, option, bot, games, *_, difference, verdict = split_row(row)
        if verdict != "not clear":
            found.append(f"- **{game}**, {option}, {bot}: {verdict}, {difference} in {games} pairs of games.")
    return found or ["- Nothing."]


def keep_largest(rows: list[str]) -> list[str]:
    """Return one row for each game, number of players and bot: the one with the most games. Experiments share games.

    >>> keep_largest(["| a | 2 | x | 9 | 50% | |", "| a | 2 | x | 1,000 | 40% | |", "| b | 2 | x | 1 | 0% | |"])
    ['| a | 2 | x | 1,000 | 40% | |', '| b | 2 | x | 1 | 0% | |']
    """
    best: dict[tuple[str, ...], tuple[int, str]] = {}
    for row in rows:
        *same, games = split_row(row)[:4]
        found = int(games.replace(",", "")), row
        best[*same,] = max(best.get((*same,), found), found, key=lambda each: each[0])
    return [row for _, row in best.values()]


def split_row(row: str) -> list[str]:
    """Return the cells of a row of a table.

    >>> split_row("| a | b c |")
    ['a', 'b c']
    """
    return row.removeprefix("| ").removesuffix(" |").split(" | ")


def summarise_options(result: dict[str, Any]) -> list[str]:
    """Return a row for each option of an experiment and each combination of everything else."""
    rows = []
    for place, factor in enumerate(result["factors"]):
        if factor["name"] == "bots":
            continue
        by_labels = {(*setting["labels"],): setting for setting in result["settings"]}
        for labels, after in by_labels.items():
            low = factor["values"][0]
            if labels[place] != low:
                before = by_labels[*labels[:place], low, *labels[place + 1 :]]
                rows.append(_summarise_change(result, factor["name"], before, after, labels, place))
    return rows


def _summarise_change(
    result: dict[str, Any],
    option: str,
    before: dict[str, Any],
    after: dict[str, Any],
    labels: tuple[str, ...],
    place: int,
) -> str:
    names = [factor["name"] for factor in result["factors"]]
    others = [
        f"{name}={label}"
        for index, (name, label) in enumerate(zip(names, labels, strict=True))
        if index != place and name != "bots"
    ]
    change = next(row for row in after["changes"] if row["factor"] == option)["difference"]
    ends = [before["measures"]["first_player"], after["measures"]["first_player"]]
    low = dict(zip(names, before["labels"], strict=True))[option]
    cells = [
        registry.info(result["game"]).title,
        ", ".join([f"{option}: {low} → {labels[place]}", *others]),
        before["bot"],
        f"{result['games_per_setting']:,}",
        *map(format_share, ends),
        format_difference(change),
        judge_change(ends[0]["mean"], ends[1]["mean"], change, 1 / result["players"]),
    ]
    return f"| {' | '.join(cells)} |"


def judge_change(before: float, after: float, change: dict[str, Any] | None, par: float) -> str:
    """Say what an option does to the first player's advantage, if it is clear that it does something.

    >>> clear = {"low": -0.2, "high": -0.1}
    >>> [judge_change(before, after, clear, 0.5) for before, after in ((0.6, 0.48), (0.55, 0.4), (0.5, 0.4))]
    ['evens out', 'reverses', 'widens']
    >>> judge_change(0.6, 0.52, {"low": -0.2, "high": 0.1}, 0.5)
    'not clear'
    """
    if change is None or change["low"] <= 0 <= change["high"]:
        return "not clear"
    had, has = before - par, after - par
    if had * has < 0:
        return "evens out" if abs(has) <= abs(had) / 2 else "reverses"
    return "evens out" if abs(has) < abs(had) else "widens"


def summarise_strengths(result: dict[str, Any]) -> list[str]:
    """Return a row for each bot with the first values of all options."""
    rows = []
    first = result["settings"][0]["labels"]
    for setting in result["settings"]:
        pairs = zip(result["factors"], first, setting["labels"], strict=True)
        if all(one == other for factor, one, other in pairs if factor["name"] != "bots"):
            share = setting["measures"]["first_player"]
            cells = [
                registry.info(result["game"]).title + describe_base(setting),
                str(result["players"]),
                setting["bot"],
                f"{result['games_per_setting']:,}",
                format_share(share),
                judge_share(share, 1 / result["players"]),
            ]
            rows.append(f"| {' | '.join(cells)} |")
    return rows


def describe_base(setting: dict[str, Any]) -> str:
    """Return the options that differ from the standard ones, in brackets; empty if none does."""
    return f" ({', '.join(setting['options'])})" if setting["options"] else ""


def judge_share(share: dict[str, Any], par: float) -> str:
    """Say whether the first player has an advantage.

    >>> [judge_share({"low": low, "high": low + 0.1}, 0.5) for low in (0.3, 0.45, 0.55)]
    ['clear, for the others', 'none is clear', 'clear, for the first']
    """
    if share["low"] > par:
        return "clear, for the first"
    return "clear, for the others" if share["high"] < par else "none is clear"


# ---- experiments


def format_experiment(result: dict[str, Any]) -> str:
    """Return the table of one result, with its command, its effects, first gains and uses."""
    places = PLACES[: result["players"]]
    heads = ["setting", *(f"{place} wins" for place in places), "p", "decided", "turns", "drama", "comebacks"]
    until = "" if not result["interrupted"] else ", when the time was over"
    played = f"{result['games_per_setting']:,} games per setting{until} (code `{result['code'][:SHOWN]}`)"
    lines = [
        f"{played}: `{shorten_command(result)}`\n",
        f"| {' | '.join(heads)} |",
        f"|---|{'---|' * (len(heads) - 1)}",
    ]
    for setting in result["settings"]:
        measures = setting["measures"]
        cells = [
            setting["label"],
            *map(format_share, setting["by_order"]),
            format_probability(setting["evenness_probability"]),
            format_share(measures["decided"]),
            format_mean(measures["turns"]),
            format_share(measures.get("drama")),
            format_share(measures.get("comeback")),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", *list_effects(result), *list_firsts(result), list_uses(result), ""])


def list_effects(result: dict[str, Any]) -> list[str]:
    """Return sentences on how the first player's share changes with each factor."""
    return [describe_effect(effect) for effect in result["effects"] if effect["measure"] == "first_player"]


def describe_effect(effect: dict[str, Any]) -> str:
    """Say how a factor changes the first player's share."""
    clear = effect["low"] > 0 or effect["high"] < 0
    return (
        f"- `{effect['factor']}` from {effect['from']} to {effect['to']}: the first player wins "
        f"{format_difference(effect)}, {'a clear change' if clear else 'no clear change'}."
    )


def list_firsts(result: dict[str, Any]) -> list[str]:
    """Return sentences on the first gains in the first setting."""
    setting = result["settings"][0]
    names = [name for name in setting["measures"] if name.startswith("first_") and name != "first_player"]
    found = [(name, setting["measures"][name]) for name in names if setting["measures"][name] is not None]
    return [
        f"- {result['measures'][name]['title']} ({setting['label']}): {format_share(estimate)}."
        for name, estimate in found
    ]


def list_uses(result: dict[str, Any]) -> str:
    """Return a sentence on what was used most in the first setting."""
    setting = result["settings"][0]
    uses = [f"{use['word']} {use['per_game']:.1f}" for use in setting["uses"][:SHOWN_USES]]
    return f"- Used most per game ({setting['label']}): {', '.join(uses)}."


def shorten_command(result: dict[str, Any]) -> str:
    """Return the command with the number of games that were finished."""
    kept = re.sub(r" --until-half-width \S+", "", result["command"])
    return f"{kept} --games {result['games_per_setting']}"


def format_share(estimate: dict[str, Any] | None) -> str:
    """Format a share with its interval."""
    if estimate is None:
        return "–"
    return f"{estimate['mean']:.1%} ({estimate['low']:.1%} to {estimate['high']:.1%})"


def format_mean(estimate: dict[str, Any]) -> str:
    """Format a mean with its interval."""
    return f"{estimate['mean']:.1f} ({estimate['low']:.1f} to {estimate['high']:.1f})"


def format_difference(estimate: dict[str, Any] | None) -> str:
    """Format a difference of shares in points with its interval."""
    if estimate is None:
        return "–"
    mean, low, high = (f"{100 * estimate[end]:+z.1f}".replace("-", "−") for end in ("mean", "low", "high"))
    return f"{mean} points ({low} to {high})"


def format_probability(probability: float | None) -> str:
    """Format the probability of a test."""
    if probability is None:
        return "–"
    return f"{probability:.2g}" if probability >= 0.0001 else "< 0.0001"
