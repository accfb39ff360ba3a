"""The settings in which environments are tested: every preset of every game, and every number of seats once."""

from __future__ import annotations

import numpy as np

import realmtable
from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue
from realmtable.rl.episode import Episode, GameSetup, default_seats

PRESETS = [(info.id, preset) for info in realmtable.infos() for preset in info.presets]
# One setting for each game, quick to play.
QUICK = [(info.id, info.suggested_preset) for info in realmtable.infos()]


def list_seat_counts() -> list[tuple[str, str, int]]:
    """List every game with each possible number of seats, and a preset that allows it."""
    found: dict[tuple[str, int], str] = {}
    for info in realmtable.infos():
        game = realmtable.game(info.id)
        for preset in info.presets:
            for seats in info.seats:
                try:
                    game.initial(seats, game.options(preset))
                except BadOptions:
                    continue
                found.setdefault((info.id, seats), preset)
    return [(game_id, preset, seats) for (game_id, seats), preset in found.items()]


def list_single_options() -> list[tuple[str, str, OptionValue]]:
    """List every value of each option but the default; for numbers, the bounds. Values that need others are leftout."""
    found: list[tuple[str, str, OptionValue]] = []
    for info in realmtable.infos():
        game = realmtable.game(info.id)
        for option in info.options():
            bounds = [value for value in (option.low, option.high) if value is not None]
            values: list[OptionValue] = [not option.default] if option.type == "switch" else [*option.choices, *bounds]
            for value in values:
                if value == option.default:
                    continue
                changed: dict[str, OptionValue] = {option.name: value}
                try:
                    default_seats(game, game.options(None, **changed))
                except BadOptions:
                    continue
                found.append((info.id, option.name, value))
    return found


def play_randomly(setting: GameSetup, seed: int, most: int) -> list[Episode]:
    """Play up to `most` random actions and return a copy of the episode before each."""
    episode = Episode(setting, np.random.default_rng(seed))
    chooser = np.random.default_rng(seed + 1)
    seen = []
    for _ in range(most):
        if not episode.acting:
            break
        before = Episode.__new__(Episode)
        before.__dict__.update(episode.__dict__)
        seen.append(before)
        seat = int(chooser.choice(episode.acting))
        episode.play(seat, int(chooser.choice(episode.legal_actions(seat))))
    return seen
