"""Evenings with combat: where it takes place, its questions and draws, and what follows (E1, E5, E6, Z15).

The frame `sunset` has the seats whose evening is over, as bits (a); the frames of combat have its clearing (a). While
combat goes on, the world stays as it was, and its journal holds the steps; `fight_of` plays them.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.begin_fight import begin_fight
from realmtable.games.magic_realm.combat_flow.journal import note_step, replay
from realmtable.games.magic_realm.combat_flow.plays import BACK
from realmtable.games.magic_realm.combat_flow.refusals import refuse
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.after_combat import ask_to_rearrange
from realmtable.games.magic_realm.flow.agenda import Draw, FrameLimits, Handler, Next, Question, Refusal, Task
from realmtable.games.magic_realm.flow.blocking import list_in_order
from realmtable.games.magic_realm.flow.new_life import note_death
from realmtable.games.magic_realm.flow.settle_fight import settle_fight, world_if_fight_ended
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import MAX_BACKS
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_goods
from realmtable.games.magic_realm.world.places import MAX_SEATS, is_clearing
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

SUNSET: Final = "sunset"
COMBAT: Final = "combat"
CHOICE: Final = "combat_choice"
DRAW: Final = "combat_draw"
COMBAT_FRAMES: Final = (COMBAT, CHOICE, DRAW)


# ---- where


def list_clearings(world: World, finished: int) -> list[Place]:
    """Return the clearings with living characters whose evening is not over; `finished` has those seats as bits."""
    waiting = [hero for seat, hero in enumerate(world.heroes) if not hero.dead and not finished >> seat & 1]
    return sorted({hero.place for hero in waiting if is_clearing(hero.place)})


def list_fighters(world: World, place: Place) -> list[Seat]:
    """Return the living characters in a clearing, in order (E5)."""
    return [seat for seat in list_in_order(world) if world.heroes[seat].place == place and not world.heroes[seat].dead]


def _continue_evening(world: World, frame: Frame) -> Next:
    """Let chance draw the next clearing, until all have had their evening (E1)."""
    if list_clearings(world, frame.a):
        return (Frame("clearing", a=frame.a),)
    world.part = "midnight"
    return (Frame("midnight"),)


def _list_places(world: World, frame: Frame) -> list[tuple[Step, int]]:
    return [(Step("clearing", (place,)), 1) for place in list_clearings(world, frame.a)]


def _take_place(world: World, frame: Frame, step: Step) -> Next:
    (place,) = step.args
    finished = frame.a | sum(1 << seat for seat in list_fighters(world, place))
    return Frame(COMBAT, a=place), Frame(SUNSET, a=finished)


# ---- combat in a clearing


def find_place(world: World) -> Place | None:
    """Return the clearing in which there is combat; None if there is none."""
    return next((frame.a for frame in world.agenda[-1:] if frame.kind in COMBAT_FRAMES), None)


def fight_of(world: World) -> Fight | None:
    """Return the combat that goes on; None if there is none."""
    place = find_place(world)
    if place is None:
        return None
    if world.fight is None:
        world.fight = replay(machine.begin(begin_fight(world, list_fighters(world, place))), world.journal)
    fight: Fight = world.fight
    return fight


def get_fight(world: World) -> Fight:
    """Return the combat that goes on, where there must be one."""
    fight = fight_of(world)
    assert fight is not None  # noqa: S101 - only frames of combat ask for it
    return fight


def world_if_combat_ended(world: World) -> World:
    """Return a world as it would be if the combat that goes on ended now; the world itself if there is none."""
    fight, place = fight_of(world), find_place(world)
    return world if fight is None or place is None else world_if_fight_ended(world, fight, place)


def _continue_combat(world: World, frame: Frame) -> Next:
    """Ask or draw what comes next in combat, or end it."""
    seats = list_fighters(world, frame.a)
    fight = get_fight(world)
    deciding = machine.list_deciding(fight)
    if deciding:
        return (Frame(DRAW if deciding == (CHANCE,) else CHOICE, a=frame.a),)
    settle_fight(world, fight, frame.a)
    world.journal, world.fight = (), None
    for seat in fight.fallen:
        note_death(world, seat)
    return ask_to_rearrange(world, [seat for seat in seats if world.heroes[seat].place == frame.a])


def _deciding_seats(world: World, _frame: Frame) -> tuple[Seat, ...]:
    return machine.list_deciding(get_fight(world))


def _list_answers(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    answers = machine.list_answers(get_fight(world), seat)
    return [step for step in answers if step != BACK] if world.heroes[seat].backs >= MAX_BACKS else answers


def _take_answer(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    if step == BACK:
        world.writable_hero(seat).backs += 1
    if step.verb == "activate":
        let_seats_know_goods(world, step.args[0], everyone(world))
    if step.verb == "leave":
        let_seats_know_goods(world, step.args[0], 1 << seat)  # who has inherited a card knows it even if they leave it
    return _take_step(world, frame, seat, step)


def _take_step(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    world.fight = machine.play(get_fight(world), seat, step)
    world.journal = note_step(world.journal, seat, step)
    return (Frame(COMBAT, a=frame.a),)


def _refuse_answer(world: World, _frame: Frame, seat: Seat, step: Step) -> Refusal:
    if step == BACK and world.heroes[seat].backs >= MAX_BACKS:
        return Refusal("Z4", f"You can take back what you have chosen at most {MAX_BACKS} times per day.")
    return Refusal(*refuse(get_fight(world), seat, step))


def _list_outcomes(world: World, _frame: Frame) -> list[tuple[Step, int]]:
    return [(step, 1) for step in machine.list_answers(get_fight(world), CHANCE)]


def _take_outcome(world: World, frame: Frame, step: Step) -> Next:
    return _take_step(world, frame, CHANCE, step)


_SEATS: Final = range(1 << MAX_SEATS)
_PLACES: Final = FrameLimits("evening", a=range(max(catalog_lookups().clearings) + 1), returns=True)
HANDLERS: Final[dict[str, Handler]] = {
    SUNSET: Task(_continue_evening, FrameLimits("evening", a=_SEATS)),
    "clearing": Draw(lambda *_: "clearing", _list_places, _take_place, FrameLimits("evening", a=_SEATS)),
    COMBAT: Task(_continue_combat, _PLACES),
    # `combat_flow.machine` gives forced answers by itself, so everything that is asked here has to wait.
    CHOICE: Question(_deciding_seats, _list_answers, _take_answer, _refuse_answer, secret=True, limits=_PLACES),
    DRAW: Draw(lambda world, _: machine.find_label(get_fight(world)), _list_outcomes, _take_outcome, _PLACES),
}
