"""Bots as players of environments: they are given what their seat may know, never more."""

from __future__ import annotations

from random import Random

from realmtable.engine.bots import Bot
from realmtable.engine.protocol import Seat
from realmtable.rl.episode import Episode


def choose_action(bot: Bot, episode: Episode, seat: Seat, rng: Random) -> int:
    """Return the action that a bot chooses for a seat."""
    game = episode.game
    state = game.resample(episode.state, seat, rng)
    action: int = game.action_of(state, seat, bot.choose(game, state, seat, rng))
    return action
