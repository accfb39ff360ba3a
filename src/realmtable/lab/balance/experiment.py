"""The design of an experiment: every combination of some options and bots, played with the same seeds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.options import as_pairs, parse_pairs
from realmtable.engine.protocol import AnyGame, format_player_counts
from realmtable.lab.jobs.code_version import fingerprint_rules
from realmtable.lab.matches.match_plan import MAX_OPENING
from realmtable.search.bot_levels import make_bot_for

MAX_SETTINGS: Final = 64
FACTS_VERSION: Final = 3  # raise it when a game's facts are measured differently
BOTS: Final = "bots"  # the factors that are not options
PRESET: Final = "preset"


class Factor(NamedTuple):
    """Something that an experiment varies."""

    name: str  # an option, "preset" or "bots"
    labels: tuple[str, ...]  # what people read
    values: tuple[str, ...]  # what the game reads


class ExperimentCell(NamedTuple):
    """One combination: its options as name=value, its bot, and the label of each factor that varies."""

    options: tuple[str, ...]
    bot: str
    labels: tuple[str, ...]


class BalanceTask(NamedTuple):
    """A game to play, as plain data. Equal tasks give equal games, unless a bot is limited by time."""

    game_id: str
    seats: int
    options: tuple[str, ...]
    bot: str
    seed: int
    opening_turns: int | None

    def key(self) -> str:
        """Return the cache key of the game: a hash of everything it depends on, including the code."""
        info = registry.info(self.game_id)
        content = [FACTS_VERSION, info.rules_version, fingerprint_rules(self.game_id), *self]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


@dataclass(frozen=True)
class Experiment:
    """A full factorial experiment. All settings share seeds: the same opening, dice and bots' randomness per game."""

    game_id: str
    seats: int
    factors: tuple[Factor, ...]  # those with several values
    settings: tuple[ExperimentCell, ...]  # the first is what the others are compared with
    seed: int = 1
    opening_turns: int | None = None

    @property
    def title(self) -> str:
        return registry.info(self.game_id).title

    def describe_setting(self, index: int) -> str:
        """Return what people read for a setting: the factors that vary, or the bot if nothing does."""
        setting = self.settings[index]
        named = zip(self.factors, setting.labels, strict=True)
        words = [label if factor.name in (BOTS, PRESET) else f"{factor.name}={label}" for factor, label in named]
        return ", ".join(words) or setting.bot

    def make_task(self, setting: int, number: int) -> BalanceTask:
        """Return the task of a setting's game; its seed depends on the number alone."""
        chosen = self.settings[setting]
        words = f"realmtable balance {self.seed} game {number}"
        seed = int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
        return BalanceTask(self.game_id, self.seats, chosen.options, chosen.bot, seed, self.opening_turns)


def design_experiment(  # noqa: PLR0913 - one argument for each choice
    game_id: str,
    factors: Sequence[Factor],
    *,
    bots: Sequence[str],
    presets: Sequence[str] = (),
    seats: int | None = None,
    seed: int = 1,
    opening_turns: int | None = None,
) -> Experiment:
    """Return the experiment with every combination of options, presets and bots; raise `BadInput` if it is impossible.

    The same bot plays all seats of a game, so that only seats, options and play differ.
    """
    game = registry.game(game_id)
    seats = game.info.seats[0] if seats is None else seats
    if seats not in game.info.seats:
        raise BadInput(f"{game.info.title} is for {format_player_counts(game.info.seats)} players, not {seats}.")
    if opening_turns is not None and not 0 <= opening_turns <= MAX_OPENING:
        raise BadInput(f"An opening may have 0 to {MAX_OPENING:,} turns, not {opening_turns}.")
    all_factors = [*factors, *([Factor(PRESET, (*presets,), (*presets,))] if presets else []), _bots_factor(game, bots)]
    for factor in all_factors:
        _check_values(factor)
    if (count := prod(len(factor.values) for factor in all_factors)) > MAX_SETTINGS:
        raise BadInput(f"These values make {count:,} combinations; at most {MAX_SETTINGS} can be compared at once.")
    settings = _combine(game, seats, all_factors)
    varied = tuple(factor for factor in all_factors if len(factor.values) > 1)
    return Experiment(game_id, seats, varied, settings, seed, opening_turns)


def _bots_factor(game: AnyGame, bots: Sequence[str]) -> Factor:
    if not bots or not all(bots):
        raise BadInput("Name at least one bot, such as level3.")
    for bot in bots:
        make_bot_for(game, bot)
    return Factor(BOTS, (*bots,), (*bots,))


def _check_values(factor: Factor) -> None:
    repeated = [label for label in factor.labels if factor.labels.count(label) > 1]
    if repeated:
        raise BadInput(f"The value {repeated[0][:40]} of {factor.name} is given twice.")


def _combine(game: AnyGame, seats: int, factors: Sequence[Factor]) -> tuple[ExperimentCell, ...]:
    """Return all settings, with the first values first; refuse options that the game refuses."""
    settings = []
    for places in product(*(range(len(factor.values)) for factor in factors)):
        chosen = {factor.name: factor.values[place] for factor, place in zip(factors, places, strict=True)}
        labels = [factor.labels[place] for factor, place in zip(factors, places, strict=True) if len(factor.values) > 1]
        bot, preset = chosen.pop(BOTS), chosen.pop(PRESET, None)
        pairs = parse_pairs(game.info.options_type, [f"{name}={value}" for name, value in chosen.items()])
        options = game.options(preset, **pairs)
        game.initial(seats, options)  # some options do not fit some numbers of players
        settings.append(ExperimentCell((*as_pairs(options),), bot, (*labels,)))
    return (*settings,)
