"""Charging and the actions of the encounter (E11 to E19)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.combat_flow.agenda import Handler, Question, ask_present
from realmtable.games.magic_realm.combat_flow.gear import (
    can_be_activated,
    change_gear,
    drop_gear,
    find_hand,
    find_weapon,
    lay_down,
    number_piece,
    pick_piece,
    settle_gear,
)
from realmtable.games.magic_realm.combat_flow.start_of_round import PASS
from realmtable.games.magic_realm.combat_flow.state import RAN, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.encounter import (
    find_time_limit,
    leave_sheet,
    list_action_pieces,
    list_charge_pieces,
)
from realmtable.games.magic_realm.combat_rules.plays import BERSERK, FIGHT, MOVE, Hand, Piece
from realmtable.games.magic_realm.day_rules.active_goods import is_always_active
from realmtable.games.magic_realm.world.knowledge import list_alike
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.steps import Frame, Step

ACT: Final = "act"  # the frame of an action: `a` says what has been done with belongings, `b` with which one
FINISHED: Final = Step("done")
ACTIVATED, PACKED, LEFT = 1, 2, 4  # what has been done with belongings in this action, as bits


def list_visible(fight: Fight, seat: Seat) -> list[Warrior]:
    """Return the other characters that one can charge or aim at: unhidden, or found (E11, C3)."""
    finds = fight.warrior(seat).finds
    others = [other for other in fight.active_warriors if other.seat != seat]
    return [other for other in others if not other.is_hidden or other.seat in finds]


# ---- charging


def _ask_charger(fight: Fight, frame: Frame) -> tuple[Seat, ...]:
    """Ask if there is someone to charge; whether there is a strong piece may be a secret (Z3)."""
    if not fight.is_present(frame.seat) or fight.sheets.is_held(frame.seat):
        return ()
    return (frame.seat,) if list_visible(fight, frame.seat) else ()


def _list_charges(fight: Fight, _frame: Frame, seat: Seat) -> list[Step]:
    hand, on_horse = find_hand(fight, fight.warrior(seat)), fight.rules.charges_on_horse
    pieces = {number_piece(piece) for piece in list_charge_pieces(hand) if on_horse or not piece.gait}
    targets = [other.character for other in list_visible(fight, seat)]
    return sorted([PASS, *(Step("charge", (target, piece)) for target in targets for piece in pieces)])


def _take_charge(fight: Fight, _frame: Frame, seat: Seat, step: Step) -> Fight:
    if step == PASS:
        return fight
    character, number = step.args
    target = next(other.seat for other in fight.warriors if other.character == character)
    piece = pick_piece(find_hand(fight, fight.warrior(seat)), number)
    charges = {**(fight.sheets.charges or {}), seat: (target, piece)}
    fight = replace(fight, sheets=replace(fight.sheets, charges=charges)).change(target, is_hidden=False)
    return fight.change(seat, is_hidden=False, played=(piece,))


# ---- actions


def _ask_actor(fight: Fight, frame: Frame) -> tuple[Seat, ...]:
    return () if frame.seat in (fight.sheets.charges or {}) else ask_present(fight, frame)


def _list_actions(fight: Fight, frame: Frame, seat: Seat) -> list[Step]:
    warrior = fight.warrior(seat)
    steps = [FINISHED, *_list_gear_steps(fight, warrior, frame)]
    if not frame.a:
        hand, limit = find_hand(fight, warrior), find_time_limit(fight.sheets, seat)
        steps += _list_fast_steps(warrior, hand, limit)
    return sorted({*steps})


def _list_fast_steps(warrior: Warrior, hand: Hand, limit: int | None) -> list[Step]:
    """Return the actions that what is on the sheet can prevent (E13, E14)."""
    alerts, moves, rages = (list_action_pieces(hand, kind, limit) for kind in (FIGHT, MOVE, BERSERK))
    steps = [Step("run", (road, number_piece(piece))) for road in warrior.exits for piece in moves]
    if find_weapon(warrior) is not None:
        steps += [Step("alert", (number_piece(piece),)) for piece in alerts]
    if not warrior.is_berserk:
        steps += [Step("berserk")] * bool(rages)
    return steps


def _list_gear_steps(fight: Fight, warrior: Warrior, frame: Frame) -> list[Step]:
    """Return what can be done with belongings: activate one, pack another one, or leave any (E19, D25)."""
    steps, done = [], frame.a
    for gear in warrior.gear:
        if gear.goods == frame.b - 1:  # it has been changed in this action
            continue
        if gear.active and not done & (PACKED | LEFT) and not is_always_active(gear.goods):
            steps.append(Step("pack", (gear.goods,)))
        if not gear.active and not done & (ACTIVATED | LEFT) and can_be_activated(fight, warrior, gear.goods):
            steps.append(Step("activate", (gear.goods,)))
        if not done & (ACTIVATED | PACKED):
            steps.append(Step("leave", (gear.goods,)))
    return steps


def _take_action(fight: Fight, frame: Frame, seat: Seat, step: Step) -> Fight:
    match step:
        case Step("alert", (number,)):
            return _turn_weapon(_note_piece(fight, seat, number), seat)
        case Step("run", (road, number)):
            left = _note_piece(fight, seat, number).change(seat, fate=RAN, road=road)
            return replace(left, sheets=leave_sheet(left.sheets, seat))
        case Step("berserk"):
            (rage,) = (piece for piece in find_hand(fight, fight.warrior(seat)).pieces if piece.kind == BERSERK)
            return _add_played(fight, seat, rage).change(seat, is_berserk=True)
        case Step(verb, (goods,)):
            return _change_belonging(fight, frame, seat, verb, goods)
    return fight


def _change_belonging(fight: Fight, frame: Frame, seat: Seat, verb: str, goods: int) -> Fight:
    warrior = fight.warrior(seat)
    match verb:
        case "activate":
            changed, bit = change_gear(warrior, goods, active=True, alerted=False), ACTIVATED
            if is_card(goods):
                changed = _put_behind(changed, [goods])
            others = {card: knowing for card, knowing in fight.hidden_cards.items() if card != goods}
            fight = replace(fight, hidden_cards=others)
        case "pack":
            changed, bit = change_gear(warrior, goods, active=False, alerted=False), PACKED
        case _:
            alike = list_alike([gear[:2] for gear in warrior.gear], goods)
            changed, bit = drop_gear(_put_behind(warrior, alike), goods), LEFT
            left = [lay_down(gear) for gear in warrior.gear if gear.goods == goods]
            hidden = {**fight.hidden_cards, **dict.fromkeys(alike, seat)}
            fight = replace(fight, pile=(*fight.pile, *left), hidden_cards=hidden)
    return fight.change(seat, gear=settle_gear(changed).gear).push(frame._replace(a=frame.a | bit, b=goods + 1))


def _put_behind(warrior: Warrior, moved: Sequence[GoodsId]) -> Warrior:
    """Put belongings behind the others, so that the order does not tell which of several cards is left (X1)."""
    return replace(warrior, gear=tuple(sorted(warrior.gear, key=lambda gear: gear.goods in moved)))


def _note_piece(fight: Fight, seat: Seat, number: int) -> Fight:
    return _add_played(fight, seat, pick_piece(find_hand(fight, fight.warrior(seat)), number))


def _add_played(fight: Fight, seat: Seat, piece: Piece) -> Fight:
    return fight.change(seat, played=(*fight.warrior(seat).played, piece))


def _turn_weapon(fight: Fight, seat: Seat) -> Fight:
    return fight.change(seat, gear=turn_weapon(fight.warrior(seat)).gear)


def turn_weapon(warrior: Warrior) -> Warrior:
    """Turn the active weapon of a character over (E13, C12)."""
    weapon = find_weapon(warrior)
    return warrior if weapon is None else change_gear(warrior, weapon[0].goods, alerted=not weapon[0].alerted)


HANDLERS: Final[dict[str, Handler]] = {
    "charge": Question(_ask_charger, _list_charges, _take_charge, secret=True),
    ACT: Question(_ask_actor, _list_actions, _take_action, secret=True),
}
