"""Experiments whose games are made up."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from realmtable.lab.balance.experiment import BalanceTask, Experiment, Factor, design_experiment
from realmtable.lab.balance.game_facts import GameFacts, LeadFacts

DOUBLE = Factor("double_moves", ("off", "on"), ("off", "on"))


def make_experiment(*factors: Factor, bots: Iterable[str] = ("random",), **more: Any) -> Experiment:  # noqa: ANN401 - as the experiment takes them
    return design_experiment("classic_realm", factors, bots=[*bots], **more)


def make_facts(first_share: float = 1.0, **changes: Any) -> GameFacts:  # noqa: ANN401 - as the facts have them
    """Return the facts of a game; `first_share` is that of seat 0, which plays first."""
    values: dict[str, Any] = {
        "shares": (first_share, 1 - first_share),
        "scores": (4.0, 1.0),
        "reason": "all_in_water",
        "first": 0,
        "turns": 10,
        "steps": 12,
        "lead": LeadFacts(0.25, 2, comeback=False, settled=0.5),
        "firsts": {"capture": 0, "lead": 1},
        "used": {"F": (6, 5), "end": (1, 0)},
        "seconds": 0.5,
    }
    return GameFacts(**{**values, **changes})


class FakeRunner:
    """A fake runner: answers each task by calling a function, in reverse order, and records the tasks."""

    def __init__(self, answer: Callable[[BalanceTask], GameFacts] = lambda _: make_facts(), limit: int = 10**9) -> None:
        self.answer = answer
        self.limit = limit  # of games before an interrupt
        self.asked: list[BalanceTask] = []

    def run(self, _: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[Any, Any], None, None]:
        for task in [*tasks][::-1]:
            if len(self.asked) >= self.limit:
                raise KeyboardInterrupt
            self.asked.append(task)
            yield task, self.answer(task).as_dict()
