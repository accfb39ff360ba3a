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
from realmtable.search.bot_levels import SEVERAL_SEATS_LEVELS, LevelBot, make_bot
from realmtable.search.mcts.bot import CompiledMctsBot
from realmtable.search.mcts.tree import count_nodes, feature_weights, new_tree

MATCH_SOURCE: Final = Path(__file__).with_name("match_kernels.py")
GAMES_PER_CALL: Final = 16  # what a thread plays before it takes the next batch


@dataclass(frozen=True)
class SeatPolicy:
    """How a seat plays."""

    nodes: int = 0  # visits per search; 0 for random steps
    parameters: SearchParameters | None = None  # defaults to the game's
    plans: bool = False  # whether further steps of a turn use its first search, as bots at tables do
    random_rate: float = 0.0  # how often a random step is played instead


class GameResults(NamedTuple):
    """The results of some games, in the order of their seeds."""

    shares: NDArray[np.float64]  # [games, seats] of the win
    finals: NDArray[np.int64]  # [games, size of a position] the last positions
    tallies: NDArray[np.int64]  # [games, tally_size] what the game counts
    steps: int


def make_seat_policy(text: str, rules: Rules, nodes: int | None = None) -> SeatPolicy:
    """Return the policy that a bot's name stands for; `nodes` replaces a time limit.

    Raise `BadInput` for bots that cannot play inside compiled code.
    """
    policy = _policy_of(make_bot(text), rules, nodes)
    if policy is None:
        raise BadInput(f"{text[:40]} cannot play inside compiled code; use a bot that searches a number of nodes.")
    return policy


def _policy_of(bot: Bot, rules: Rules, nodes: int | None) -> SeatPolicy | None:
    if isinstance(bot, RandomBot):
        return SeatPolicy()
    if isinstance(bot, GreedyBot):
        changes: Mapping[str, Any] = OWN_TURN
        return SeatPolicy(OWN_TURN_LIMITS.nodes or 1, replace(rules.search_parameters, **changes))
    if isinstance(bot, LevelBot) and (bot.strength.nodes or nodes):
        parameters = replace(rules.search_parameters, **SEVERAL_SEATS_LEVELS)
        return SeatPolicy(
            bot.strength.nodes or nodes or 1, parameters, plans=True, random_rate=bot.strength.random_turn_rate
        )
    if isinstance(bot, CompiledMctsBot) and bot.threads == 1 and (bot.limits.nodes or nodes):
        parameters = replace(bot.parameters or rules.search_parameters, **bot.changes)
        return SeatPolicy(bot.limits.nodes or nodes or 1, parameters, plans=True)
    return None


def play_games(
    rules: Rules, starts: Sequence[Position], policies: Sequence[SeatPolicy], seeds: Sequence[int], threads: int = 1
) -> GameResults:
    """Play a game from each position with its seed; `policies` are in the order of the seats."""
    assert rules.share_of is not None  # noqa: S101 - the game is for several seats
    finals = np.array(starts, dtype=np.int64)
    tallies = np.zeros((len(seeds), rules.tally_size), dtype=np.int64)
    stream_seeds = np.array([seed % (2**64 - 1) + 1 for seed in seeds], dtype=np.uint64)
    slices = [slice(first, first + GAMES_PER_CALL) for first in range(0, len(seeds), GAMES_PER_CALL)]
    kernels = specialise(MATCH_SOURCE, "realmtable.search", rules)
    arrays = _policy_arrays(kernels, rules, policies)

    def play_slices(thread: int) -> int:
        tree = new_tree(rules, starts[0], rules.search_parameters, 0, int(max(arrays.rooms)))
        return sum(
            int(kernels.play_games(arrays, tree, stream_seeds[part], finals[part], tallies[part]))
            for part in slices[thread::threads]
        )

    with ThreadPoolExecutor(threads) as pool:
        steps = sum(pool.map(play_slices, range(threads)))
    share_of = rules.share_of
    shares = [[float(share_of(final, seat)) for seat in range(len(policies))] for final in finals]
    return GameResults(np.array(shares), finals, tallies, steps)


def _policy_arrays(kernels: Any, rules: Rules, policies: Sequence[SeatPolicy]) -> Any:  # noqa: ANN401 - its `SeatPolicies`
    parameter_sets = [policy.parameters or rules.search_parameters for policy in policies]
    settings = [parameters.settings(seat) for seat, parameters in enumerate(parameter_sets)]
    return kernels.SeatPolicies(
        nodes=np.array([policy.nodes for policy in policies], dtype=np.int64),
        rooms=np.array([count_nodes(rules, policy.nodes) for policy in policies], dtype=np.int64),
        plans=np.array([policy.plans for policy in policies], dtype=np.int64),
        random_rates=np.array([policy.random_rate for policy in policies], dtype=np.float64),
        settings=np.array(settings, dtype=np.float64),
        weights=np.array([feature_weights(rules, parameters) for parameters in parameter_sets], dtype=np.float64),
    )
