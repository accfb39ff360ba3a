"""Random plays of any game, complete or near the end, so that a test has only a few moves to make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import realmtable
from realmtable.engine.bots import Bot
from realmtable.engine.protocol import CHANCE, AnyGame
from realmtable.search.baselines import GreedyBot, RandomBot
from tests.conformance.random_games import Step, moves_of, play_randomly

SEEDS = 2


@dataclass(frozen=True)
class ScriptedGame:
    """A position, and the steps in notation that end the game from there."""

    game: AnyGame
    position: str
    steps: list[Step]

    @property
    def moves(self) -> list[str]:
        return [self.game.format_move(step.state, step.move) for step in self.steps]


@cache
def whole_game(game_id: str, seed: int = 0) -> ScriptedGame:
    """Play a random game from its start, with the fewest seats."""
    game = realmtable.game(game_id)
    start = game.initial(game.info.seats[0], game.options())
    return ScriptedGame(game, game.encode(start), play_randomly(game, start, seed, 10_000).steps)


@cache
def bot_game(game_id: str) -> ScriptedGame:
    """Play a game between a greedy and a random player, which ends soon."""
    game = realmtable.game(game_id)
    rng = Random(0)
    bots: list[Bot] = [GreedyBot(width=3, length=3), *[RandomBot()] * (game.info.seats[0] - 1)]
    state = start = game.initial(game.info.seats[0], game.options())
    steps: list[Step] = []
    while acting := game.to_move(state):
        seat = rng.choice(acting)
        move = rng.choice(moves_of(game, state, seat)) if seat == CHANCE else bots[seat].choose(game, state, seat, rng)
        after = game.play(state, seat, move)
        steps.append(Step(state, seat, move, after))
        state = after
    return ScriptedGame(game, game.encode(start), steps)


@cache
def last_turns(game_id: str, turns: int) -> ScriptedGame:
    """Return the last turns of the random game, among several, in which they have the fewest steps."""
    return min((_tail(whole_game(game_id, seed), turns) for seed in range(SEEDS)), key=lambda found: len(found.steps))


def _tail(played: ScriptedGame, turns: int) -> ScriptedGame:
    first = _turn_starts(played)[-turns:][0]
    steps = played.steps[first:]
    return ScriptedGame(played.game, played.game.encode(steps[0].state), steps)


def _turn_starts(played: ScriptedGame) -> list[int]:
    numbers = [played.game.turn(step.state) for step in played.steps]
    return [index for index, turn in enumerate(numbers) if index == 0 or turn != numbers[index - 1]]


@cache
def from_middle(game_id: str, share: float = 0.6) -> ScriptedGame:
    """Return a random game from about the middle, preferably from the start of a turn with several steps."""
    played = whole_game(game_id)
    starts = _turn_starts(played)
    later = [index for index in starts if index >= share * len(played.steps)] or starts[-1:]
    several = [index for index in later if index + 1 < len(played.steps) and index + 1 not in starts]
    steps = played.steps[(several or later)[0] :]
    return ScriptedGame(played.game, played.game.encode(steps[0].state), steps)


def game_with_multi_step_turns() -> str:
    """Return the id of a game in which a turn may have several steps."""
    return next(
        info.id for info in realmtable.infos() if not info.hidden and not info.chance and _has_running_turn(info.id)
    )


def _has_running_turn(game_id: str) -> bool:
    found = from_middle(game_id)
    numbers: list[Any] = [found.game.turn(step.state) for step in found.steps[:2]]
    return len(numbers) > 1 and numbers[0] == numbers[1]
