"""Games of bots, and positions in which a bot is asked something."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.bots.answers import choose_steps
from realmtable.games.magic_realm.bots.bot import MagicBot
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import VALLEYS

BOT = MagicBot()


def step_by_chance(state: World, rng: Random) -> World:
    outcomes = GAME.chance(state)
    return GAME.play(state, CHANCE, rng.choices([o.move for o in outcomes], [o.weight for o in outcomes])[0])


def play_bots(seats: int, seed: str, preset: str | None = None, **options: str) -> Iterator[World]:
    """Yield the states of a game of bots in which someone chooses; each plays all steps of its plan."""
    rng, state = Random(seed), GAME.initial(seats, GAME.options(preset, **options))
    while acting := GAME.to_move(state):
        if acting == (CHANCE,):
            state = step_by_chance(state, rng)
            continue
        yield state
        for step in BOT.plan(GAME, state, acting[0], rng):
            state = GAME.play(state, acting[0], step)
    yield state


def place(*fields: str, heroes: str = "Elf", options: str = "map=stock1", chits: str = "") -> World:
    """Return a morning on the first stock map."""
    more = f"{VALLEYS};{chits}" if chits else VALLEYS
    points = "1.points=treasures,treasures,fame,notoriety,notoriety"
    return GAME.decode(" ".join([f"options={options}", f"heroes={heroes}", more, points, *fields]))


def see(state: World, seat: int = 0) -> MagicView:
    return cast("MagicView", GAME.view(state, seat))


def with_question(view: MagicView, kind: str, *moves: str, **changes: object) -> MagicView:
    """Return a view in which the viewer is asked something."""
    question = {"kind": kind, "activity": "", "phase": 0, "phases": 0, "moves": [*moves]}
    return cast("MagicView", {**view, "question": question, **changes})


def ask(kind: str, *moves: str, state: World | None = None, **changes: object) -> list[str]:
    """Return what the bot answers to a question in some position."""
    view = see(place() if state is None else state)
    return choose_steps(with_question(view, kind, *moves, **changes), Random(1))


def plan_position(*fields: str, **how: str) -> Planner:
    return Planner(KnownWorld(see(place(*fields, **how))))
