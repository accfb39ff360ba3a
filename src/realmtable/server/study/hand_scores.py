"""Scores hands for people, and chooses where: a hand that takes long holds nobody else up."""

from __future__ import annotations

import asyncio
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any, Final, NamedTuple

from pebble import ProcessExpired

from realmtable.engine import hand_scoring, registry
from realmtable.engine.hand_scoring import AnyHandScorer
from realmtable.server.errors import NotFound, Unavailable
from realmtable.server.fair_queue import Owner
from realmtable.server.study.advice import Advice
from realmtable.server.workers.analysis_queue import BOARD, AnalysisQueue

MAX_THREAD_EFFORT: Final = (
    700  # ways of choosing that are looked through in a thread; more are for a process of its own
)
TIMEOUT_S: Final = 40.0

ScoreSheet = dict[str, Any]


def scorer(game_id: str) -> AnyHandScorer:
    """The scorer of a game; NotFound if the game has none."""
    found = hand_scoring.hand_scorer(game_id)
    if found is None:
        raise NotFound(f"There is nothing to score by hand in {registry.info(game_id).title}.")
    return found


def first_game() -> str:
    """The first game that has a scorer."""
    found = hand_scoring.first_game_with_hands()
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
