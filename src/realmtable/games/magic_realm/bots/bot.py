"""The bots of Magic Realm. Weaker levels aim too high, and the table adds mistakes to their play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, Protocol, cast

from realmtable.engine.protocol import Seat, State
from realmtable.games.magic_realm.bots.answers import choose_steps
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.steps import Step

LEVELS: Final = 5  # a stronger bot would have to play days out
SEASONED: Final = 4  # the first level that chooses its character and its goals by what it can reach


class GameForBot(Protocol):
    """What a bot needs of the game."""

    def view(self, state: State, seat: Seat | None) -> dict[str, Any]: ...  # noqa: D102 - as in the protocol


@dataclass(frozen=True)
class MagicBot:
    """Plans each day by what each place promises and threatens."""

    name: str = "magic"
    is_seasoned: bool = True

    def choose(self, game: GameForBot, state: State, seat: Seat, rng: Random) -> Step:
        """Choose a step."""
        return self.plan(game, state, seat, rng)[0]

    def plan(self, game: GameForBot, state: State, seat: Seat, rng: Random) -> list[Step]:
        """Choose the next steps: a whole written day at once, otherwise one step."""
        view = cast("MagicView", game.view(state, seat))
        return [parse_step(text) for text in choose_steps(view, rng, is_seasoned=self.is_seasoned)]


@cache
def bot_for_level(level: int) -> MagicBot:
    """Return the bot of a level."""
    return MagicBot(is_seasoned=level >= SEASONED)
