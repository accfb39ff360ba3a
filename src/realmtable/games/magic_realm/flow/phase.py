"""The phases of a turn: rearranging, followers who stop, the activity, blocking, and those left behind (D3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.effects import PEER_AFAR
from realmtable.games.magic_realm.day_rules.lost_phases import is_barred_cave
from realmtable.games.magic_realm.day_rules.modifiers import list_effects
from realmtable.games.magic_realm.day_rules.move import find_roadway
from realmtable.games.magic_realm.day_rules.phase_sources import AS_YOU_GO, find_source, phase_goods
from realmtable.games.magic_realm.day_rules.phases import follows_pony_order
from realmtable.games.magic_realm.day_rules.sight import followers_of
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, Refusal, Task
from realmtable.games.magic_realm.flow.blocking import ask_to_block, block_by_monsters
from realmtable.games.magic_realm.flow.rearranging import may_rearrange
from realmtable.games.magic_realm.flow.turn_notes import leave_guide, list_seats_after, read_notes
from realmtable.games.magic_realm.world.entities import ORDERS
from realmtable.games.magic_realm.world.map_layout import graph_of
from realmtable.games.magic_realm.world.places import MAX_SEATS, NOWHERE, is_road, road_ends
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

BEGIN, REARRANGE, STOP, ACT, BLOCK, LEAVE = range(6)  # the stages of a phase
MAY_STOP: Final = "may_stop"
BLANK: Final = Step("-")
ORDER_FOLLOW: Final = 1 << ORDERS.index("follow")


def _run_phase(world: World, frame: Frame) -> Next:
    """Do the next stage of a phase."""
    if frame.a == BEGIN:
        return _begin_phase(world, frame)
    if frame.a == LEAVE:
        return _end_phase(world, frame)
    return *_STAGES[frame.a](world, frame.seat), frame._replace(a=frame.a + 1)


def _begin_phase(world: World, frame: Frame) -> Next:
    """Begin a phase, unless the character is blocked or has no more entries; then the turn is over.

    A turn without entries has one blank phase, at whose end others can block (B3).
    """
    hero = world.heroes[frame.seat]
    if hero.blocked:
        return DONE
    if world.options.recording == AS_YOU_GO:
        has_ended = hero.phase > 0 and not hero.used  # the player ended the turn at once: its blank phase is over (B3)
        return DONE if has_ended else (Frame("choose", frame.seat),)
    if not hero.plan:
        world.writable_hero(frame.seat).plan = (BLANK,)
        return (frame._replace(a=BLOCK),)
    return (frame._replace(a=REARRANGE),) if hero.phase < len(hero.plan) else DONE


def _ask_to_rearrange(world: World, seat: Seat) -> Next:
    party = (seat, *followers_of(world, seat))
    return tuple([Frame("arrange", other) for other in party if may_rearrange(world, other)])


def _ask_to_stop(world: World, seat: Seat) -> Next:
    return tuple([Frame("along", other) for other in followers_of(world, seat) if _may_stop(world, other)])


def _act(_world: World, seat: Seat) -> Next:
    return (Frame("act", seat),)


def _block(world: World, seat: Seat) -> Next:
    """Count the phase as done; then monsters block, and the players are asked (L1, L3)."""
    world.writable_hero(seat).phase += 1
    block_by_monsters(world, seat)
    return ask_to_block(world, seat)


def _end_phase(world: World, frame: Frame) -> Next:
    """End the turns of those who have stopped following in this phase, and go on to the next one (D24)."""
    left = [other for other in list_seats_after(world, frame.seat) if frame.b >> other & 1]
    return *(Frame("end", other) for other in left), Frame("phase", frame.seat)


_STAGES: Final[Mapping[int, Callable[[World, Seat], Next]]] = {
    REARRANGE: _ask_to_rearrange,
    STOP: _ask_to_stop,
    ACT: _act,
    BLOCK: _block,
}


# ---- followers who stop


def _may_stop(world: World, seat: Seat) -> bool:
    return world.options.follow == MAY_STOP and bool(world.heroes[seat].orders & ORDER_FOLLOW)


def _list_stops(_world: World, _frame: Frame, _seat: Seat) -> list[Step]:
    return [Step("along"), Step("stop")]


def _take_stop(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    if step.verb == "stop":
        leave_guide(world, seat)
    return DONE


def _refuse_stop(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D24", "Go along with your guide, or stop following.")


# ---- phases that are chosen as they come


def _choosing_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
    return (frame.seat,) if any(_entries(world, frame.seat)) else ()


def _list_entries(world: World, frame: Frame, _seat: Seat) -> list[Step]:
    return sorted([Step("done"), *_entries(world, frame.seat)])


def _entries(world: World, seat: Seat) -> Iterator[Step]:
    """Yield the activities for which a phase is left (D28)."""
    plan, notes = world.heroes[seat].plan, read_notes(world)
    for step in _candidates(world, seat):
        source = find_source(world, seat, step, notes)
        is_barred = step.verb == "M" and is_barred_cave(world, seat, step.args[0])
        if source is not None and follows_pony_order((*plan, step)) and not is_barred:
            yield step


def _candidates(world: World, seat: Seat) -> Iterator[Step]:
    place, graph = world.heroes[seat].place, graph_of(world)
    near = road_ends(place) if is_road(place) else tuple(way.to for way in graph.ways[place])
    targets = [to for to in near if find_roadway(world, seat, to) != NOWHERE]
    yield from (Step(verb) for verb in ("-", "A", "H", "R", "S"))
    yield from (Step("M", (to, *pony)) for to in targets for pony in ((), (1,)))
    if any(effect.activity == PEER_AFAR for effect in list_effects(world, seat)):
        mountains = [to for to, found in graph.clearings.items() if found.kind == "mountain" and to != place]
        yield from (Step("P", (to,)) for to in mountains)


def _take_entry(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    hero = world.writable_hero(seat)
    if step.verb == "done" and hero.plan:
        return DONE
    if step.verb == "done":
        hero.plan = (BLANK,)  # B3
        return (Frame("phase", frame.seat, BLOCK),)
    hero.plan = (*hero.plan, step)
    return (Frame("phase", frame.seat, REARRANGE),)


def _refuse_entry(world: World, frame: Frame, seat: Seat, step: Step) -> Refusal:
    if step.verb == "M" and find_roadway(world, seat, step.args[0]) == NOWHERE:
        return Refusal("D28", "You can move only along a roadway that is open to you.")
    if step in _candidates(world, frame.seat):
        return Refusal("D28", "You have no phase left for this.")
    return Refusal("D28", "Choose what to do in this phase, or end your turn.")


_IN_TURN = FrameLimits("daylight", seat=True, returns=True)
HANDLERS: dict[str, Handler] = {
    "phase": Task(
        _run_phase, _IN_TURN._replace(a=range(LEAVE + 1), b=range(1 << MAX_SEATS), c=range(1 << len(phase_goods())))
    ),
    "along": Question(lambda _, frame: (frame.seat,), _list_stops, _take_stop, _refuse_stop, limits=_IN_TURN),
    "choose": Question(_choosing_seats, _list_entries, _take_entry, _refuse_entry, limits=_IN_TURN),
}
