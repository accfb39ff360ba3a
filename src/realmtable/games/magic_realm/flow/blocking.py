"""Asking players whom they block, at the end of phases and when monsters arrive (L3, L4, Z10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.day_rules.blocking import (
    block_hero,
    block_monsters,
    can_block,
    list_blockable_heroes,
    list_blockable_monsters,
    list_blocking_monsters,
)
from realmtable.games.magic_realm.day_rules.sight import heroes_at, monsters_at
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, Refusal
from realmtable.games.magic_realm.world.entities import ORDERS
from realmtable.games.magic_realm.world.places import MAX_SEATS, is_clearing
from realmtable.games.magic_realm.world.step_text import FIRST_MONSTER
from realmtable.games.magic_realm.world.steps import MAX_FRAME_NUMBER, Frame, Step, join_bits, split_bits
from realmtable.games.magic_realm.world.world import World

ORDER_BLOCK: Final = 1 << ORDERS.index("block")  # never block
PASS: Final = Step("pass")


def block_by_monsters(world: World, seat: Seat) -> None:
    """Let the monsters in the clearing block the character whose phase ends (L1)."""
    place = world.heroes[seat].place
    if is_clearing(place):
        block_monsters(world, seat, list_blocking_monsters(world, seat, monsters_at(world, place)))


def list_in_order(world: World) -> list[Seat]:
    """Return all seats in the order of asking (Z10)."""
    seats, first = len(world.heroes), max(world.first, 0)
    return [(first + ahead) % seats for ahead in range(seats)]


def _list_asked(world: World) -> list[Seat]:
    """Return the living seats that have not ordered never to block, in the order of asking (Z9, Z10)."""
    heroes = world.heroes
    return [seat for seat in list_in_order(world) if not heroes[seat].orders & ORDER_BLOCK and not heroes[seat].dead]


def ask_to_block(world: World, turn: Seat) -> Next:
    """Return the questions at the end of a phase (L3)."""
    asked = _list_asked(world)
    return tuple([Frame("block", seat, turn) for seat in asked])


def block_on_arrival(world: World, arriving: Iterable[MonsterId]) -> Next:
    """Let monsters that have just arrived block, and return the questions that follow (L4)."""
    by_place: dict[int, list[MonsterId]] = {}
    for monster in arriving:
        by_place.setdefault(world.denizens[monster].place, []).append(monster)
    for place, monsters in by_place.items():
        blocking = [(seat, list_blocking_monsters(world, seat, monsters)) for seat in heroes_at(world, place)]
        for seat, found in blocking:
            block_monsters(world, seat, found)
    bits = split_bits(sum(1 << monster for monsters in by_place.values() for monster in monsters))
    asked = _list_asked(world)
    return tuple([Frame("meet", seat, *bits) for seat in asked if any(bits)])


def _list_at_phase_end(world: World, frame: Frame, seat: Seat) -> list[Step]:
    """Return whom someone can block at the end of a phase of the seat `a`."""
    turn, hero = frame.a, world.heroes[seat]
    if turn >= len(world.heroes) or not can_block(world, seat) or hero.place != world.heroes[turn].place:
        return []
    found = [world.heroes[other].character for other in list_blockable_heroes(world, seat, turn)]
    if seat == turn:
        found += [FIRST_MONSTER + monster for monster in list_blockable_monsters(world, seat)]
    return [Step("block", (target,)) for target in found]


def _list_at_arrival(world: World, frame: Frame, seat: Seat) -> list[Step]:
    """Return the arrived monsters that someone can block."""
    if not can_block(world, seat):
        return []
    arrived = join_bits(frame)
    return [
        Step("block", (FIRST_MONSTER + monster,))
        for monster in list_blockable_monsters(world, seat)
        if arrived >> monster & 1
    ]


Lister = Callable[[World, Frame, Seat], list[Step]]


def _make_question(list_blocks: Lister, limits: FrameLimits) -> Question:
    def find_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
        return (frame.seat,) if list_blocks(world, frame, frame.seat) else ()

    def list_answers(world: World, frame: Frame, seat: Seat) -> list[Step]:
        return sorted([PASS, *list_blocks(world, frame, seat)])

    return Question(find_seats, list_answers, _take_block, _refuse_block, limits=limits)


def _take_block(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    if step == PASS:
        return DONE
    target = step.args[0]
    if target >= FIRST_MONSTER:
        block_monsters(world, seat, [target - FIRST_MONSTER])
    else:
        characters = [hero.character for hero in world.heroes]
        block_hero(world, seat, characters.index(target))
    return (frame,)


def _refuse_block(_world: World, frame: Frame, _seat: Seat, step: Step) -> Refusal:
    if step.verb != "block":
        return Refusal("L3", "Block someone, or pass.")
    if frame.kind == "meet":
        return Refusal("L4", "You can block monsters that have just arrived in your clearing.")
    return Refusal("L3", "You can block someone you see in your clearing who is not blocked yet.")


_BITS: Final = range(MAX_FRAME_NUMBER)
_LIMITS: Final = FrameLimits("daylight", seat=True, returns=True)
HANDLERS: dict[str, Handler] = {
    "block": _make_question(_list_at_phase_end, _LIMITS._replace(a=range(MAX_SEATS))),
    "meet": _make_question(_list_at_arrival, _LIMITS._replace(a=_BITS, b=_BITS, c=_BITS)),
}
