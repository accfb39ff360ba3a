"""Check positions in an evening with combat: find agendas and steps that no game could continue from (F9)."""

from __future__ import annotations

from collections.abc import Iterator

from realmtable.engine.errors import RealmtableError
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.flow.after_combat import TIDY, ask_to_rearrange
from realmtable.games.magic_realm.flow.evening_with_combat import DRAW, fight_of, list_clearings, list_fighters
from realmtable.games.magic_realm.world.places import is_clearing
from realmtable.games.magic_realm.world.steps import Agenda, Frame
from realmtable.games.magic_realm.world.world import World


def find_mistakes(world: World, agenda: Agenda) -> Iterator[str]:
    """Yield what is wrong with the agenda above the frames of new lives."""
    match agenda:
        case (Frame("clearing") as frame,):
            if not list_clearings(world, frame.a):
                yield "Chance draws a clearing in which there are characters."
        case (Frame(kind="sunset"), Frame(kind="combat_choice" | "combat_draw") as top):
            yield from _find_wrong_combat(world, agenda[0], top)
        case (Frame(kind="sunset"), *questions) if questions and all(frame.kind == TIDY for frame in questions):
            yield from _find_wrong_questions(world, agenda[0], questions)
        case _:
            yield "The agenda of the evening has a clearing, combat, or questions after combat."


def _find_wrong_combat(world: World, below: Frame, top: Frame) -> Iterator[str]:
    seats = list_fighters(world, top.a)
    if not seats:
        yield "There is no combat in a clearing without characters."
        return
    if not all(below.a >> seat & 1 for seat in seats):
        yield "The evening of those who are in combat does not come again."
    try:
        fight = fight_of(world)
    except RealmtableError as error:
        yield f"The steps of combat are not possible: {error}"
        return
    deciding = () if fight is None else machine.list_deciding(fight)
    if not deciding or (deciding == (CHANCE,)) != (top.kind == DRAW):
        yield f"Combat does not wait at the frame {top.kind}."


def _find_wrong_questions(world: World, below: Frame, questions: list[Frame]) -> Iterator[str]:
    """Find questions to someone who is not asked, is asked twice, or was not in the combat."""
    seats = [frame.seat for frame in reversed(questions)]
    places = {world.heroes[seat].place for seat in seats}
    if len(seats) != len({*seats}) or len(places) > 1 or not all(map(is_clearing, places)):
        yield "After combat, each character in its clearing is asked once."
        return
    (place,) = places
    asked = [frame.seat for frame in ask_to_rearrange(world, list_fighters(world, place))]
    waiting = [seat for seat in asked if seat in seats[1:]]
    if seats[1:] != waiting or not all(below.a >> seat & 1 for seat in seats):
        yield "After combat, the characters in the clearing are asked in order."
