"""All checks, and which of them a game must pass.

The checks are the functions of the modules here that return nothing and take one argument: `play`, a random game or its
beginning, or `game`. A check of what a game does not offer passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import isfunction
from types import ModuleType
from typing import Any

from hypothesis import given

from realmtable.conformance import (
    complete_checks,
    number_checks,
    picture_checks,
    rule_checks,
    text_checks,
    view_checks,
    whole_game_checks,
)
from realmtable.conformance.random_games import RandomGame, limit_examples, random_games
from realmtable.engine.protocol import AnyGame, Tier

EXAMPLES = 2  # one with the default options, one with others
MOST_STEPS = 110  # of the random games that most checks look at
PlayCheck = Callable[[RandomGame], None]
GameCheck = Callable[[AnyGame], None]


def _find_checks(parameter: str, *modules: ModuleType) -> tuple[Callable[[Any], None], ...]:
    """Return the checks of some modules, in the order of their definitions."""
    functions = [each for module in modules for each in vars(module).values() if isfunction(each)]
    return tuple(
        each
        for each in functions
        if [*each.__annotations__] == [parameter, "return"] and each.__annotations__["return"] == "None"
    )


PLAY_CHECKS: tuple[PlayCheck, ...] = _find_checks(
    "play", rule_checks, text_checks, view_checks, picture_checks, number_checks
)
GAME_CHECKS: tuple[GameCheck, ...] = _find_checks("game", whole_game_checks)
COMPLETE_CHECKS: tuple[GameCheck, ...] = _find_checks("game", complete_checks)


@dataclass(frozen=True)
class Check:
    """A check of a game; `run` raises AssertionError if the game fails."""

    name: str
    run: Callable[[AnyGame], None]

    def __str__(self) -> str:
        return self.name


def checks_for(game: AnyGame, tier: Tier | None = None) -> list[Check]:
    """Return the checks that a game of a tier must pass, by default of the one that it declares."""
    of_tier = COMPLETE_CHECKS if (tier or game.info.tier) == "complete" else ()
    plays = [Check(check.__name__, _on_random_games(check)) for check in PLAY_CHECKS]
    return plays + [Check(check.__name__, check) for check in (*GAME_CHECKS, *of_tier)]


def _on_random_games(check: PlayCheck) -> GameCheck:
    return lambda game: check_random_games(check, game, EXAMPLES, MOST_STEPS)


def check_random_games(check: PlayCheck, game: AnyGame, examples: int, most_steps: int | None = None) -> None:
    """Run a check on some random games, or on their first steps."""

    @limit_examples(examples)
    @given(random_games(game, limit=most_steps))
    def holds(play: RandomGame) -> None:
        check(play)

    holds()
