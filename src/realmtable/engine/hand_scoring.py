"""Scoring hands that people hold at a real table, for the command, the page and the API that do it for any game.

A game that can do this names the module in `GameInfo.hand_scorer`; that module's `SCORER` is a `HandScorer`. The rules
are not loaded with it, so that a caller can still choose how they run once the hand has been read.
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
    """Scores hands of one game. A question is whatever `read` returns; it can be pickled."""

    def read(
        self, hand: CardList, discard: CardList = (), choose: Iterable[str] = (), options: Sequence[str] = ()
    ) -> QuestionT:
        """A question from texts: cards, choices like ``CARD=CHOICE`` and options like ``KEY=VALUE``.

        `BadInput` says what is wrong with them.
        """

    def readable(self, text: str) -> list[str]:
        """The full names of those cards in a list that can be read."""

    def describe_unusual_size(self, question: QuestionT) -> str:
        """What is unusual about the size of a hand, in words; an empty text if nothing is."""

    def effort(self, question: QuestionT) -> int:
        """Roughly how many ways of choosing a score has to try."""

    def best_score(self, question: QuestionT) -> dict[str, Any]:
        """The score with the best choices as plain JSON data.

        It has the `total`, the `cards` with their `card`, `points` and `sentence`, the `choices` and the `eighth` card.
        """

    def sheet(self, question: QuestionT) -> dict[str, Any]:
        """The score with every choice and its alternatives, as plain JSON data."""

    def check_advice(self, question: QuestionT, seats: int, taken: CardList) -> None:
        """Raise `BadInput` if there is no advice on a hand with these other players."""

    def is_advice_slow(self, question: QuestionT) -> bool:
        """Whether advice tries so many choices that compiling the rules for it saves time."""

    def advise(self, question: QuestionT, seats: int, taken: CardList, rng: Random) -> dict[str, Any]:
        """What to do next with a hand while the game goes on, as `HasAdvice.advice` returns it.

        `seats` counts all players; `taken` are cards that others are known to hold. `BadInput` if there is no advice.
        """

    def tiles(self) -> Mapping[str, Any]:
        """All cards for a page to choose from, with their colours, emblems and labels."""

    def rulings(self) -> list[OptionInfo]:
        """The rule options that a score depends on."""


AnyHandScorer = HandScorer[Any]


def hand_scorer(game_id: str) -> AnyHandScorer | None:
    """The scorer of a game, or None if the game has none."""
    module = registry.info(game_id).hand_scorer
    if not module:
        return None
    found: AnyHandScorer = importlib.import_module(module).SCORER
    return found


def first_game_with_hands() -> str | None:
    """The id of the first game whose hands can be scored, or None if no game has one."""
    return next((info.id for info in registry.infos() if info.hand_scorer), None)
