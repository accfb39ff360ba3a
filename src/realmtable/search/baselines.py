"""Players without a person: what a bot is, and the baselines that play any game."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from realmtable.engine.protocol import AnyGame, HasBots, Seat


class Bot(Protocol):
    """Chooses a step. It is given a state that fits what its seat may know, never more."""

    name: str

    def choose(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401 - the game's own
        """One of the seat's legal steps."""


@runtime_checkable
class HasProposals(Protocol):
    """A game in which some steps only propose something to the other players, such as an end by agreement."""

    def is_proposal(self, move: Any) -> bool:  # noqa: ANN401 - the game's own
        """Whether a step proposes, or agrees to what was proposed."""


@runtime_checkable
class HasEvaluate(Protocol):
    """A game that can say at a glance how good a state is."""

    def evaluate(self, state: Any, seat: Seat) -> float:  # noqa: ANN401 - the game's own
        """How good a state is for a seat."""


@runtime_checkable
class PlansTurns(Protocol):
    """A bot that makes a whole turn of one thought."""

    def plan(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> list[Any]:  # noqa: ANN401 - the game's own
        """The steps of the seat's turn to its end, at least one."""


@runtime_checkable
class ActsAgain(Protocol):
    """A bot that, while the game's clock runs, may have reason to act again although it was through."""

    def acts_again(self, game: AnyGame, state: Any, seat: Seat) -> bool:  # noqa: ANN401 - the game's own
        """Whether it acts again."""


def plan_steps(bot: Bot, game: AnyGame, state: Any, seat: Seat, rng: Random) -> list[Any]:  # noqa: ANN401 - the game's own
    """The steps that a bot takes next: its whole turn if it plans, else one step.

    None on a seat that is through and only may act, unless the bot comes back.
    """
    if isinstance(bot, PlansTurns):
        return bot.plan(game, state, seat, rng)
    if seat in game.to_move(state) or (isinstance(bot, ActsAgain) and bot.acts_again(game, state, seat)):
        return [bot.choose(game, state, seat, rng)]
    return []


def non_proposal_moves(game: AnyGame, state: Any, seat: Seat) -> list[Any]:  # noqa: ANN401 - the game's own
    """The seat's legal steps that propose nothing."""
    moves = game.legal_moves(state, seat)
    is_proposal = getattr(game, "is_proposal", None)  # of `HasProposals`: checking that would cost more
    return moves if is_proposal is None else [move for move in moves if not is_proposal(move)]


class RandomBot:
    """Any legal step, each as likely; it proposes nothing and agrees to nothing."""

    name = "random"

    def choose(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401 - the game's own
        """A random step."""
        return rng.choice(non_proposal_moves(game, state, seat))


class _Plan(NamedTuple):
    worth: float
    tie: float  # random, so that equal plans are chosen evenly
    first: Any
    state: Any


class GreedyBot:
    """The best turn it can find by looking at its own steps only, keeping the few best beginnings at each length.

    It agrees to end the game when that wins. Without an evaluation of the game it plays at random.
    """

    name = "greedy"

    def __init__(self, width: int = 6, length: int = 6) -> None:
        self.width = width
        self.length = length

    def choose(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401 - the game's own
        """The first step of the best turn found."""
        if isinstance(game, HasBots):
            return game.bot(2).choose(game, state, seat, rng)
        if not isinstance(game, HasEvaluate):
            return RandomBot().choose(game, state, seat, rng)
        moves = self._moves(game, state, seat)
        if len(moves) == 1:
            return moves[0]
        turn = game.turn(state)
        complete: list[_Plan] = []
        beginnings = [self._plan(game, state, seat, move, move, rng) for move in moves]
        for _ in range(self.length):
            complete += [plan for plan in beginnings if game.turn(plan.state) != turn or not game.to_move(plan.state)]
            running = [plan for plan in beginnings if game.turn(plan.state) == turn and game.to_move(plan.state)]
            running.sort(key=lambda plan: plan[:2], reverse=True)
            beginnings = [
                self._plan(game, plan.state, seat, move, plan.first, rng)
                for plan in running[: self.width]
                for move in non_proposal_moves(game, plan.state, seat)
            ]
        best = max(complete or beginnings, key=lambda plan: plan[:2])
        return best.first

    @staticmethod
    def _moves(game: AnyGame, state: Any, seat: Seat) -> list[Any]:  # noqa: ANN401 - the game's own
        """Steps that propose nothing, and those that end the game at once."""
        moves = non_proposal_moves(game, state, seat)
        others = [move for move in game.legal_moves(state, seat) if move not in moves]
        return moves + [move for move in others if not game.to_move(game.play(state, seat, move))]

    @staticmethod
    def _plan(game: Any, state: Any, seat: Seat, move: Any, first: Any, rng: Random) -> _Plan:  # noqa: ANN401
        after = game.play(state, seat, move)
        return _Plan(game.evaluate(after, seat), rng.random(), first, after)


class CasualBot:
    """Thinks about some of its steps as `GreedyBot` does and takes the others at random."""

    name = "casual"

    def __init__(self, thoughtful: float = 0.5) -> None:
        self.thoughtful = thoughtful
        self._greedy = GreedyBot()
        self._random = RandomBot()

    def choose(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401 - the game's own
        """A step with or without thought."""
        thinks = rng.random() < self.thoughtful
        return (self._greedy if thinks else self._random).choose(game, state, seat, rng)
