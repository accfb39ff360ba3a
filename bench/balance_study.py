"""Write docs/balance.md from the results of experiments: `python -m bench.balance_study study/*/result.json`.

Each result comes from `realmtable lab balance … --out FOLDER`. The page shows who wins in the order of play, how long
games last and how the lead changes, for every setting and with intervals.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final, TextIO

import click

from realmtable.engine import registry

PAGE: Final = Path(__file__).parent.parent / "docs" / "balance.md"
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
HEAD: Final = """# Balance of the games

Whom do the rules favour, and does that change with the options and with stronger play? Each table is one experiment
of [`realmtable lab balance`](lab.md): the same bot plays all seats, and all settings of a table share their seeds.
Brackets hold 95% intervals. p is the probability of wins at least as uneven if all seats won alike. Drama is the share
of turns after which another seat than the winner led; a comeback is a game whose winner was behind in its middle.
"""


def format_study(results: list[dict[str, Any]], notes: str = "") -> str:
    """Return the page of several results, with notes of the author at its beginning."""
    return "\n".join([HEAD, *([f"{notes.strip()}\n"] if notes else []), *map(format_experiment, results)])


def format_experiment(result: dict[str, Any]) -> str:
    """Return the section of one result."""
    title = registry.info(result["game"]).title
    places = PLACES[: result["players"]]
    heads = ["setting", *(f"{place} wins" for place in places), "p", "decided", "turns", "drama", "comebacks"]
    lines = [
        f"## {title}, {result['players']} players\n",
        f"{result['games_per_setting']:,} games per setting: `{shorten_command(result)}`\n",
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
    return "\n".join([*lines, *list_effects(result), ""])


def list_effects(result: dict[str, Any]) -> list[str]:
    """Return sentences on how the first player's share changes with each factor."""
    found = [effect for effect in result["effects"] if effect["measure"] == "first_player"]
    return ["", *map(describe_effect, found)] if found else []


def describe_effect(effect: dict[str, Any]) -> str:
    """Say how a factor changes the first player's share."""
    mean, low, high = (f"{100 * effect[end]:+.1f}".replace("-", "−") for end in ("mean", "low", "high"))
    clear = effect["low"] > 0 or effect["high"] < 0
    verdict = "a clear change" if clear else "no clear change"
    return (
        f"- `{effect['factor']}` from {effect['from']} to {effect['to']}: the first player wins {mean} points "
        f"({low} to {high}), {verdict}."
    )


def shorten_command(result: dict[str, Any]) -> str:
    """Return the command with the number of games that were finished, and without its files and workers."""
    kept = re.sub(r" --(games|until-half-width|workers|out|cluster) \S+| --(no-cache|html|json)", "", result["command"])
    return f"{kept} --games {result['games_per_setting']}"


def format_share(estimate: dict[str, Any] | None) -> str:
    """Format a share with its interval."""
    if estimate is None:
        return "–"
    return f"{estimate['mean']:.1%} ({estimate['low']:.1%} to {estimate['high']:.1%})"


def format_mean(estimate: dict[str, Any]) -> str:
    """Format a mean with its interval."""
    return f"{estimate['mean']:.1f} ({estimate['low']:.1f} to {estimate['high']:.1f})"


def format_probability(probability: float | None) -> str:
    """Format the probability of a test."""
    if probability is None:
        return "–"
    return f"{probability:.2g}" if probability >= 0.0001 else "< 0.0001"


@click.command(help=__doc__)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--write", default=PAGE, show_default=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--notes", type=click.File(encoding="utf-8"), help="A text to put before the tables.")
def main(files: tuple[Path, ...], write: Path, notes: TextIO | None) -> None:
    """Read the results and write the page."""
    results = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    write.write_text(format_study(results, notes.read() if notes else ""), encoding="utf-8")
    click.echo(f"{write}: {len(results)} experiments.")


if __name__ == "__main__":
    main()
