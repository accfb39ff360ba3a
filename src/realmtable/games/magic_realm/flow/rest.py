"""The Rest activity (D15, D24)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day_rules.action_chits import count_rest_stars, list_rests, rest_chit
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, Refusal
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

ENOUGH: Final = Step("enough")
MAX_STARS: Final = 2


def _list_rests(world: World, frame: Frame, seat: Seat) -> list[Step]:
    """Return the ways to rest; `a` counts the stars that have been rested in this phase. Nobody has to make change."""
    found = list_rests(world, seat, count_rest_stars(world, seat) - frame.a)
    needs_change = all(len(step.args) > 1 for step in found)
    may_stop = frame.a or needs_change or world.heroes[seat].guide != NO_SEAT
    return sorted([ENOUGH, *found]) if found and may_stop else found


def _resting_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
    left = count_rest_stars(world, frame.seat) - frame.a
    return (frame.seat,) if left > 0 and _list_rests(world, frame, frame.seat) else ()


def _take_rest(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    if step == ENOUGH:
        return DONE
    rested = frame.a + rest_chit(world, seat, step)
    return (frame._replace(a=rested),) if rested < count_rest_stars(world, seat) else DONE


def _refuse_rest(_world: World, _frame: Frame, _seat: Seat, step: Step) -> Refusal:
    if step == ENOUGH:
        return Refusal("D15", "Rest a chit first.")
    return Refusal("D15", "Rest a fatigued or wounded chit; for one with two stars, another one becomes fatigued.")


HANDLERS: dict[str, Handler] = {
    "rest": Question(
        _resting_seats,
        _list_rests,
        _take_rest,
        _refuse_rest,
        limits=FrameLimits("daylight", seat=True, a=range(MAX_STARS), returns=True),
    ),
}
