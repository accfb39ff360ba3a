"""Pictures of games in progress for the lobby, from the middle of each game's longest record or of a random game."""

from __future__ import annotations

from functools import cache, lru_cache
from random import Random
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.options import make_options
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import AnyGame, State
from realmtable.engine.record import Record, parse_record
from realmtable.search.bot_levels import RandomBot
from realmtable.server.tables.setup import playable_counts

SAMPLE_PART: Final = 0.6  # the part of a game after which its board is liveliest
MIN_TURNS: Final = 12  # records with fewer turns are not used
RANDOM_STEPS: Final = 30  # length of a random game
FIRST_SEAT: Final = 0  # whose hand the picture of a preset shows
OPENING_STEPS: Final = 10  # steps after which the picture of a preset is drawn


@cache
def picture(game_id: str, theme: str = "auto") -> str:
    """Return a picture of the game in progress as SVG, the same for every call."""
    match = sample_match(game_id)
    return draw_whole(match.game, match.view(0), theme)  # with a hand to look at, where players have one


@cache
def sample_match(game_id: str) -> Match:
    """Return a match of the game, stopped around its middle."""
    game = registry.game(game_id)
    longest = max(records(game_id), key=lambda record: len(record.turns), default=None)
    if longest is None or len(longest.turns) < MIN_TURNS:
        return _play_random_match(game, game.initial(game.info.seats[0]), RANDOM_STEPS)
    return longest.replay(round(len(longest.turns) * SAMPLE_PART))


@cache
def records(game_id: str) -> list[Record]:
    """Return the records in a game's folder, sorted by name."""
    paths = sorted((registry.game_folder(game_id) / "records").glob("*.record"))
    readings = [parse_record(path.read_text(encoding="utf-8"), registry.game) for path in paths]
    return [reading.record for reading in readings if reading.record is not None and reading.fault is None]


@lru_cache(maxsize=400)
def preset_picture(game_id: str, preset: str, theme: str = "auto") -> str:
    """Return a small picture of the beginning of a game with a preset as SVG, the same for every call."""
    game = registry.game(game_id)
    options: Any = make_options(game.info.options_type, game.info.presets, preset, {})
    counts = playable_counts(game, options)
    match = _play_random_match(game, game.initial(counts[(len(counts) - 1) // 2], options), OPENING_STEPS)
    return draw_whole(game, match.view(FIRST_SEAT), theme)


def _play_random_match(game: AnyGame, start: State, steps: int) -> Match:
    rng, bot = Random(7), RandomBot()  # noqa: S311 - only for a picture
    match = Match.start(game, start, seed="gallery")
    for _ in range(steps):
        acting = game.to_move(match.state)
        if not acting:
            return match
        sample = game.resample(match.state, acting[0], rng)
        match = match.play(acting[0], bot.choose(game, sample, acting[0], rng))
    return match
