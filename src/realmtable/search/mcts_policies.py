"""The replaceable parts of the tree search over the game protocol.

A value holds a score for every seat: 1 for sole first place, 0 for last place, ½ for both seats in a draw.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.protocol import CHANCE, AnyGame, HasSeatCount, Move, Outcome, Seat, State
from realmtable.search.baselines import HasEvaluate
from realmtable.search.search_result import SearchLimits

Values = tuple[float, ...]  # per seat

EXPLORATION = 0.7  # weight of the bonus for few visits
SHORT_PLAYOUT_STEPS = 8  # length of a playout in a game that can evaluate its states
SAMPLED_GAMES = 4  # random games played to find the usual size of a game's evaluations
SAMPLED_STEPS = 40


class StepStats(NamedTuple):
    """What a search knows about a step when it decides which one to visit."""

    value: float  # mean so far for the acting seat; before the first visit, the mean of the parent state
    visits: int
    opportunities: int  # how often the step could have been visited: visits to its state, or times it was available


class SearchUsage(NamedTuple):
    """What a search has used so far."""

    nodes: int
    seconds: float


Select = Callable[[StepStats], float]  # the priority of a step; the highest is visited
Expand = Callable[[AnyGame, Any, Seat, Random], Sequence[Any]]  # the steps to consider, in order
Widen = Callable[[int], int]  # how many of those steps to consider after this many visits to their state
Policy = Callable[[AnyGame, Any, Seat, Random], Any]  # a seat's step in a playout
Evaluate = Callable[[AnyGame, Any, int, Policy, Random], Values]  # the expected scores of so many seats in a state
ShouldContinue = Callable[[SearchLimits, SearchUsage], bool]  # whether the limits allow another node


def ucb1(choice: StepStats) -> float:
    """Select every step once, then by mean plus a bonus for few visits."""
    if not choice.visits:
        return math.inf
    return choice.value + EXPLORATION * math.sqrt(math.log(choice.opportunities + 1) / choice.visits)


def expand_shuffled(game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Move]:
    """Return every step that is not a proposal, in random order."""
    moves = non_proposal_moves(game, state, seat)
    rng.shuffle(moves)
    return moves


def progressive_width(visits: int) -> int:
    """Consider few steps at first and more over time, so that states with hundreds of steps are searched deeply too."""
    return 8 + 2 * math.isqrt(visits)


def random_step(game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
    """Return a random step that is not a proposal."""
    return rng.choice(non_proposal_moves(game, state, seat))


def sample_chance(game: AnyGame, state: State, rng: Random) -> Move:
    """Return a random chance step, drawn by weight."""
    outcomes = game.chance(state)
    return rng.choices(outcomes, [outcome.weight for outcome in outcomes])[0].move


def playout(game: AnyGame, state: State, policy: Policy, rng: Random) -> Iterator[Any]:
    """Yield the state after each step of a playout. Simultaneous seats act in seat order."""
    while acting := game.to_move(state):
        seat = acting[0]
        move = sample_chance(game, state, rng) if seat == CHANCE else policy(game, state, seat, rng)
        state = game.play(state, seat, move)
        yield state


def outcome_values(outcome: Outcome) -> Values:
    """Return the values of a finished game: each seat's share of opponents it beat, with ties counting half."""
    ranks = outcome.ranking
    if len(ranks) == 1:
        return (_solo_value(outcome),)
    others = len(ranks) - 1
    return tuple((sum(rank > own for rank in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks)


def _solo_value(outcome: Outcome) -> float:
    """Return the value of a finished solo game: more points are better, and reaching the goal beats any points."""
    points = 0.5 + 0.5 * outcome.scores[0] / (1 + abs(outcome.scores[0]))
    return (points + outcome.reached[0]) / 2 if outcome.reached else points


def final_values(game: AnyGame, state: State) -> Values | None:
    """Return the values of a finished game, or None if it is not over."""
    outcome = None if game.to_move(state) else game.outcome(state)
    return None if outcome is None else outcome_values(outcome)


def count_seats(game: AnyGame, state: State, rng: Random) -> int:
    """Return the number of seats in a state; if the game allows several and cannot say, a random playout reveals it."""
    if isinstance(game, HasSeatCount):
        return game.count_seats(state)
    if len(game.info.seats) > 1:
        for _, after in zip(range(game.info.max_steps), playout(game, state, random_step, rng), strict=False):
            if (values := final_values(game, after)) is not None:
                return len(values)
    return max(game.info.seats)


def evaluate_by_playout(game: AnyGame, state: State, seats: int, policy: Policy, rng: Random) -> Values:
    """Return the values at the end of a playout, or after a few of its steps if the game can evaluate states."""
    steps = SHORT_PLAYOUT_STEPS if evaluation_scale(game) else game.info.max_steps
    for _, after in zip(range(steps), playout(game, state, policy, rng), strict=False):
        state = after
    ended = final_values(game, state)
    return evaluate(game, state, seats) if ended is None else ended


def evaluate(game: AnyGame, state: State, seats: int) -> Values:
    """Return a state's values by the game's evaluation, or equal values if it has none."""
    scale = evaluation_scale(game)
    if scale is None:
        return (0.5,) * seats
    return tuple(0.5 + 0.5 * math.tanh(lead / scale) for lead in _leads(game, state, seats))


def _leads(game: Any, state: State, seats: int) -> list[float]:  # noqa: ANN401 - a game with an evaluation, its state
    """Return how far each seat's evaluation is above the mean of the others, or above zero in a solo game."""
    scores = [game.evaluate(state, seat) for seat in range(seats)]
    if seats == 1:
        return scores
    return [own - (sum(scores) - own) / (seats - 1) for own in scores]


def evaluation_scale(game: Any) -> float | None:  # noqa: ANN401 - a game; mypy does not see that it can be hashed
    """Return the usual size of a lead in random play, because every game evaluates in different units.

    None if the game has no evaluation. The result is the same in every process, so seeded searches are reproducible.
    """
    return _sample_scale(game)


@lru_cache(maxsize=64)
def _sample_scale(game: AnyGame) -> float | None:
    if not isinstance(game, HasEvaluate):
        return None
    rng, found = Random(1), []
    seats = next((count for count in game.info.seats if count > 1), 1)
    for _ in range(SAMPLED_GAMES):
        for _, state in zip(range(SAMPLED_STEPS), playout(game, game.initial(seats), random_step, rng), strict=False):
            if game.to_move(state):
                found.append(abs(_leads(game, state, seats)[0]))
    return sum(found) / len(found) if any(found) else 1.0


def is_within_limits(limits: SearchLimits, spent: SearchUsage) -> bool:
    """Whether both time and nodes are left."""
    more_nodes = limits.nodes is None or spent.nodes < limits.nodes
    return more_nodes and (limits.seconds is None or spent.seconds < limits.seconds)


@dataclass(frozen=True)
class SearchConfig:
    """The replaceable parts of a search. A step that `expand` leaves out counts as illegal, even in proofs."""

    select: Select = ucb1
    expand: Expand = expand_shuffled
    widen: Widen = progressive_width  # `ismcts` ignores it: hidden information changes what is legal
    policy: Policy = random_step
    evaluate: Evaluate = evaluate_by_playout
    should_continue: ShouldContinue = is_within_limits
    clock: Callable[[], float] = time.perf_counter  # seconds


DEFAULT_CONFIG = SearchConfig()
