"""Hands scored for people: which games can, and where a hand is looked at so that nobody else waits for it.

A game that can brings a module `score_hand` in its folder; `Scorer` says what is asked of it.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any, Final, NamedTuple, Protocol, cast

from pebble import ProcessExpired

from realmtable.engine import registry
from realmtable.engine.options import OptionInfo
from realmtable.server.errors import NotFound, Unavailable
from realmtable.server.fair_queue import Owner
from realmtable.server.study.advice import Advice
from realmtable.server.workers.analysis_queue import BOARD, AnalysisQueue

MAX_THREAD_EFFORT: Final = (
    700  # ways of choosing that are looked through in a thread; more are for a process of its own
)
TIMEOUT_S: Final = 40.0

ScoreSheet = dict[str, Any]


class Scorer(Protocol):
    """What the module `score_hand` of a game can do; a question is whatever its `read` makes, and can be pickled."""

    def readable(self, text: str) -> list[str]:
        """The full names of those cards in a list that can be read, as somebody writes it."""

    def read(
        self,
        hand: str | Sequence[str],
        discard: str | Sequence[str] = (),
        choose: Iterable[str] = (),
        options: Sequence[str] = (),
    ) -> Any:  # noqa: ANN401 - the game's own
        """A question from texts; BadInput says what is wrong with them."""

    def effort(self, question: Any) -> int:  # noqa: ANN401 - as above
        """How many ways of choosing have to be looked through, roughly."""

    def sheet(self, question: Any) -> ScoreSheet:  # noqa: ANN401 - as above
        """The scored hand as plain data."""

    def advise(self, question: Any, seats: int, taken: str | Sequence[str], rng: Random) -> Advice:  # noqa: ANN401 - as above
        """What to do next with a hand while the game goes on, as `HasAdvice` has it; BadInput where that is nothing.

        So many play; `taken` are cards that others are known to hold.
        """

    def tiles(self) -> Mapping[str, Any]:
        """All cards for a page to choose from, with their colours and emblems."""

    def rulings(self) -> list[OptionInfo]:
        """The rule options that a score depends on."""


def has_scorer(game_id: str) -> bool:
    """Whether hands of a game can be scored."""
    try:
        return importlib.util.find_spec(f"realmtable.games.{game_id}.scoring.score_sheet") is not None
    except ModuleNotFoundError:  # a game from elsewhere
        return False


def scorer(game_id: str) -> Scorer:
    """The scorer of a game; NotFound where it has none."""
    info = registry.info(game_id)
    if not has_scorer(info.id):
        raise NotFound(f"There is nothing to score by hand in {info.title}.")
    return cast("Scorer", importlib.import_module(f"realmtable.games.{info.id}.scoring.score_sheet"))


def first_game() -> str:
    """The first game that has a scorer."""
    found = next((info.id for info in registry.infos() if has_scorer(info.id)), None)
    if found is None:
        raise NotFound("No game here has hands to score.")
    return found


def compute_sheet(game_id: str, question: Any) -> ScoreSheet:  # noqa: ANN401 - the game's own
    """A sheet, in whichever process this runs."""
    return scorer(game_id).sheet(question)


async def score_hand(analysis_queue: AnalysisQueue, game_id: str, question: Any, owner: Owner) -> ScoreSheet:  # noqa: ANN401 - the game's own
    """A scored hand: in a thread where that takes a blink, else in one of the processes that think for people."""
    if scorer(game_id).effort(question) <= MAX_THREAD_EFFORT:
        return await asyncio.to_thread(compute_sheet, game_id, question)
    async with analysis_queue.acquire(owner, BOARD):
        try:
            return await analysis_queue.workers.run(compute_sheet, (game_id, question), TIMEOUT_S)
        except (TimeoutError, ProcessExpired, BrokenProcessPool):
            raise Unavailable(
                "This hand leaves too much to choose for the moment; fix a choice by hand, or try again."
            ) from None


# ---- what next?


class Round(NamedTuple):
    """What is known of the others at a real table."""

    seats: int
    taken: str | list[str] = ""  # cards that they are known to hold


def compute_advice(game_id: str, question: Any, others: Round) -> Advice:  # noqa: ANN401 - the game's own
    """Advice on a hand, the same whenever it is asked for. Runs in a process of its own."""
    rng = Random(repr((question, others)))  # noqa: S311 - no secret
    return scorer(game_id).advise(question, others.seats, others.taken, rng)


async def advise_on_hand(
    analysis_queue: AnalysisQueue,
    game_id: str,
    question: Any,  # noqa: ANN401 - as above
    others: Round,
    owner: Owner,
) -> Advice:
    """What to do next with a hand of a real table; BadInput where there is nothing to advise."""
    return await analysis_queue.run(compute_advice, (game_id, question, others), BOARD, owner)
