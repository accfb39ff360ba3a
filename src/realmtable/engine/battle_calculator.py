"""Chances of a battle, for the command and the page that calculate them for any game that has battles.

A game that can do this names the module in `GameInfo.battle_calculator`; that module's `CALCULATOR` is a
`BattleCalculator`.
"""

from __future__ import annotations

import importlib
from typing import Any, Protocol, TypeVar

from realmtable.engine import registry

QuestionT = TypeVar("QuestionT")


class BattleCalculator(Protocol[QuestionT]):
    """Calculates battles of one game. A question is whatever `read` returns; it can be pickled."""

    how_to_write: str  # a sentence with an example
    examples: tuple[str, ...]  # battles that show what can be written

    def read(self, text: str) -> QuestionT:
        """Return the battle that a line describes. Raises `BadInput`, which says what is wrong with it."""

    def calculate(self, question: QuestionT) -> dict[str, Any]:
        """Return the chances of a battle as plain JSON data.

        It has a `title`, the `gear` that is used, the best `plays` with their `words` and the chances to `kill`, `die`
        and be `wounded` in the first round, the `reasons` for the best one, the chances to `win`, `die` and `end`
        without a decision by the end of each of the `rounds`, the `number` of `kills` by `name`, the `wounds` on
        average, the share of battles whose end is `unknown`, and a sentence on `running`, which is empty if fighting is
        better.
        """


AnyBattleCalculator = BattleCalculator[Any]


def find_battle_calculator(game_id: str) -> AnyBattleCalculator | None:
    """Return the calculator of a game, or None if the game has none."""
    module = registry.info(game_id).battle_calculator
    if not module:
        return None
    found: AnyBattleCalculator = importlib.import_module(module).CALCULATOR
    return found


def first_game_with_battles() -> str | None:
    """Return the id of the first game whose battles can be calculated, or None if there is none."""
    return next((info.id for info in registry.infos() if info.battle_calculator), None)
