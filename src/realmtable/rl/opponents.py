"""Opponents in environments: bots, by name or as objects, and functions. They are given what their seat may know."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from realmtable.engine.bots import Bot
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.rl.episode import Episode
from realmtable.search.bot_levels import make_bot_for

# The name of a bot, a bot, or a function that returns a legal move of a state. What is known fits the state.
Opponent = str | Bot | Callable[[State], Move]


class CustomBot:
    """A caller's own bot or function as a bot whose moves are checked."""

    def __init__(self, opponent: Bot | Callable[[State], Move]) -> None:
        self.name = str(getattr(opponent, "name", None) or getattr(opponent, "__name__", type(opponent).__name__))
        self._opponent = opponent

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        """Return the opponent's move; raise `BadInput` if it is not legal."""
        own = self._opponent
        move = own(state) if callable(own) else own.choose(game, state, seat, rng)
        if move not in game.legal_moves(state, seat):
            raise BadInput(f"The opponent {self.name} returned {str(move)[:80]!r}, which is not a legal move.")
        return move


def make_opponent(game: AnyGame, opponent: Opponent) -> Bot:
    """Return an opponent as a bot; raise `BadInput` if it is none, or cannot play the game."""
    if isinstance(opponent, str):
        return make_bot_for(game, opponent)
    if isinstance(opponent, type) or not (callable(opponent) or hasattr(opponent, "choose")):
        raise BadInput(
            "An opponent is the name of a bot such as level3, a bot with a method choose(game, state, seat, rng), or a "
            f"function that returns a legal move of a state, not {opponent!r:.80}."
        )
    return CustomBot(opponent)


def choose_action(bot: Bot, episode: Episode, seat: Seat, rng: Random) -> int:
    """Return the action that a bot chooses for a seat."""
    game = episode.game
    state = game.resample(episode.state, seat, rng)
    action: int = game.action_of(state, seat, bot.choose(game, state, seat, rng))
    return action
