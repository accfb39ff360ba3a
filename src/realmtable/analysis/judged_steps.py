"""Collects what a game with hidden information says about every decision of a played game (`JudgesSteps`).

Each step is judged by what its seat could know, so that luck with hidden cards is nobody's mistake.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.match import LogEntry
from realmtable.engine.protocol import Judgement, JudgesSteps, Move, Seat, View
from realmtable.engine.record import Record


class JudgeRequest(NamedTuple):
    """A step to judge, and the progress of the study."""

    game_id: str
    view: View
    move: Move
    done: int
    total: int

    def judge(self) -> Judgement | None:
        """Judge the step, the same for every call."""
        return judge_step(self.game_id, self.view, self.move)


def judge_step(game_id: str, view: View, move: Move) -> Judgement | None:
    """Judge a step by the view of its seat. Runs in a worker process."""
    game = registry.game(game_id)
    assert isinstance(game, JudgesSteps)  # noqa: S101 - the caller has checked it
    return game.judge(view, move, Random(json.dumps(view, sort_keys=True)))  # noqa: S311 - a game, not a secret


class JudgedStep(NamedTuple):
    """A step at which something was decided, with what every seat could expect after it, by what it knew itself."""

    number: int  # of its turn
    seat: Seat
    step: int  # counted from 1
    text: str
    best: str  # the text of the best step
    judgement: Judgement
    points_before: tuple[float, ...]
    points: tuple[float, ...]
    is_last: bool  # the game was over after it: the points are final


JudgedSteps = Generator[JudgeRequest, Judgement | None, tuple[JudgedStep, ...]]


def judge_steps(record: Record) -> JudgedSteps:
    """Yield a request for each step of a player, receive the judgements, and return those of decisions."""
    game, match = record.game, record.replay()
    assert isinstance(game, JudgesSteps)  # noqa: S101 - the caller has checked it
    if refusal := game.why_not_judged(record.start):
        raise BadInput(refusal)
    own = [(step, entry) for step, entry in enumerate(match.log(), 1) if entry.seat >= 0]
    judgements: dict[int, Judgement] = {}
    for done, (step, entry) in enumerate(own):
        found = yield JudgeRequest(game.info.id, game.view(entry.before, entry.seat), entry.move, done, len(own))
        if found is not None:
            judgements[step] = found
    decisions = [(step, entry) for step, entry in own if step in judgements]
    if not decisions:
        raise BadInput("The game has no decisions to analyse.")
    outcome = match.outcome()
    return tuple(_follow_points(record, decisions, judgements, outcome.scores if outcome else None))


def _follow_points(
    record: Record,
    decisions: Sequence[tuple[int, LogEntry]],
    judgements: Mapping[int, Judgement],
    finals: Sequence[float] | None,
) -> Generator[JudgedStep, None, None]:
    """Yield the judged steps with the points each seat could expect; before its first step, those of its best one."""
    game, first = record.game, {entry.seat: judgements[step].best_value for step, entry in reversed(decisions)}
    seats = len(finals) if finals else max(first) + 1
    points = tuple(_round(first.get(seat, finals[seat] if finals else 0.0)) for seat in range(seats))
    for step, entry in decisions:
        own, before = judgements[step], points
        is_last = finals is not None and step == decisions[-1][0]
        after = {seat: each for seat, each in enumerate(finals or ()) if is_last} or {entry.seat: own.value}
        points = tuple(_round(after.get(seat, each)) for seat, each in enumerate(points))
        text, best = (game.format_move(entry.before, move) for move in (entry.move, own.best))
        yield JudgedStep(entry.turn.number, entry.seat, step, text, best, own, before, points, is_last)


def _round(points: float) -> float:
    return round(points, 1)
