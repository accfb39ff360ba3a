"""What viewers read of a step: everything, a part of it, or nothing at all (X1, Z6).

Choices that others do not know yet are not shown at all: the choices of the set-up, a written day, a play in combat,
the goals of a new life. For all other steps everyone knows at least that they were taken.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.combat_flow.secrets import are_plays_secret
from realmtable.games.magic_realm.day_rules.search import party_of
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of, world_if_combat_ended
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.text.trace import trace_step
from realmtable.games.magic_realm.text.wording import name_back
from realmtable.games.magic_realm.world.knowledge import SeatView, card_back
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

SECRET_FRAMES: Final = ("secrets", "write", "goals")
OPEN_VERBS: Final = ("ready", "done")  # that someone has finished shows, because they are no longer asked
PUBLIC_FRAMES: Final = ("end", "valleys")  # chits that are decided for these are turned up


def is_secret(world: World, seat: Seat, step: Step, viewer: Seat | None) -> bool:
    """Whether a viewer may not even know that a step was taken."""
    if viewer == seat or step.verb in OPEN_VERBS:
        return False
    fight = fight_of(world)
    return world.agenda[-1].kind in SECRET_FRAMES or (fight is not None and are_plays_secret(fight))


def text_for_viewer(machine: Machine, world: World, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Return the text of a step as far as a viewer may know it; empty if they may not know of it."""
    if is_secret(world, seat, step, viewer):
        return ""
    if knows_step(machine, world, seat, step, viewer):
        return format_step(step)
    if step.verb == "leave":
        return f"leave {name_back(card_back(step.args[0]))}"
    return "a map chit" if step.verb == "chit" else "a treasure"


def knows_step(machine: Machine, world: World, seat: Seat, step: Step, viewer: Seat | None) -> bool:
    """Whether a viewer may know all that the text of a step says."""
    if viewer == seat:
        return True
    if step.verb == "chit":
        return _knows_chit(world, viewer)
    goods = step.args[-1] if step.verb == "card" or (step.verb == "leave" and step.args) else None
    if goods is None:
        return True
    return SeatView(world_if_combat_ended(trace_step(machine, world, seat, step).after), viewer).knows_goods(goods)


def _knows_chit(world: World, viewer: Seat | None) -> bool:
    """Whether a viewer knows the chit that chance decides: one that is turned up, or that their party looks at."""
    below = world.agenda[-2]
    if below.kind in PUBLIC_FRAMES:
        return True
    return below.kind == "look" and viewer in party_of(world, below.seat)
