"""Plays the experiments of the balance study in turn and writes the page: `python -m studies.balance --minutes 60`.

Every experiment gets the same time, in short slices, so that all have results whenever the run ends. Finished games are
cached: the same command continues. The results are written after each slice, a line of JSON per experiment.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Any, Final

import click

from realmtable.cli.command_helpers import write_bytes
from realmtable.lab.balance.balance_result import BalanceResult
from realmtable.lab.balance.game_cache import GameCache, default_cache_path, open_game_cache
from realmtable.lab.balance.measures import find_measure
from realmtable.lab.balance.run_experiment import run_experiment
from realmtable.lab.jobs.local_runner import LocalRunner
from studies.balance.page import format_study
from studies.balance.plan import PLAN, PlannedExperiment

RESULTS: Final = Path(__file__).with_name("results.jsonl")
PAGE: Final = Path(__file__).with_name("balance.md")
MAX_USES: Final = 12  # the most used pieces, cards or actions of a setting that are stored
MIN_GAMES: Final = 2  # an interval needs at least two games per setting
DIGITS: Final = 5  # of the numbers that are stored
GAMES: Final = sorted({planned.game for planned in PLAN})


def play_slice(planned: PlannedExperiment, cache: GameCache, seconds: float) -> BalanceResult:
    """Play an experiment for some seconds; it is interrupted after the game that exceeds them."""
    end = monotonic() + seconds

    def stop_in_time(done: int, wanted: int) -> None:
        if done < wanted and monotonic() >= end:
            raise KeyboardInterrupt

    return run_experiment(planned.design(), planned.make_rule(), LocalRunner(1), cache, stop_in_time)


def summarise(planned: PlannedExperiment, result: BalanceResult) -> dict[str, Any]:
    """Return what the page needs of a result, as plain data."""
    data = {"command": planned.make_command(), **result.as_dict()}
    for index, setting in enumerate(data["settings"]):
        setting["labels"] = list(result.experiment.settings[index].labels)
        setting["changes"] = list_changes(result, index)
        setting["uses"] = setting["uses"][:MAX_USES]
    rounded: dict[str, Any] = round_numbers(data)
    return rounded


def list_changes(result: BalanceResult, index: int) -> list[dict[str, Any]]:
    """Return how the first player's share differs from that of the setting with the first value of each factor."""
    changes = []
    all_labels = [setting.labels for setting in result.experiment.settings]
    labels = all_labels[index]
    for place, factor in enumerate(result.experiment.factors):
        if labels[place] != factor.labels[0]:
            base = all_labels.index((*labels[:place], factor.labels[0], *labels[place + 1 :]))
            difference = result.compare(find_measure("first_player"), index, base)
            changes.append({"factor": factor.name, "difference": None if difference is None else difference.as_dict()})
    return changes


def round_numbers(data: Any) -> Any:  # noqa: ANN401 - any plain data
    """Round all numbers in plain data.

    >>> round_numbers({"mean": [1 / 3, 2], "name": "x"})
    {'mean': [0.33333, 2], 'name': 'x'}
    """
    if isinstance(data, float):
        return round(data, DIGITS)
    if isinstance(data, dict):
        return {name: round_numbers(value) for name, value in data.items()}
    return [round_numbers(value) for value in data] if isinstance(data, list | tuple) else data


def read_results(path: Path) -> list[dict[str, Any]]:
    """Read the results, a line of JSON each."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def merge_results(path: Path, fresh: dict[str, Any]) -> None:
    """Put a result into the file of results, in the order of the plan, in place of an older one."""
    known = {result["command"]: result for result in read_results(path)} | {fresh["command"]: fresh}
    ordered = [known[command] for planned in PLAN if (command := planned.make_command()) in known]
    text = "".join(json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n" for result in ordered)
    write_bytes(path, text.encode())  # at once: it holds the games of hours


def play_study(plan: list[PlannedExperiment], cache: GameCache, results: Path, minutes: float, slice_s: float) -> None:
    """Play the experiments in turn until all have ended or the time is over; each has at least one turn."""
    end = monotonic() + 60 * minutes
    waiting = list(plan)
    turns = 0
    while waiting and (turns < len(plan) or monotonic() < end):
        planned = waiting.pop(0)
        result = play_slice(planned, cache, min(slice_s, end - monotonic()))
        turns += 1
        if result.games_per_setting >= MIN_GAMES:
            merge_results(results, summarise(planned, result))
        if result.interrupted:
            waiting.append(planned)
        click.echo(f"{result.games_per_setting} games per setting: {planned.make_command()}", err=True)


@click.command(help=__doc__)
@click.option("--game", "games", type=click.Choice(GAMES), multiple=True, help="Only this game; repeatable.")
@click.option("--minutes", type=click.FloatRange(0), default=60.0, show_default=True, help="0 only writes the page.")
@click.option("--slice", "slice_s", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True)
@click.option("--cache", type=click.Path(dir_okay=False, path_type=Path), help="File of finished games.")
def main(games: tuple[str, ...], minutes: float, slice_s: float, cache: Path | None) -> None:
    """Play, store the results and write the page."""
    if minutes:
        plan = [planned for planned in PLAN if not games or planned.game in games]
        with open_game_cache(cache or default_cache_path()) as opened:
            play_study(plan, opened, RESULTS, minutes, slice_s)
    PAGE.write_text(format_study(read_results(RESULTS)), encoding="utf-8")
    click.echo(f"Wrote {PAGE.name}.", err=True)


if __name__ == "__main__":
    main()
