"""Play many games between bots inside compiled code, without Python between the steps.

Only bots with a limit on nodes can play here: inside compiled code there is no clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.bots import Bot
from realmtable.engine.errors import BadInput
from realmtable.kit.rules import Position, Rules, SearchParameters
from realmtable.kit.specialise import specialise
from realmtable.search.baselines import OWN_TURN, OWN_TURN_LIMITS, GreedyBot, RandomBot
from realmtable.search.bot_levels import LEVEL_NOISE, LevelBot, make_bot
from realmtable.search.compiled_mcts_bot import CompiledMctsBot
from realmtable.search.several_seats_mcts import NODES_PER_VISIT
from realmtable.search.several_seats_mcts_tree import new_tree

MATCH_SOURCE: Final = Path(__file__).with_name("match_kernels.py")
GAMES_PER_CALL: Final = 16  # what a thread plays before it takes the next batch


@dataclass(frozen=True)
class Player:
    """How a seat plays."""

    nodes: int = 0  # visits per search; 0 for random steps
    style: SearchParameters | None = None  # defaults to the game's
    plans: bool = False  # whether further steps of a turn use its first search, as bots at tables do
    random_rate: float = 0.0  # how often a random step is played instead


class GamesPlayed(NamedTuple):
    """The results of some games, in the order of their seeds."""

    shares: NDArray[np.float64]  # [games, seats] of the win
    finals: NDArray[np.int64]  # [games, size of a position] the last positions
    tallies: NDArray[np.int64]  # [games, tally_size] what the game counts
    steps: int


def make_player(text: str, rules: Rules, nodes: int | None = None) -> Player:
    """Return the player that a bot's name stands for; `nodes` replaces a time limit.

    Raise `BadInput` for bots that cannot play inside compiled code.
    """
    player = _player_of(make_bot(text), rules, nodes)
    if player is None:
        raise BadInput(f"{text[:40]} cannot play inside compiled code; use a bot that searches a number of nodes.")
    return player


def _player_of(bot: Bot, rules: Rules, nodes: int | None) -> Player | None:
    if isinstance(bot, RandomBot):
        return Player()
    if isinstance(bot, GreedyBot):
        changes: Mapping[str, Any] = OWN_TURN
        return Player(OWN_TURN_LIMITS.nodes or 1, replace(rules.style, **changes))
    if isinstance(bot, LevelBot) and (bot.strength.nodes or nodes):
        style = replace(rules.style, noise=LEVEL_NOISE)
        return Player(bot.strength.nodes or nodes or 1, style, plans=True, random_rate=bot.strength.random_turn_rate)
    if isinstance(bot, CompiledMctsBot) and bot.threads == 1 and (bot.limits.nodes or nodes):
        style = replace(bot.style or rules.style, **bot.changes)
        return Player(bot.limits.nodes or nodes or 1, style, plans=True)
    return None


def play_games(
    rules: Rules, starts: Sequence[Position], players: Sequence[Player], seeds: Sequence[int], threads: int = 1
) -> GamesPlayed:
    """Play a game from each position with its seed; `players` are in the order of the seats."""
    assert rules.share_of is not None  # noqa: S101 - the game is for several seats
    finals = np.array(starts, dtype=np.int64)
    tallies = np.zeros((len(seeds), rules.tally_size), dtype=np.int64)
    stream_seeds = np.array([seed % (2**64 - 1) + 1 for seed in seeds], dtype=np.uint64)
    slices = [slice(first, first + GAMES_PER_CALL) for first in range(0, len(seeds), GAMES_PER_CALL)]
    kernels = specialise(MATCH_SOURCE, "realmtable.search", rules)
    arrays = _player_arrays(kernels, rules, players)

    def play_slices(thread: int) -> int:
        tree = new_tree(rules, starts[0], rules.style, 0, int(max(arrays.rooms)))
        return sum(
            int(kernels.play_games(arrays, tree, stream_seeds[part], finals[part], tallies[part]))
            for part in slices[thread::threads]
        )

    with ThreadPoolExecutor(threads) as pool:
        steps = sum(pool.map(play_slices, range(threads)))
    share_of = rules.share_of
    shares = [[float(share_of(final, seat)) for seat in range(len(players))] for final in finals]
    return GamesPlayed(np.array(shares), finals, tallies, steps)


def _player_arrays(kernels: Any, rules: Rules, players: Sequence[Player]) -> Any:  # noqa: ANN401 - its `Players`
    styles = [player.style or rules.style for player in players]
    weights = [style.weights or tuple(feature.weight for feature in rules.features) for style in styles]
    return kernels.Players(
        nodes=np.array([player.nodes for player in players], dtype=np.int64),
        rooms=np.array([NODES_PER_VISIT * player.nodes + 2 for player in players], dtype=np.int64),
        plans=np.array([player.plans for player in players], dtype=np.int64),
        random_rates=np.array([player.random_rate for player in players], dtype=np.float64),
        settings=np.array([style.several_seats_settings() for style in styles], dtype=np.float64),
        weights=np.array(weights, dtype=np.float64),
    )
