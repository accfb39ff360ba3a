"""Plays the games of an experiment: a fixed number, or until every interval is narrow enough."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from realmtable.lab.balance.balance_result import BalanceResult
from realmtable.lab.balance.experiment import BalanceTask, Experiment
from realmtable.lab.balance.game_cache import GameCache
from realmtable.lab.balance.game_facts import GameFacts, facts_from_dict, play_balance_game
from realmtable.lab.balance.stop_rule import StopRule
from realmtable.lab.jobs.job_runner import JobRunner

OnGame = Callable[[int, int], None]  # games finished, and games planned so far


def run_experiment(
    experiment: Experiment,
    rule: StopRule,
    runner: JobRunner,
    cache: GameCache,
    on_game: OnGame = lambda _done, _planned: None,
) -> BalanceResult:
    """Play the missing games of an experiment. An interrupt returns the result so far; finished games are kept.

    Raises `BadInput` if the rule is about a measure that no game has, `BotFailed` and what runners raise.
    """
    found: dict[str, GameFacts] = {}
    planned = 0
    interrupted = False
    for games in rule.looks():
        tasks = [
            experiment.make_task(setting, number)
            for number in range(planned, games)
            for setting in range(len(experiment.settings))
        ]
        planned = games
        interrupted = _play_missing(tasks, found, runner, cache, on_game, planned * len(experiment.settings))
        if interrupted or rule.is_met(collect_games(experiment, found, planned)):
            break
    return BalanceResult(experiment, rule, tuple(map(tuple, collect_games(experiment, found, planned))), interrupted)


def _play_missing(
    tasks: list[BalanceTask],
    found: dict[str, GameFacts],
    runner: JobRunner,
    cache: GameCache,
    on_game: OnGame,
    planned: int,
) -> bool:
    """Play the tasks that the cache does not know, and return whether it was interrupted."""
    keys = {task.key(): task for task in tasks}  # options that a setting ignores may make tasks equal
    found |= cache.find([*keys])
    missing = {task: key for key, task in keys.items() if key not in found}
    try:
        on_game(len(found), planned)
        with closing(runner.run(play_balance_game, [*missing])) as results:
            for task, facts in results:
                cache.add(missing[task], facts)
                found[missing[task]] = facts_from_dict(facts)
                on_game(len(found), planned)
    except KeyboardInterrupt:
        return True
    return False


def collect_games(experiment: Experiment, found: dict[str, GameFacts], planned: int) -> list[list[GameFacts]]:
    """Return each setting's games in the order of their numbers: only numbers that all settings have played.

    Whatever happens to be finished at an interrupt must not decide what counts, so games are counted up to the first
    number that is missing.
    """
    games: list[list[GameFacts]] = [[] for _ in experiment.settings]
    for number in range(planned):
        row = [found.get(experiment.make_task(setting, number).key()) for setting in range(len(games))]
        if None in row:
            break
        for setting, facts in zip(games, row, strict=True):
            assert facts is not None  # noqa: S101 - checked above
            setting.append(facts)
    return games
