"""The Alert activity: an active weapon is alerted or unalerted, or the Berserker goes berserk (D14, D24)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Weapon
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.combat_rules.plays import BERSERK
from realmtable.games.magic_realm.day_rules.action_chits import list_chits, set_chit
from realmtable.games.magic_realm.day_rules.chit_states import label_of
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, Refusal
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, NO_SEAT
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

ALERT: Final = Step("alert")
UNALERT: Final = Step("unalert")
RAGE: Final = Step("berserk")
PASS: Final = Step("pass")


def find_weapon(world: World, seat: Seat) -> GoodsId | None:
    """Return the active weapon of a character; None if it has none."""
    goods, pack = load_catalog().goods, world.heroes[seat].pack
    active = [number for number in pack if world.goods[number].active and isinstance(goods[number], Weapon)]
    return active[0] if active else None


def _list_answers(world: World, frame: Frame, seat: Seat) -> list[Step]:
    """Return what can be done; an alerted weapon can be left as it is, and followers may do nothing (D14, D24)."""
    weapon = find_weapon(world, seat)
    is_alerted = weapon is not None and world.goods[weapon].alerted
    answers = [] if weapon is None else [UNALERT if is_alerted else ALERT]
    if not world.heroes[seat].berserk and _list_berserk_chits(world, seat):
        answers.append(RAGE)
    if answers and (is_alerted or world.heroes[frame.seat].guide != NO_SEAT):
        answers.append(PASS)
    return sorted(answers)


def _list_berserk_chits(world: World, seat: Seat) -> list[int]:
    return [label_of(chit) for chit in list_chits(world, seat, ACTIVE) if chit.kind == BERSERK]


def _asked_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
    return (frame.seat,) if _list_answers(world, frame, frame.seat) else ()


def _take_answer(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    weapon = find_weapon(world, seat)
    if step in (ALERT, UNALERT) and weapon is not None:
        world.writable_goods(weapon).alerted = step == ALERT
    if step == RAGE:
        set_chit(world, seat, _list_berserk_chits(world, seat)[0], ACTIVE, FATIGUED)
        world.writable_hero(seat).berserk = True
    return DONE


def _refuse_answer(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D14", "Alert your active weapon; one that is alerted can be unalerted or left as it is.")


HANDLERS: Final[dict[str, Handler]] = {
    "alerting": Question(
        _asked_seats,
        _list_answers,
        _take_answer,
        _refuse_answer,
        limits=FrameLimits("daylight", seat=True, returns=True),
    ),
}
