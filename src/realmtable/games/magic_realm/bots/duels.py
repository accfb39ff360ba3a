"""The part of a fight that concerns one character and the monsters on its sheet, for the battle calculator."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.battle_calculator.duel import Duel
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_flow.gear import find_load, find_weapon
from realmtable.games.magic_realm.combat_flow.state import TWO_DICE, Fight
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.melee import CURSE, MISSILE, PIT


def make_duel(fight: Fight, seat: Seat, monsters: Sequence[MonsterId] | None = None) -> Duel:
    """Return the duel of a character with the monsters on its sheet, or with others of the clearing."""
    warrior, weapon = fight.warrior(seat), find_weapon(fight.warrior(seat))
    return Duel(
        warrior.character,
        warrior.chits,
        tuple(fight.sheets.on_sheet(seat) if monsters is None else monsters),
        frozenset(Counter(*counter) for counter in fight.sheets.dark),
        tuple(gear.goods for gear in warrior.gear if gear.active),
        frozenset(gear.goods for gear in warrior.gear if gear.active and gear.damaged),
        is_alerted=weapon is not None and weapon[0].alerted,
        is_berserk=warrior.is_berserk,
        is_in_cave=fight.is_cave,
        is_first_round=fight.rounds.number == 1,
        quiet_rounds=fight.rounds.quiet,
        played=warrior.played,
        burden=find_load(warrior),
        dice=tuple((table, warrior.dice.get(table, TWO_DICE)) for table in (MISSILE, CURSE, PIT)),
    )
