"""What a bot is, and how one is asked for its next steps. The bots that play any game are in `realmtable.search`."""

from __future__ import annotations

from random import Random
from typing import Protocol, runtime_checkable

from realmtable.engine.protocol import AnyGame, Move, Seat, State


class Bot(Protocol):
    """Chooses a step. It is given a state that fits what its seat may know, never more."""

    @property
    def name(self) -> str:
        """The name of the bot in match results and logs."""

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        """Return one of the seat's legal steps."""


@runtime_checkable
class PlansTurns(Protocol):
    """A bot that decides on a whole turn at once."""

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Move]:
        """Return the steps of the seat's turn to its end, at least one."""


@runtime_checkable
class ActsAgain(Protocol):
    """A bot that may act again while the game's clock runs, although it had finished."""

    def acts_again(self, game: AnyGame, state: State, seat: Seat) -> bool:
        """Whether it acts again."""


@runtime_checkable
class WarmsUp(Protocol):
    """A bot that can load or compile what it needs before its first move."""

    def warm(self) -> None:
        """Prepare for the first move."""


@runtime_checkable
class HasBots(Protocol):
    """A game with its own bots, which know more about it than a general search."""

    def bot(self, level: int) -> Bot:
        """Return the bot of a level from 2 to 8, or of level 0, which takes what looks best at once.

        A game with fewer levels says so by `GameInfo.bot_levels`. If it has `GameInfo.level_words`, its own bots play
        every level from 1 on; otherwise level 1 and some turns of the levels up to 4 are random.
        """


@runtime_checkable
class HasProposals(Protocol):
    """A game in which some steps only propose something to the other players, such as an end by agreement."""

    def is_proposal(self, move: Move) -> bool:
        """Whether a step proposes something, or agrees to a proposal."""


def plan_steps(bot: Bot, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Move]:
    """Return the steps that a bot takes next: its whole turn if it plans turns, otherwise one step.

    Empty for a seat that has finished and may act again, unless the bot wants to.
    """
    if isinstance(bot, PlansTurns):
        return bot.plan(game, state, seat, rng)
    if seat in game.to_move(state) or (isinstance(bot, ActsAgain) and bot.acts_again(game, state, seat)):
        return [bot.choose(game, state, seat, rng)]
    return []


def non_proposal_moves(game: AnyGame, state: State, seat: Seat) -> list[Move]:
    """Return the seat's legal steps without proposals."""
    moves = game.legal_moves(state, seat)
    is_proposal = getattr(game, "is_proposal", None)  # faster than checking for `HasProposals`
    return moves if is_proposal is None else [move for move in moves if not is_proposal(move)]
