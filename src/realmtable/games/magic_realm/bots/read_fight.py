"""A fight from the data of a view: everything that the viewer may know of it, and nothing else."""

from __future__ import annotations

from fractions import Fraction

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.bots.known_world import goods_by_name
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Horse, Treasure
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, Place
from realmtable.games.magic_realm.combat_flow.plays import read_counter
from realmtable.games.magic_realm.combat_flow.state import FIGHTING, NO_TARGET, CombatBelonging, Fight, Rules, Warrior
from realmtable.games.magic_realm.combat_rules.boxes import Boxes
from realmtable.games.magic_realm.combat_rules.encounter import Sheets
from realmtable.games.magic_realm.combat_rules.plays import GALLOP, Piece, card_pieces, chit_piece, horse_pieces
from realmtable.games.magic_realm.combat_rules.round_costs import Rounds
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.view_parts.combat_schema import (
    CombatData,
    CounterData,
    WarriorData,
    WeaponOrArmorData,
)
from realmtable.games.magic_realm.world.entities import CHIT_STATES
from realmtable.games.magic_realm.world.places import NOWHERE
from realmtable.games.magic_realm.world.step_text import BLOCKED, CHARACTER, COUNTER, MONSTER, ROADWAY, Kind, parse_step
from realmtable.games.magic_realm.world.steps import Frame


def read_fight(data: CombatData) -> Fight:
    """Return the fight that a viewer sees, without the latest melee, which decides nothing any more.

    Belongings and gold that the viewer does not know are missing.
    """
    return Fight(
        tuple(map(_read_warrior, data["warriors"])),
        _read_sheets(data),
        is_cave=data["cave"],
        rounds=Rounds(data["round"], data["quiet"]),
        agenda=tuple(_read_frame(row) for row in data["agenda"]),
        undrawn=tuple(data["undrawn"]),
        contest={int(seat): roll for seat, roll in data["contest"].items()},
        boxes=_read_boxes(data["counters"]) if data["shown"] else {},
        rolls={int(attack): roll for attack, roll in data["rolls"].items()},
        is_eventful=data["eventful"],
        pile=tuple(map(_read_gear, data["pile"])),
        gone=tuple(goods_by_name()[name].id for name in data["gone"]),
        fallen=tuple(data["fallen"]),
        rules=Rules(*data["rules"]),
    )


def _read_name(kind: Kind, name: str) -> int:
    number = kind.read(name)
    assert number is not None, name  # noqa: S101 - views name only what exists
    return number


def _read_road(name: str) -> Place:
    return _read_name(ROADWAY, name) if name else NOWHERE


def _read_frame(row: list[str | int]) -> Frame:
    kind, seat, *numbers = row
    return Frame(str(kind), int(seat), *map(int, numbers))


def _read_gear(data: WeaponOrArmorData) -> CombatBelonging:
    return CombatBelonging(goods_by_name()[data["name"]].id, data["active"], data["alerted"], data["damaged"])


def _read_warrior(data: WarriorData) -> Warrior:
    return Warrior(
        data["seat"],
        _read_name(CHARACTER, data["character"]),
        tuple(CHIT_STATES.index(chit["state"]) for chit in data["chits"]),
        tuple(map(_read_gear, data["gear"])),
        is_hidden=data["hidden"],
        finds=frozenset(data["finds"]),
        spared_by=frozenset(_read_name(MONSTER, name) for name in data["spared_by"]),
        exits=tuple(map(_read_road, data["exits"])),
        dice={table: DiceRule(*numbers) for table, numbers in data["dice"].items()},
        is_berserk=data["berserk"],
        curses=frozenset(data["curses"]),
        gold=data["gold"] or 0,
        fame=Fraction(data["fame"]),
        notoriety=Fraction(data["notoriety"]),
        kills=data["kills"],
        fate=data["fate"],
        road=_read_road(data["road"]),
        played=tuple(map(read_piece, data["played"])),
        target=_read_name(BLOCKED, data["target"]) if data["target"] else NO_TARGET,
        draft=tuple(map(parse_step, data["plays"])),
        is_ready=data["ready"],
        wounds=data["wounds"],
    )


def _read_sheets(data: CombatData) -> Sheets:
    bodies = [one for one in data["counters"] if one["name"] == one["monster"]]
    seats = {one["character"]: one["seat"] for one in data["warriors"]}
    charges: dict[Seat, tuple[Seat, Piece]] = {
        seats[attacker]: (seats[target], read_piece(piece)) for attacker, target, piece in data["charges"]
    }
    return Sheets(
        tuple(_read_name(MONSTER, one["monster"]) for one in bodies),
        tuple(one["seat"] for one in data["warriors"] if one["fate"] == FIGHTING),
        {_read_name(MONSTER, one["monster"]): one["on"] for one in bodies if one["on"] is not None},
        frozenset(
            (*read_counter(_read_name(COUNTER, one["name"])),) for one in data["counters"] if one["side"] != "light"
        ),
        charges or None,
    )


def _read_boxes(counters: list[CounterData]) -> Boxes:
    return {
        read_counter(_read_name(COUNTER, one["name"])): DIRECTIONS.index(one["box"]) for one in counters if one["box"]
    }


def read_piece(name: str) -> Piece:
    """Return the piece of a name: an action chit, a card, or a side of a horse, which walks unless it gallops.

    >>> read_piece("Pony-1 gallop").gait
    'gallop'
    """
    thing = goods_by_name().get(name.removesuffix(f" {GALLOP}"))
    match thing:
        case Horse() as horse:
            walk, gallop = horse_pieces(horse)
            return gallop if name.endswith(GALLOP) else walk
        case Treasure() as card:
            return next(card_pieces(card))
    rows = (chit for row in load_catalog().characters for chit in row.chits if chit.label == name)
    piece = chit_piece(next(rows))
    assert piece is not None, name  # noqa: S101 - Magic chits are not played in combat
    return piece
