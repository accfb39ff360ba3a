"""All games, with the toys, and what tests of other folders use of the random plays that check them."""

from __future__ import annotations

import realmtable
from realmtable.conformance.random_games import (
    RandomGame,
    Step,
    fitting_seats,
    limit_examples,
    moves_of,
    options_for,
    play_randomly,
    to_match,
)
from realmtable.engine.errors import UnknownGame
from realmtable.engine.protocol import AnyGame
from tests.toys.dice_duel import DiceDuel
from tests.toys.gold_quest import GoldQuest
from tests.toys.hex_map import HexMap
from tests.toys.long_march import LongMarch
from tests.toys.market_day import MarketDay
from tests.toys.parry_duel import ParryDuel
from tests.toys.secret_cards import SecretCards

__all__ = [
    "GAMES",
    "TOYS",
    "RandomGame",
    "Step",
    "find_game",
    "fitting_seats",
    "game_id",
    "limit_examples",
    "moves_of",
    "options_for",
    "play_randomly",
    "to_match",
]

TOYS: list[AnyGame] = [
    DiceDuel(),
    ParryDuel(),
    SecretCards(),
    HexMap(),
    HexMap(fog=True),
    GoldQuest(),
    MarketDay(),
    LongMarch(),
]
GAMES: list[AnyGame] = [*(realmtable.game(info.id) for info in realmtable.infos()), *TOYS]


def game_id(game: AnyGame) -> str:
    return game.info.id


def find_game(name: str) -> AnyGame:
    """Find a game by its id, for `parse_record` and `load_record`."""
    for game in GAMES:
        if game.info.id == name:
            return game
    raise UnknownGame(f"There is no game {name[:40]}.")
