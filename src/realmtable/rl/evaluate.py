"""Measures how strong a policy is: plays it against bots from every seat and returns scores with 95% intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Any, Final

import numpy as np

from realmtable.engine.bots import Bot
from realmtable.engine.errors import BadInput
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import AnyGame, Seat
from realmtable.lab.match_statistics import Interval, count_pair_scores, elo, score_interval, wilson
from realmtable.rl.episode import Episode, GameSetup
from realmtable.rl.opponents import choose_action
from realmtable.search.bot_levels import make_bot_for

PAIR: Final = 2  # seats

Observed = dict[str, Any]
# Chooses an action for {"observation": …, "action_mask": …}, as PettingZoo's agents see it.
Policy = Callable[[Observed], int]


@dataclass(frozen=True)
class Evaluation:
    """The result against one opponent. A win scores 1, a draw 0.5 and a loss 0; places between count evenly."""

    opponent: str
    games: int
    score: float
    interval: Interval  # of the score
    unfinished: int = 0  # games that were cut off; they count as draws

    @property
    def elo(self) -> float:
        """The Elo difference that corresponds to the score, between two players."""
        return elo(self.score)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.opponent}: {self.score:.1%} [{low:.1%}, {high:.1%}] in {self.games} games"


def evaluate_policy(  # noqa: PLR0913 - a match has as many facts
    policy: Policy,
    game: str | AnyGame,
    *,
    opponents: Sequence[str] = ("level1", "level2"),
    rounds: int = 50,
    seed: int = 0,
    seats: int | None = None,
    preset: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    max_steps: int | None = None,
) -> list[Evaluation]:
    """Play a policy against each opponent, which takes all other seats, and return the results.

    A round is one game from each seat, all with the same seed. The games of a round are not independent, but the
    rounds are: the intervals rest on them.
    """
    setting = GameSetup(game, seats, preset, options, max_steps)
    if setting.seats == 1:
        raise BadInput("A game for one player has no opponents.")
    if rounds < 1:
        raise BadInput(f"An evaluation has at least 1 round, not {rounds}.")
    return [_play_rounds(policy, setting, name, rounds, seed) for name in opponents]


def _play_rounds(policy: Policy, setting: GameSetup, opponent: str, rounds: int, seed: int) -> Evaluation:
    bot = make_bot_for(setting.game, opponent)
    scores, unfinished = [], 0
    for number in range(rounds):
        played = [_play_game(policy, bot, setting, seat, [seed, number]) for seat in range(setting.seats)]
        unfinished += sum(score is None for score in played)
        scores.append(fmean(0.5 if score is None else score for score in played))
    return Evaluation(opponent, rounds * setting.seats, fmean(scores), _find_interval(setting, scores), unfinished)


def _play_game(policy: Policy, bot: Bot, setting: GameSetup, own: Seat, seeds: list[int]) -> float | None:
    """Return the score of the policy in one game: from 0 to 1, or None if it was cut off."""
    episode = Episode(setting, np.random.default_rng(seeds))
    bot_rng = Random(f"{seeds} {own}")  # noqa: S311 - nothing here is a secret
    while acting := episode.acting:
        seat = acting[0]
        if seat == own:
            action = policy({"observation": episode.observe(seat), "action_mask": episode.mask(seat)})
        else:
            action = choose_action(bot, episode, seat, bot_rng)
        episode.play(seat, action)
    return None if episode.outcome is None else (1 + episode.rewards()[own]) / 2


def _find_interval(setting: GameSetup, scores: Sequence[float]) -> Interval:
    """Return the interval of the mean: that of matches in pairs for two seats, otherwise Wilson's for the rounds."""
    if setting.seats == PAIR:
        return score_interval(count_pair_scores(scores))
    return wilson(fmean(scores), len(scores))
