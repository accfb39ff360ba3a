"""The evening without combat: monsters attack, and the attacked characters run or take wounds (A1 to A6, W2, W3).

The frame `evening` has the first place that has not been dealt with (a). In each clearing, `assign` finds a target for
every monster; a frame `attacked` of each character holds the monsters that attack it, as bits.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.day_rules.action_chits import list_payments, list_wounds, pay_star, wound_chit
from realmtable.games.magic_realm.day_rules.evening_without_combat import (
    MOVE,
    costs_star,
    is_mortally_wounded,
    let_die,
    list_exits,
    list_runs,
    list_targets,
    run_away,
)
from realmtable.games.magic_realm.day_rules.sight import monsters_at
from realmtable.games.magic_realm.flow.agenda import (
    DONE,
    Draw,
    FrameLimits,
    Handler,
    Next,
    Question,
    Refusal,
    Task,
    ask_frame_seat,
)
from realmtable.games.magic_realm.flow.blocking import list_in_order
from realmtable.games.magic_realm.flow.new_life import note_death
from realmtable.games.magic_realm.flow.turn_notes import change_frame
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.places import NOWHERE, is_clearing
from realmtable.games.magic_realm.world.steps import MAX_FRAME_NUMBER, Frame, Step, join_bits, split_bits
from realmtable.games.magic_realm.world.world import World

ATTACKED: Final = "attacked"
STAY: Final = Step("stay")


def _continue_evening(world: World, frame: Frame) -> Next:
    """Go to the next clearing in which someone is attacked (A1)."""
    heroes = [hero for hero in world.heroes if not hero.dead]
    for place in sorted({hero.place for hero in heroes if is_clearing(hero.place) and hero.place >= frame.a}):
        attacked = {seat for monster in monsters_at(world, place) for seat in list_targets(world, monster)}
        if attacked:
            questions = [Frame(ATTACKED, seat) for seat in list_in_order(world) if seat in attacked]
            return Frame("assign", a=place), *questions, frame._replace(a=place + 1)
    world.part = "midnight"
    return (Frame("midnight"),)


def _assign(world: World, frame: Frame) -> Next:
    """Give targets to the monsters in the clearing `a`, from the number `b` on (A2)."""
    for monster in monsters_at(world, frame.a):
        targets = list_targets(world, monster)
        if monster < frame.b or not targets:
            continue
        if len(targets) > 1:
            return Frame("attack", a=monster), frame._replace(b=monster + 1)
        _add_attacker(world, targets[0], monster)
    return DONE


def _add_attacker(world: World, seat: Seat, monster: MonsterId) -> None:
    old = next(frame for frame in world.agenda if (frame.kind, frame.seat) == (ATTACKED, seat))
    change_frame(world, old, Frame(ATTACKED, seat, *split_bits(join_bits(old) | 1 << monster)))


def _list_attacks(world: World, frame: Frame) -> list[tuple[Step, int]]:
    targets = [world.heroes[seat].character for seat in list_targets(world, frame.a)]
    return [(Step("attack", (frame.a, character)), 1) for character in targets]


def _take_attack(world: World, frame: Frame, step: Step) -> Next:
    characters = [hero.character for hero in world.heroes]
    _add_attacker(world, characters.index(step.args[1]), frame.a)
    return DONE


def list_attackers(frame: Frame) -> list[MonsterId]:
    """Return the monsters that attack the seat of a frame."""
    bits = join_bits(frame)
    return [monster for monster in range(bits.bit_length()) if bits >> monster & 1]


# ---- run or stay


def _attacked_seats(_world: World, frame: Frame) -> tuple[Seat, ...]:
    return (frame.seat,) if list_attackers(frame) else ()


def _list_answers(world: World, frame: Frame, seat: Seat) -> list[Step]:
    return sorted([STAY, *list_runs(world, seat, list_attackers(frame))])


def _take_answer(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    if step == STAY:
        return (Frame("wounds", seat, len(list_attackers(frame))),)
    road, piece = step.args
    run_away(world, seat, road)
    return (Frame("effort", seat),) if costs_star(world, seat, piece) else DONE


def _refuse_answer(world: World, _frame: Frame, seat: Seat, step: Step) -> Refusal:
    if step.verb != "run":
        return Refusal("A3", "Run or stay.")
    if step.args[0] in list_exits(world, seat):
        return Refusal(
            "A4",
            "To run, you need an active Move chit, boots or a horse that is faster than every attacker, and strong "
            "enough for you and your belongings.",
        )
    if world.heroes[seat].came_by != NOWHERE:
        return Refusal("A5", "You came here today, so you can only run back the way you came.")
    return Refusal("A5", "Run onto a roadway that leads out of your clearing and is open to you.")


def _list_efforts(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    return list_payments(world, seat, MOVE)


def _take_effort(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    pay_star(world, seat, step)
    return DONE


def _refuse_effort(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("A4", "You ran with a Move chit of two stars: fatigue one star of your Move chits.")


# ---- wounds


def _list_wounds(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    return list_wounds(world, seat)


def _take_wound(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    """Wound a chit; `a` counts the wounds that are left to take."""
    wound_chit(world, seat, step)
    if is_mortally_wounded(world, seat):
        let_die(world, seat)
        note_death(world, seat)
        return DONE
    return (frame._replace(a=frame.a - 1),) if frame.a > 1 else DONE


def _refuse_wound(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("W2", "Choose an active chit to be wounded, or a fatigued one if none is active.")


_BITS: Final = range(MAX_FRAME_NUMBER)
_MONSTERS: Final = len(load_catalog().monsters)
_PLACES: Final = range(max(catalog_lookups().clearings) + 2)
_LIMITS: Final = FrameLimits("evening", seat=True, returns=True)
HANDLERS: Final[dict[str, Handler]] = {
    "evening": Task(_continue_evening, FrameLimits("evening", a=_PLACES)),
    "assign": Task(_assign, FrameLimits("evening", a=_PLACES, b=range(_MONSTERS + 1), returns=True)),
    "attack": Draw(
        lambda *_: "attack", _list_attacks, _take_attack, FrameLimits("evening", a=range(_MONSTERS), returns=True)
    ),
    ATTACKED: Question(
        _attacked_seats,
        _list_answers,
        _take_answer,
        _refuse_answer,
        secret=True,
        limits=_LIMITS._replace(a=_BITS, b=_BITS, c=_BITS),
    ),
    "effort": Question(ask_frame_seat, _list_efforts, _take_effort, _refuse_effort, limits=_LIMITS),
    "wounds": Question(
        ask_frame_seat, _list_wounds, _take_wound, _refuse_wound, limits=_LIMITS._replace(a=range(1, _MONSTERS + 1))
    ),
}
