"""Scores hands without delaying other requests: long ones run in a worker process."""

from __future__ import annotations

import asyncio
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any, Final, NamedTuple

from pebble import ProcessExpired

from realmtable.engine import registry
from realmtable.kit import calculators
from realmtable.kit.calculators import AnyHandScorer, Question
from realmtable.server.errors import NotFound, Unavailable
from realmtable.server.fair_queue import Requester
from realmtable.server.study.hints import Advice
from realmtable.server.workers.search_queue import BOARD, SearchQueue

MAX_THREAD_EFFORT: Final = 700  # combinations of choices to search in a thread; more need a worker process
TIMEOUT_S: Final = 40.0

ScoreSheet = dict[str, Any]


def scorer(game_id: str) -> AnyHandScorer:
    """Return the scorer of a game; raise NotFound if it has none."""
    found = calculators.find_hand_scorer(game_id)
    if found is None:
        raise NotFound(f"{registry.info(game_id).title} has no hands to score.")
    return found


def compute_sheet(game_id: str, question: Question) -> ScoreSheet:
    """Return the score sheet; runs in a thread or a worker process."""
    return scorer(game_id).sheet(question)


async def score_hand(search_queue: SearchQueue, game_id: str, question: Question, requester: Requester) -> ScoreSheet:
    """Score a hand: in a thread if that is quick, else in a worker process."""
    if scorer(game_id).effort(question) <= MAX_THREAD_EFFORT:
        return await asyncio.to_thread(compute_sheet, game_id, question)
    async with search_queue.acquire(requester, BOARD):
        try:
            return await search_queue.workers.run(compute_sheet, (game_id, question), TIMEOUT_S)
        except (TimeoutError, ProcessExpired, BrokenProcessPool):
            raise Unavailable(
                "This hand has too many possible choices to score right now; fix one of them, or try again."
            ) from None


# ---- advice


class Round(NamedTuple):
    """What is known about the other players of a game played with real cards."""

    seats: int
    taken: str | list[str] = ""  # cards that the others are known to hold


def compute_advice(game_id: str, question: Question, others: Round) -> Advice:
    """Return advice on a hand, the same for every call. Runs in a worker process."""
    rng = Random(repr((question, others)))  # noqa: S311 - no secret
    return scorer(game_id).advise(question, others.seats, others.taken, rng)


async def advise_on_hand(
    search_queue: SearchQueue, game_id: str, question: Question, others: Round, requester: Requester
) -> Advice:
    """Return advice on a hand of a game played with real cards; raise BadInput if there is none."""
    return await search_queue.run(compute_advice, (game_id, question, others), BOARD, requester)
