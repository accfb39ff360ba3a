"""What a viewer may know of combat in a clearing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS, GoodsId, MonsterId, Place
from realmtable.games.magic_realm.combat_flow.gear import number_piece
from realmtable.games.magic_realm.combat_flow.plays import counters_laid_by, number_counter
from realmtable.games.magic_realm.combat_flow.secrets import are_plays_secret, hide_secrets
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, TWO_DICE, CombatBelonging, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.boxes import Counter, list_counters
from realmtable.games.magic_realm.combat_rules.explain import explain_strike
from realmtable.games.magic_realm.combat_rules.melee import Melee
from realmtable.games.magic_realm.combat_rules.report import Report, Strike
from realmtable.games.magic_realm.view_parts.combat_schema import (
    CombatData,
    CounterData,
    MeleeData,
    StrikeData,
    WarriorData,
    WeaponOrArmorData,
)
from realmtable.games.magic_realm.view_parts.names import name_place
from realmtable.games.magic_realm.world.entities import CHIT_STATES
from realmtable.games.magic_realm.world.step_text import COUNTER, PIECE, format_step


def combat_data(
    fight: Fight, place: Place, viewer: Seat | None, knows: Callable[[GoodsId], bool], sees_gold: Callable[[Seat], bool]
) -> CombatData:
    """Return combat in a clearing; `knows` and `sees_gold` say which belongings and whose gold the viewer knows."""
    seen = hide_secrets(fight, viewer)
    return {
        "at": name_place(place),
        "cave": seen.is_cave,
        "round": seen.rounds.number,
        "quiet": seen.rounds.quiet,
        "eventful": seen.is_eventful,
        "agenda": [[*frame] for frame in seen.agenda],
        "shown": not are_plays_secret(seen) and bool(seen.boxes),
        "warriors": [_warrior_data(seen, warrior, knows, sees_gold) for warrior in seen.warriors],
        "counters": [*_list_counter_data(seen, viewer)],
        "charges": [
            [_name_character(seen, seat), _name_character(seen, target), PIECE.write(number_piece(piece))]
            for seat, (target, piece) in (seen.sheets.charges or {}).items()
        ],
        "undrawn": [*seen.undrawn],
        "contest": {str(seat): roll for seat, roll in seen.contest.items()},
        "rolls": {str(attack): roll for attack, roll in seen.rolls.items()},
        "last": None if seen.melee is None or seen.report is None else _melee_data(seen, seen.melee, seen.report),
        "pile": [_gear_data(gear) for gear in seen.pile if knows(gear.goods)],
        "gone": [load_catalog().goods[goods].name for goods in seen.gone if knows(goods)],
        "fallen": [*seen.fallen],
        "rules": [*seen.rules],
    }


def _name_character(fight: Fight, seat: Seat) -> str:
    return load_catalog().characters[fight.warrior(seat).character].name


def _gear_data(gear: CombatBelonging) -> WeaponOrArmorData:
    name = load_catalog().goods[gear.goods].name
    return {"name": name, "active": gear.active, "alerted": gear.alerted, "damaged": gear.damaged}


def _warrior_data(
    fight: Fight, warrior: Warrior, knows: Callable[[GoodsId], bool], sees_gold: Callable[[Seat], bool]
) -> WarriorData:
    catalog = load_catalog()
    row = catalog.characters[warrior.character]
    charge = (fight.sheets.charges or {}).get(warrior.seat)
    return {
        "seat": warrior.seat,
        "character": row.name,
        "hidden": warrior.is_hidden,
        "fate": warrior.fate,
        "road": name_place(warrior.road),
        "chits": [
            {"label": chit.label, "state": CHIT_STATES[state]}
            for chit, state in zip(row.chits, warrior.chits, strict=True)
        ],
        "gear": [_gear_data(gear) for gear in warrior.gear if knows(gear.goods)],
        "finds": sorted(warrior.finds),
        "spared_by": [_name_monster(monster) for monster in sorted(warrior.spared_by)],
        "exits": [name_place(road) for road in warrior.exits],
        "dice": {table: [*roll] for table, roll in warrior.dice.items() if roll != TWO_DICE},
        "berserk": warrior.is_berserk,
        "curses": sorted(warrior.curses),
        "gold": warrior.gold if sees_gold(warrior.seat) else None,
        "fame": write_points(warrior.fame),
        "notoriety": write_points(warrior.notoriety),
        "kills": warrior.kills,
        "charges": "" if charge is None else _name_character(fight, charge[0]),
        "played": [PIECE.write(number_piece(piece)) for piece in warrior.played],
        "target": "" if warrior.target == NO_TARGET else name_target(warrior.target),
        "plays": [*map(format_step, warrior.draft)],
        "ready": warrior.is_ready,
        "wounds": warrior.wounds,
    }


def write_points(points: Fraction | int) -> str:
    """Return fame or notoriety, which can be a fraction (K1), as text."""
    return str(Fraction(points))


def name_target(target: int) -> str:
    """Return the character or monster that someone aims at."""
    return load_catalog().names.by_number("blocked")[target]


def _name_monster(monster: MonsterId) -> str:
    return load_catalog().monsters[monster].name


def _list_counter_data(fight: Fight, viewer: Seat | None) -> Iterator[CounterData]:
    laid = dict(fight.boxes)
    if not laid and viewer is not None and viewer in fight.sheets.seats:
        laid = counters_laid_by(fight.warrior(viewer))
    for counter in list_counters(fight.sheets.monsters):
        box = laid.get(counter)
        yield {
            "name": COUNTER.write(number_counter(counter)),
            "monster": _name_monster(counter.monster),
            "side": _name_side(fight, counter),
            "on": fight.sheets.assigned.get(counter.monster),
            "box": "" if box is None else DIRECTIONS[box],
        }


def _name_side(fight: Fight, counter: Counter) -> str:
    if not counter.is_part and fight.sheets.is_red(counter.monster):
        return "red"
    return "dark" if fight.sheets.is_dark(counter.monster, is_part=counter.is_part) else "light"


def _melee_data(fight: Fight, melee: Melee, report: Report) -> MeleeData:
    is_over = not fight.boxes or (bool(fight.agenda) and fight.agenda[-1].kind == "quiet")  # the round of the melee
    return {
        "round": fight.rounds.number - is_over,
        "strikes": [_strike_data(melee, report, strike) for strike in report.strikes],
        "deaths": [melee.fighters[death.fighter].name for death in report.deaths],
    }


def _strike_data(melee: Melee, report: Report, strike: Strike) -> StrikeData:
    attack = melee.attacks[strike.attack]
    maneuver = melee.fighters[attack.target].maneuver
    return {
        "attacker": melee.fighters[attack.attacker].name,
        "source": attack.source,
        "target": melee.fighters[attack.target].name,
        "direction": DIRECTIONS[attack.direction],
        "maneuver": "" if maneuver is None else MANEUVERS[maneuver.direction],
        "time": attack.time,
        "evades": 0 if maneuver is None else maneuver.time,
        "status": strike.status,
        "kills": strike.kills,
        "wounds": strike.wounds,
        "text": explain_strike(melee, report, strike),
    }
