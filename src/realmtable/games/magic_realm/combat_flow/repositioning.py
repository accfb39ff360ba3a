"""What follows the plays: repositioning, tactics, and the melee that results (C11, C13 to C16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_flow.agenda import Draw, Handler, Task
from realmtable.games.magic_realm.combat_flow.dice import FACES, list_rolls
from realmtable.games.magic_realm.combat_flow.gear import find_weapon, list_armor
from realmtable.games.magic_realm.combat_flow.plays import counters_laid_by, monster_target, read_draft
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.boxes import (
    Counter,
    lay_counters,
    list_counters,
    list_tactics_boxes,
    list_turned,
    reposition,
)
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import (
    character_weight,
    monster_attack,
    monster_fighter,
    part_attack,
    steed_of,
    weapon_attack,
)
from realmtable.games.magic_realm.combat_rules.melee import Attack, Direction, Fighter, FighterId, Maneuver, Melee
from realmtable.games.magic_realm.world.steps import Frame, Step

OWN_SHEET: Final = CHANCE  # the seat of frames about a monster that lies alone


def _reveal(fight: Fight, _frame: Frame) -> Fight:
    """Lay all counters, and line up the dice that move and turn them (C11, C13, C14)."""
    boxes: dict[Counter, Direction] = {}
    sheets = []
    for warrior in fight.active_warriors:
        counters = list_counters(fight.sheets.on_sheet(warrior.seat))
        boxes |= lay_counters(counters, counters_laid_by(warrior))
        sheets += [(warrior.seat, 0)] * bool(counters)
    for monster in _list_alone(fight):
        boxes[Counter(monster)] = 0
        sheets.append((OWN_SHEET, monster))
    moves = [Frame("reposition", seat, monster) for seat, monster in sheets]
    turns = [Frame("tactics", seat, monster) for seat, monster in sheets]
    return replace(fight, boxes=boxes).push(*moves, *turns)


def _list_alone(fight: Fight) -> list[MonsterId]:
    """Return the unassigned monsters that someone aims at (C11)."""
    aims = {warrior.target for warrior in fight.active_warriors}
    return [
        monster
        for monster in fight.sheets.monsters
        if monster not in fight.sheets.assigned and monster_target(monster) in aims
    ]


def _sheet_boxes(fight: Fight, frame: Frame) -> dict[Counter, Direction]:
    """Return the counters on the sheet that a frame is about."""
    monsters = [frame.a] if frame.seat == OWN_SHEET else fight.sheets.on_sheet(frame.seat)
    return {counter: box for counter, box in fight.boxes.items() if counter.monster in monsters}


def _take_reposition(fight: Fight, frame: Frame, step: Step) -> Fight:
    return replace(fight, boxes={**fight.boxes, **reposition(_sheet_boxes(fight, frame), step.args[0])})


def _line_up_tactics(fight: Fight, frame: Frame) -> Fight:
    boxes = list_tactics_boxes(_sheet_boxes(fight, frame))
    return fight.push(*(Frame("turn over", frame.seat, frame.a, box) for box in boxes))


def _take_tactics(fight: Fight, frame: Frame, step: Step) -> Fight:
    one, other = step.args
    turned = {(counter.monster, counter.is_part) for counter in list_turned(
        _sheet_boxes(fight, frame), frame.b, (one, other)
    )}  # fmt: skip
    return replace(fight, sheets=replace(fight.sheets, dark=fight.sheets.dark ^ turned))


# ---- the melee


def build_melee(fight: Fight) -> Melee:
    """Return the melee of everyone in the clearing: characters in order, then monsters by their numbers."""
    fighters = [_character_fighter(fight, warrior) for warrior in fight.active_warriors]
    fighters += [
        monster_fighter(
            load_catalog().monsters[monster],
            is_dark=fight.sheets.is_dark(monster),
            box=fight.boxes.get(Counter(monster), 0),
        )
        for monster in fight.sheets.monsters
    ]
    attacks = (*_list_blows(fight), *_list_bites(fight))
    return Melee(tuple(fighters), attacks, fight.rounds.number == 1, fight.rules.missiles_pierce)


def find_fighter(fight: Fight, target: int) -> FighterId:
    """Return the number of a target in the melee."""
    characters = [warrior.character for warrior in fight.active_warriors]
    if target in characters:
        return characters.index(target)
    return len(characters) + [monster_target(monster) for monster in fight.sheets.monsters].index(target)


def _character_fighter(fight: Fight, warrior: Warrior) -> Fighter:
    row, play = load_catalog().characters[warrior.character], read_draft(fight, warrior)
    mount = play.move.name if play.move is not None and play.move.gait else ""
    steed = next((horse for horse in load_catalog().horses if horse.name == mount), None)
    return Fighter(
        row.name,
        character_weight(row, is_berserk=warrior.is_berserk),
        is_character=True,
        maneuver=None if play.move is None else Maneuver(play.maneuver, play.move.time),
        armor=tuple(piece for _, piece in list_armor(warrior, play.shield)),
        steed=None if steed is None else steed_of(steed),
        is_hidden=warrior.is_hidden,
    )


def _list_blows(fight: Fight) -> Iterator[Attack]:
    for number, warrior in enumerate(fight.active_warriors):
        play, weapon = read_draft(fight, warrior), find_weapon(warrior)
        if warrior.target != NO_TARGET and play.fight is not None:
            yield weapon_attack(
                None if weapon is None else weapon[1],
                play.fight,
                play.attack,
                is_alerted=weapon is not None and weapon[0].alerted,
                attacker=number,
                target=find_fighter(fight, warrior.target),
            )


def _list_bites(fight: Fight) -> Iterator[Attack]:
    seats = [warrior.seat for warrior in fight.active_warriors]
    for counter, box in sorted(fight.boxes.items()):
        owner = fight.sheets.assigned.get(counter.monster)
        if owner is None:
            continue
        attack = (part_attack if counter.is_part else monster_attack)(
            load_catalog().monsters[counter.monster],
            is_dark=fight.sheets.is_dark(counter.monster, is_part=counter.is_part),
            box=box,
            attacker=find_fighter(fight, monster_target(counter.monster)),
            target=seats.index(owner),
        )
        if attack is not None:
            yield attack


HANDLERS: Final[dict[str, Handler]] = {
    "reveal": Task(_reveal),
    "reposition": Draw("reposition", lambda *_: [Step("die", (face,)) for face in FACES], _take_reposition),
    "tactics": Task(_line_up_tactics),
    "turn over": Draw("tactics", lambda *_: list_rolls(2), _take_tactics),
}
