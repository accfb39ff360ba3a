"""Calculators that some games have for people at a real table: they score hands, or forecast battles.

A game names the module of its calculator in `GameInfo.hand_scorer` or `GameInfo.battle_calculator`. Commands, pages and
the API work with any of them. A question is whatever `read` returns; it can be pickled, and answers are plain JSON
data.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias, TypeVar

from realmtable.engine import registry
from realmtable.engine.options import OptionInfo

QuestionT = TypeVar("QuestionT")
Question: TypeAlias = Any  # a game's own question, where the game is not known
CardList = str | Sequence[str]  # names of cards, or one text with commas between them


class HandScorer(Protocol[QuestionT]):
    """Scores hands of one game; its module holds it as `SCORER`.

    The rules are not loaded with it, so that a caller can still choose how they run once the hand has been read.
    """

    def read(
        self, hand: CardList, discard: CardList = (), choose: Iterable[str] = (), options: Sequence[str] = ()
    ) -> QuestionT:
        """Parse a question from texts: cards, choices like ``CARD=CHOICE`` and options like ``KEY=VALUE``.

        Raises `BadInput`, which says what is wrong with them.
        """

    def list_known_cards(self, text: str) -> list[str]:
        """Return the full names of the cards in a list, without those that no card has."""

    def describe_unusual_size(self, question: QuestionT) -> str:
        """Say what is unusual about the size of a hand; empty if nothing is."""

    def effort(self, question: QuestionT) -> int:
        """Return roughly how many combinations of choices must be tried to score a hand."""

    def best_score(self, question: QuestionT) -> dict[str, Any]:
        """Return the score with the best choices.

        It has the `total`, the `cards` with their `card`, `points` and `sentence`, the `choices` and the `eighth` card.
        """

    def sheet(self, question: QuestionT) -> dict[str, Any]:
        """Return the score with every choice and its alternatives."""

    def check_advice(self, question: QuestionT, seats: int, taken: CardList) -> None:
        """Raise `BadInput` if there is no advice on a hand with these other players."""

    def is_advice_slow(self, question: QuestionT) -> bool:
        """Whether advice tries so many choices that compiling the rules for it saves time."""

    def advise(self, question: QuestionT, seats: int, taken: CardList, rng: Random) -> dict[str, Any]:
        """Return advice on the next step with a hand while the game goes on, in the form of `HasAdvice.advice`.

        `seats` counts all players; `taken` are cards that others are known to hold. Raises `BadInput` if there is none.
        """

    def card_tiles(self) -> Mapping[str, Any]:
        """Return all cards for a page to choose from, with their colours, emblems and labels."""

    def scoring_options(self) -> list[OptionInfo]:
        """Return the rule options that a score depends on."""


class BattleCalculator(Protocol[QuestionT]):
    """Calculates battles of one game; its module holds it as `CALCULATOR`."""

    how_to_write: str  # a sentence with an example
    examples: tuple[str, ...]  # battles that show what can be written

    def read(self, text: str) -> QuestionT:
        """Return the battle that a line describes. Raises `BadInput`, which says what is wrong with it."""

    def calculate(self, question: QuestionT) -> dict[str, Any]:
        """Return the chances of a battle.

        It has a `title`, the `gear` that is used, the best `plays` with their `words` and the chances to `kill`, `die`
        and be `wounded` in the first round, the `reasons` for the best one, the chances to `win`, `die` and `end`
        without a decision by the end of each of the `rounds`, the `number` of `kills` by `name`, the `wounds` on
        average, the share of battles whose end is `unknown`, and a sentence on `running`, which is empty if fighting is
        better.
        """


AnyHandScorer = HandScorer[Any]
AnyBattleCalculator = BattleCalculator[Any]


def find_hand_scorer(game_id: str) -> AnyHandScorer | None:
    """Return the scorer of a game, or None if the game has none."""
    module = registry.info(game_id).hand_scorer
    scorer: AnyHandScorer | None = importlib.import_module(module).SCORER if module else None
    return scorer


def find_battle_calculator(game_id: str) -> AnyBattleCalculator | None:
    """Return the calculator of a game, or None if the game has none."""
    module = registry.info(game_id).battle_calculator
    calculator: AnyBattleCalculator | None = importlib.import_module(module).CALCULATOR if module else None
    return calculator


def first_game_with_hands() -> str | None:
    """Return the id of the first game whose hands can be scored, or None if there is none."""
    return next((info.id for info in registry.infos() if info.hand_scorer), None)


def first_game_with_battles() -> str | None:
    """Return the id of the first game whose battles can be calculated, or None if there is none."""
    return next((info.id for info in registry.infos() if info.battle_calculator), None)
