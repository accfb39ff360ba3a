"""Games of Magic Realm between bots, step by step; the same number gives the same map and the same dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.bots import plan_steps
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.search.bot_levels import make_bot

GAME: Final = "magic_realm"
DAYS_PER_WEEK: Final = 7


class Change(NamedTuple):
    """A step, and the states before and after it."""

    before: World
    after: World
    seat: Seat
    step: Step
    decision_s: float | None  # how long the bot thought, at the first step of a decision


def play_month(
    levels: Sequence[int],
    map_number: int,
    *,
    days: str = "28",
    encounter: str = "1",
    reveal: Callable[[World], World] | None = None,
) -> Iterator[Change]:
    """Yield the steps of a game with a bot of a level in each seat; `reveal` may change the first morning."""
    game, chance = registry.game(GAME), Random(f"map {map_number}")
    bots = [make_bot(f"level{level}") for level in levels]
    rngs = [Random(f"{map_number} {seat} {level}") for seat, level in enumerate(levels)]
    state: Any = game.initial(len(levels), game.options(days=days, encounter=encounter))
    while acting := game.to_move(state):
        if reveal is not None and state.agenda[-1].kind == "write":
            state, reveal = reveal(state), None
        seat, start = acting[0], time.perf_counter()
        decision_s: float | None = None
        if seat == CHANCE:
            outcomes = game.chance(state)
            steps = chance.choices([o.move for o in outcomes], [o.weight for o in outcomes])
        else:
            steps = plan_steps(bots[seat], game, state, seat, rngs[seat])
            decision_s = time.perf_counter() - start
        for step in steps:
            before, state = state, game.play(state, seat, step)
            yield Change(before, state, seat, step, decision_s)
            decision_s = None
