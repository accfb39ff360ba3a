"""The parts that a tree search over the protocol is put together from; each can be replaced by a function of one's own.

A value is a score for every seat: 1 for who is alone in first place, 0 for the last, ½ for both of a draw.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, Protocol

from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.protocol import CHANCE, AnyGame, Outcome, Seat
from realmtable.search.baselines import HasEvaluate
from realmtable.search.result import SearchLimits

Values = tuple[float, ...]  # per seat

MAX_PLAYOUT_STEPS = 2_000  # steps after which a playout without an end is called even
SHORT_PLAYOUT_STEPS = 8  # length of a playout in a game that can judge its states
SAMPLED_GAMES = 4  # random games that tell what judgements of a game usually come to
SAMPLED_STEPS = 40


class StepStats(NamedTuple):
    """What a search knows of a step when it decides where to look next."""

    value: float  # mean so far for the seat that acts; before the first visit the mean of the state it is taken in
    visits: int
    prior: float  # the share of attention that `expand` asked for; 1 is an even share
    opportunities: int  # how often the step could have been looked at: visits of its state, or times it was available


class SearchUsage(NamedTuple):
    """What a search has used up."""

    nodes: int
    seconds: float


Select = Callable[[StepStats], float]  # how much a step wants to be looked at; the highest is
Expand = Callable[[AnyGame, Any, Seat, Random], Sequence[tuple[Any, float]]]  # steps to look at, in order, with priors
Widen = Callable[[int], int]  # how many of those steps are looked at, after so many visits of their state
Policy = Callable[[AnyGame, Any, Seat, Random], Any]  # a seat's step in a playout
ShouldContinue = Callable[[SearchLimits, SearchUsage], bool]  # whether there is time for another node


class Evaluate(Protocol):
    """Values a state that is not over."""

    def __call__(self, game: AnyGame, state: Any, seats: int, policy: Policy, rng: Random) -> Values:  # noqa: ANN401
        """The score that each of so many seats may expect."""


def ucb1(exploration: float = 0.7) -> Select:
    """Every step once, then the best mean plus a bonus for what was seldom looked at."""

    def select(choice: StepStats) -> float:
        if not choice.visits:
            return math.inf
        return choice.value + exploration * math.sqrt(math.log(choice.opportunities + 1) / choice.visits)

    return select


def puct(exploration: float = 1.0) -> Select:
    """The best mean plus a bonus that follows the prior; a step with a small one may never be looked at."""

    def select(choice: StepStats) -> float:
        bonus = exploration * choice.prior * math.sqrt(choice.opportunities + 1) / (1 + choice.visits)
        return choice.value + bonus

    return select


def expand_shuffled(game: AnyGame, state: Any, seat: Seat, rng: Random) -> list[tuple[Any, float]]:  # noqa: ANN401
    """Every step that proposes nothing, in random order and with even priors."""
    moves = non_proposal_moves(game, state, seat)
    rng.shuffle(moves)
    return [(move, 1.0) for move in moves]


def progressive_width(visits: int) -> int:
    """Few steps at first and more with time, so that a state with hundreds of them is still searched deeper."""
    return 8 + 2 * math.isqrt(visits)


def random_step(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401 - the game's own
    """Any step that proposes nothing."""
    return rng.choice(non_proposal_moves(game, state, seat))


def sample_chance(game: AnyGame, state: Any, rng: Random) -> Any:  # noqa: ANN401 - the game's own
    """What chance does, by weight."""
    outcomes = game.chance(state)
    return rng.choices(outcomes, [outcome.weight for outcome in outcomes])[0].move


def playout(game: AnyGame, state: Any, policy: Policy, rng: Random) -> Iterator[Any]:  # noqa: ANN401 - the game's own
    """The states of a playout, one after each step. Where several seats may act they do so in their order."""
    while acting := game.to_move(state):
        seat = acting[0]
        move = sample_chance(game, state, rng) if seat == CHANCE else policy(game, state, seat, rng)
        state = game.play(state, seat, move)
        yield state


def outcome_values(outcome: Outcome) -> Values:
    """How an ended game is valued: the share of the others a seat has left behind, those beside it counting half."""
    ranks = outcome.ranking
    if len(ranks) == 1:  # nobody to compare with: the more points the better
        return (0.5 + 0.5 * outcome.scores[0] / (1 + abs(outcome.scores[0])),)
    others = len(ranks) - 1
    return tuple((sum(rank > own for rank in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks)


def final_values(game: AnyGame, state: Any) -> Values | None:  # noqa: ANN401 - the game's own state
    """The values of a state that is over, None while it goes on."""
    outcome = None if game.to_move(state) else game.outcome(state)
    return None if outcome is None else outcome_values(outcome)


def count_seats(game: AnyGame, state: Any, rng: Random) -> int:  # noqa: ANN401 - the game's own state
    """How many seats a state is played by; where the game is for several numbers, a random game's end tells."""
    if len(game.info.seats) > 1:
        for _, after in zip(range(MAX_PLAYOUT_STEPS), playout(game, state, random_step, rng), strict=False):
            if (values := final_values(game, after)) is not None:
                return len(values)
    return max(game.info.seats)


@dataclass(frozen=True)
class PlayoutEvaluator:
    """Values a state by playing on from it: to the end, or for a few steps where the game can judge what comes out."""

    short_steps: int = SHORT_PLAYOUT_STEPS
    max_steps: int = MAX_PLAYOUT_STEPS

    def __call__(self, game: AnyGame, state: Any, seats: int, policy: Policy, rng: Random) -> Values:  # noqa: ANN401
        """The values at the end of the playout."""
        steps = self.short_steps if evaluation_scale(game) else self.max_steps
        for _, after in zip(range(steps), playout(game, state, policy, rng), strict=False):
            state = after
        ended = final_values(game, state)
        return evaluate(game, state, seats) if ended is None else ended


def evaluate(game: AnyGame, state: Any, seats: int) -> Values:  # noqa: ANN401 - the game's own state
    """A state's values by the game's own judgement, or all even where it has none."""
    scale = evaluation_scale(game)
    if scale is None or seats == 1:
        return (0.5,) * seats
    return tuple(0.5 + 0.5 * math.tanh(lead / scale) for lead in _leads(game, state, seats))


def _leads(game: Any, state: Any, seats: int) -> list[float]:  # noqa: ANN401 - a game with a judgement, its own state
    """By how much each seat's judgement is above the mean of the others'."""
    worth = [game.evaluate(state, seat) for seat in range(seats)]
    return [own - (sum(worth) - own) / (seats - 1) for own in worth]


def evaluation_scale(game: Any) -> float | None:  # noqa: ANN401 - a game; mypy does not see that it can be hashed
    """What leads usually come to in random play, as games judge in units of their own; None where they do not judge.

    The same in every process, so that a search with a seed is too.
    """
    return _sample_scale(game)


@lru_cache(maxsize=64)
def _sample_scale(game: AnyGame) -> float | None:
    if not isinstance(game, HasEvaluate):
        return None
    rng, found = Random(1), []
    seats = max(game.info.seats[0], 2)
    for _ in range(SAMPLED_GAMES):
        for _, state in zip(range(SAMPLED_STEPS), playout(game, game.initial(seats), random_step, rng), strict=False):
            if game.to_move(state):
                found.append(abs(_leads(game, state, seats)[0]))
    return sum(found) / len(found) if any(found) else 1.0


def is_within_limits(limits: SearchLimits, spent: SearchUsage) -> bool:
    """Until the time is over or the nodes are searched, whichever comes first."""
    more_nodes = limits.nodes is None or spent.nodes < limits.nodes
    return more_nodes and (limits.seconds is None or spent.seconds < limits.seconds)


@dataclass(frozen=True)
class SearchConfig:
    """Everything that a search leaves to others. A step that `expand` leaves out counts as illegal, in proofs too."""

    select: Select = ucb1()  # noqa: RUF009 - a function, made once
    expand: Expand = expand_shuffled
    widen: Widen = progressive_width  # of no use where secrets change what is legal: `ismcts` looks at all steps
    policy: Policy = random_step
    evaluate: Evaluate = PlayoutEvaluator()
    should_continue: ShouldContinue = is_within_limits
    clock: Callable[[], float] = time.perf_counter  # seconds
