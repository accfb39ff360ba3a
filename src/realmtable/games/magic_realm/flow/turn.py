"""Daylight: whose turn it is, and how a turn begins and ends (D1, D2, D24)."""

from __future__ import annotations

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day_rules.modifiers import has_effect, is_cave
from realmtable.games.magic_realm.day_rules.phase_sources import find_active_givers, phase_goods
from realmtable.games.magic_realm.day_rules.sight import followers_of, reveal
from realmtable.games.magic_realm.flow.agenda import (
    Draw,
    FrameLimits,
    Handler,
    Next,
    Question,
    Refusal,
    Task,
    ask_frame_seat,
)
from realmtable.games.magic_realm.flow.evening_with_combat import SUNSET
from realmtable.games.magic_realm.flow.turn_notes import BEEN_IN_CAVE, BEGUN
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.places import MAX_SEATS
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World


def _continue_daylight(world: World, frame: Frame) -> Next:
    """Let the next counter be drawn; the Swordsman may take his turn before that, or comes last."""
    choosing = [seat for seat in world.counters if _chooses_moment(world, seat)]
    if not world.counters:
        world.part, following = ("evening", SUNSET) if world.options.has_combat else ("midnight", "midnight")
        return (Frame(following),)
    if len(choosing) == len(world.counters):
        return Frame("turn", choosing[0]), frame
    return (Frame("moment", choosing[0]) if choosing else Frame("next")), frame


def _chooses_moment(world: World, seat: Seat) -> bool:
    return has_effect(world, seat, "choose_moment")


def _list_moments(_world: World, _frame: Frame, _seat: Seat) -> list[Step]:
    return [Step("later"), Step("now")]


def _take_moment(_world: World, frame: Frame, _seat: Seat, step: Step) -> Next:
    return (Frame("turn", frame.seat) if step.verb == "now" else Frame("next"),)


def _refuse_moment(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D1", "Take your turn now, or later.")


def _list_next(world: World, _frame: Frame) -> list[tuple[Step, int]]:
    drawn = [seat for seat in world.counters if not _chooses_moment(world, seat)]
    return [(Step("next", (world.heroes[seat].character,)), 1) for seat in drawn]


def has_drawable(world: World) -> bool:
    """Whether there is a counter that chance can draw."""
    return any(not _chooses_moment(world, seat) for seat in world.counters)


def _take_next(world: World, _frame: Frame, step: Step) -> Next:
    seat = next(seat for seat in world.counters if world.heroes[seat].character == step.args[0])
    return (Frame("turn", seat),)


def _run_turn(world: World, frame: Frame) -> Next:
    """Begin a turn; when its phases are over, end it, and then those of the followers."""
    if not frame.c & BEGUN:
        return _begin_turn(world, frame)
    followers = followers_of(world, frame.seat)
    for seat in followers:
        world.writable_hero(seat).guide = NO_SEAT
    return Frame("end", frame.seat), *(Frame("end", seat) for seat in followers)


def _begin_turn(world: World, frame: Frame) -> Next:
    seat = frame.seat
    world.counters = tuple([other for other in world.counters if other != seat])
    if world.first == NO_SEAT:
        world.first = seat
    reveal(world, seat)
    cave = BEEN_IN_CAVE if is_cave(world, world.heroes[seat].place) else 0
    return Frame("phase", seat), frame._replace(a=find_active_givers(world, seat), c=BEGUN | cave)


_NOTES = FrameLimits(
    "daylight",
    seat=True,
    a=range(1 << len(phase_goods())),
    b=range(1 << MAX_SEATS),
    c=range((BEGUN | BEEN_IN_CAVE) + 1),
)
HANDLERS: dict[str, Handler] = {
    "daylight": Task(_continue_daylight, FrameLimits("daylight")),
    "moment": Question(
        ask_frame_seat,
        _list_moments,
        _take_moment,
        _refuse_moment,
        limits=FrameLimits("daylight", seat=True, returns=True),
    ),
    "next": Draw(lambda *_: "next", _list_next, _take_next, FrameLimits("daylight", returns=True)),
    "turn": Task(_run_turn, _NOTES._replace(returns=True)),
}
