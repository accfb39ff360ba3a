"""States of random games with the whole rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import random_step

LONG = 240
RARE = ("back", "order", "done", "run on")
OPTIONS = [
    MagicOptions(days="7", map="stock1"),
    MagicOptions(days="7", map="stock2", recording="as_you_go", follow="may_stop"),
    MagicOptions(days="7", secret_gold=False, two_rows="always"),
    MagicOptions(days="7", map="players", follow="may_stop"),
]


def random_states(seats: int, options: MagicOptions, rng: Random, limit: int = LONG) -> Iterator[World]:
    """Yield the states of a random game in which days are written out, and orders are given now and then."""
    world = first_state(seats, options)
    for _ in range(limit):
        yield world
        if not MACHINE.to_move(world):
            return
        world = MACHINE.play(world, *random_step(world, rng, MACHINE, RARE))
