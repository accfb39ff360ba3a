"""Baseline bots that play any game."""

from __future__ import annotations

from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, cast, runtime_checkable

from realmtable.engine.bots import HasBots, non_proposal_moves
from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.search.compiled_games import has_several_seats
from realmtable.search.mcts.bot import CompiledMctsBot
from realmtable.search.search_result import SearchLimits

# With several seats, the compiled search is limited to the bot's own turn.
OWN_TURN_LIMITS: Final = SearchLimits(seconds=2.0, nodes=40)  # the time limit matters only if the rules are interpreted
# It makes an even chance of winning one of 27%. Bots that wait for each other would do so for the rest of the game, so
# they do the least harmful thing rather than nothing, unless that would cost even more.
IDLE_COST: Final = 1.0
OWN_TURN: Final = MappingProxyType({"own_turn": True, "mix": 1.0, "idle_cost": IDLE_COST})


@runtime_checkable
class HasEvaluate(Protocol):
    """A game with a static evaluation."""

    def evaluate(self, state: State, seat: Seat) -> float:
        """Return how good a state is for a seat."""


class EvaluatedGame(AnyGame, HasEvaluate, Protocol):
    """A game with an evaluation."""


class RandomBot:
    """Plays a uniformly random legal step; makes and accepts no proposals."""

    name = "random"

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        return rng.choice(non_proposal_moves(game, state, seat))


class _Plan(NamedTuple):
    worth: float
    tie: float  # random, so that equal plans are chosen evenly
    first: Move
    state: State


class GreedyBot:
    """Plays the best turn found by a beam search over its own steps.

    It agrees to end the game if that wins. In games without an evaluation it plays at random.
    """

    name = "greedy"

    def __init__(self, width: int = 6, length: int = 6) -> None:
        self.width = width
        self.length = length

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        if isinstance(game, HasBots):
            return game.bot(0).choose(game, state, seat, rng)
        if has_several_seats(game):
            return CompiledMctsBot(OWN_TURN_LIMITS, changes=OWN_TURN).choose(game, state, seat, rng)
        if not isinstance(game, HasEvaluate):
            return RandomBot().choose(game, state, seat, rng)
        evaluated = cast("EvaluatedGame", game)
        moves = self._moves(game, state, seat)
        if len(moves) == 1:
            return moves[0]
        turn = game.turn(state)
        complete: list[_Plan] = []
        beginnings = [self._plan(evaluated, state, seat, move, move, rng) for move in moves]
        for _ in range(self.length):
            complete += [plan for plan in beginnings if game.turn(plan.state) != turn or not game.to_move(plan.state)]
            running = [plan for plan in beginnings if game.turn(plan.state) == turn and game.to_move(plan.state)]
            running.sort(key=lambda plan: plan[:2], reverse=True)
            beginnings = [
                self._plan(evaluated, plan.state, seat, move, plan.first, rng)
                for plan in running[: self.width]
                for move in non_proposal_moves(game, plan.state, seat)
            ]
        best = max(complete or beginnings, key=lambda plan: plan[:2])
        return best.first

    @staticmethod
    def _moves(game: AnyGame, state: State, seat: Seat) -> list[Move]:
        """Return the steps that are not proposals, and the proposals that end the game at once."""
        moves = non_proposal_moves(game, state, seat)
        others = [move for move in game.legal_moves(state, seat) if move not in moves]
        return moves + [move for move in others if not game.to_move(game.play(state, seat, move))]

    @staticmethod
    def _plan(game: EvaluatedGame, state: State, seat: Seat, move: Move, first: Move, rng: Random) -> _Plan:
        after = game.play(state, seat, move)
        return _Plan(game.evaluate(after, seat), rng.random(), first, after)


class CasualBot:
    """Plays some steps like `GreedyBot` and the others at random."""

    name = "casual"

    def __init__(self, thoughtful: float = 0.5) -> None:
        self.thoughtful = thoughtful
        self._greedy = GreedyBot()
        self._random = RandomBot()

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        thinks = rng.random() < self.thoughtful
        return (self._greedy if thinks else self._random).choose(game, state, seat, rng)
