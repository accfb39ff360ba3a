"""What the melee changes: armour, horses, weapons, chits, and who is killed (C19 to C29, K1 to K4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Treasure
from realmtable.games.magic_realm.catalog.ids import GoodsId, MonsterId
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.combat_flow.actions import turn_weapon
from realmtable.games.magic_realm.combat_flow.agenda import Draw, Handler, Task
from realmtable.games.magic_realm.combat_flow.dice import find_dice_rule, list_rolls
from realmtable.games.magic_realm.combat_flow.gear import (
    change_gear,
    chits_of,
    drop_gear,
    find_weapon,
    list_armor,
    settle_gear,
)
from realmtable.games.magic_realm.combat_flow.plays import read_draft
from realmtable.games.magic_realm.combat_flow.repositioning import build_melee
from realmtable.games.magic_realm.combat_flow.spoils import kill_character, reward_kill
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, CombatBelonging, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.armor import DESTROYED
from realmtable.games.magic_realm.combat_rules.chit_spells import change_chits
from realmtable.games.magic_realm.combat_rules.encounter import disengage
from realmtable.games.magic_realm.combat_rules.melee import CURSE, MISSILE, FighterId, Melee
from realmtable.games.magic_realm.combat_rules.report import Report, TableEffect
from realmtable.games.magic_realm.combat_rules.resolve import resolve
from realmtable.games.magic_realm.world.steps import Frame, Step

SQUEAK: Final = "Squeak"
TERROR: Final = "harm the weak"
PONY: Final = "pony"


def _resolve(fight: Fight, frame: Frame) -> Fight:
    """Resolve the melee as far as the dice allow; ask for the next roll, or apply what happened."""
    melee = build_melee(fight)
    report = resolve(melee, fight.rolls)
    if report.waits_for is not None:
        return fight.push(Frame("dice", _find_roller(fight, report.waits_for), report.waits_for), frame)
    return _apply(fight, melee, report)


# ---- dice


def _find_roller(fight: Fight, number: int) -> Seat:
    """Return who rolls: the character that shoots, or the one that a spell hits (C18, C27)."""
    attack = build_melee(fight).attacks[number]
    return fight.active_warriors[attack.attacker if attack.table == MISSILE else attack.target].seat


def _list_dice(fight: Fight, frame: Frame) -> list[Step]:
    table = build_melee(fight).attacks[frame.a].table
    return list_rolls(find_dice_rule(fight, fight.warrior(frame.seat), table).dice)


def _take_dice(fight: Fight, frame: Frame, step: Step) -> Fight:
    table = build_melee(fight).attacks[frame.a].table
    add = find_dice_rule(fight, fight.warrior(frame.seat), table).add
    number = min(max(max(step.args) + add, 1), DIE)
    return replace(fight, rolls={**fight.rolls, frame.a: number})


# ---- what happened


def _apply(fight: Fight, melee: Melee, report: Report) -> Fight:
    """Let everything in a report happen."""
    seats, monsters = [warrior.seat for warrior in fight.active_warriors], fight.sheets.monsters
    fight = replace(fight, melee=melee, report=report, is_eventful=not report.is_quiet)
    for number, seat in enumerate(seats):
        fight = _apply_to_gear(fight, report, number, seat)
    for spell in report.spells:
        fight = _apply_spell(fight, spell, seats)
    return _apply_deaths(fight, report, seats, monsters)


def _apply_to_gear(fight: Fight, report: Report, number: FighterId, seat: Seat) -> Fight:
    """Change the wounds, weapon, armour and horse of a character."""
    before = warrior = fight.warrior(seat)
    play = read_draft(fight, warrior)
    worn = list_armor(warrior, play.shield)
    played = [piece for piece in (play.fight, play.move) if piece is not None]
    warrior = replace(warrior, wounds=report.wounds[number], played=(*warrior.played, *played))
    for fighter, is_alerted in report.weapons:
        weapon = find_weapon(before)
        if fighter == number and weapon is not None:
            warrior = change_gear(warrior, weapon[0].goods, alerted=is_alerted)
    if play.fight is not None and warrior.target == NO_TARGET:
        warrior = turn_weapon(warrior)  # C12
    for fighter, piece, state in report.wear:
        if fighter == number:
            warrior = _wear_piece(warrior, worn[piece][0].goods, state)
    if number in report.dead_steeds and play.move is not None:
        goods = next(gear.goods for gear in before.gear if load_catalog().goods[gear.goods].name == play.move.name)
        warrior = drop_gear(warrior, goods)
    return _replace_warrior(fight, warrior)


def _replace_warrior(fight: Fight, warrior: Warrior) -> Fight:
    """Return the fight with a changed character; belongings that it lost have left the game."""
    warrior = settle_gear(warrior)
    kept = [gear.goods for gear in warrior.gear]
    gone = [gear.goods for gear in fight.warrior(warrior.seat).gear if gear.goods not in kept]
    changed = [warrior if other.seat == warrior.seat else other for other in fight.warriors]
    return replace(fight, warriors=tuple(changed), gone=(*fight.gone, *gone))


def _wear_piece(warrior: Warrior, goods: GoodsId, state: int) -> Warrior:
    """Damage a piece of armour, or destroy it and pay what it leaves (C20, C21)."""
    if state < DESTROYED:
        return change_gear(warrior, goods, damaged=True)
    return replace(drop_gear(warrior, goods), gold=warrior.gold + _price_ruins(goods))


def _price_ruins(goods: GoodsId) -> int:
    """Return the gold that a destroyed piece of armour leaves its owner (C21)."""
    thing = load_catalog().goods[goods]
    if isinstance(thing, Armor):
        return thing.destroyed_price
    effects = thing.effects if isinstance(thing, Treasure) else ()
    return sum(effect.number for effect in effects if effect.verb == "armor")


def _apply_spell(fight: Fight, spell: TableEffect, seats: Sequence[Seat]) -> Fight:
    """Let a roll of the Pit or a curse change chits (C27, W6)."""
    (word,) = load_catalog().tables.by_name[spell.table].read(spell.roll)
    cursed = seats[spell.target]
    if spell.table == CURSE:
        warrior = fight.warrior(cursed)
        fight = fight.change(cursed, curses=warrior.curses | {word}, is_hidden=warrior.is_hidden and word != SQUEAK)
    for seat in seats if word == TERROR else [cursed]:
        warrior = fight.warrior(seat)
        chits = change_chits(chits_of(warrior), warrior.chits, word)
        changed = replace(warrior, chits=chits, gear=_drop_ponies(warrior) if word == TERROR else warrior.gear)
        fight = replace(_replace_warrior(fight, changed), is_eventful=fight.is_eventful or changed != warrior)
    return fight


def _drop_ponies(warrior: Warrior) -> tuple[CombatBelonging, ...]:
    """Return a character's belongings without ponies, played or not."""
    return tuple(gear for gear in warrior.gear if load_catalog().goods[gear.goods].kind != PONY)


def _apply_deaths(fight: Fight, report: Report, seats: Sequence[Seat], monsters: Sequence[MonsterId]) -> Fight:
    """Take the dead away, and reward those who killed them."""
    heroes = len(seats)
    for fighter, killers in report.deaths:
        by = [seats[killer] for killer in killers if killer < heroes]
        if fighter < heroes:
            fight = kill_character(fight, seats[fighter], by)
        else:
            fight = reward_kill(fight, monsters[fighter - heroes], by)
    dead = [monsters[fighter - heroes] for fighter, _ in report.deaths if fighter >= heroes]
    red = [monsters[fighter - heroes] for fighter in report.red]
    return replace(fight, sheets=disengage(fight.sheets, dead, red))


HANDLERS: Final[dict[str, Handler]] = {
    "resolve": Task(_resolve),
    "dice": Draw("dice", _list_dice, _take_dice),
}
