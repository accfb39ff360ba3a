"""What kills bring, and what becomes of the dead (K1, K3, K4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_flow.gear import lay_down, settle_gear
from realmtable.games.magic_realm.combat_flow.state import DEAD, Fight
from realmtable.games.magic_realm.combat_rules.encounter import leave_sheet
from realmtable.games.magic_realm.combat_rules.spoils import Bounty, inherit_notoriety, share_bounty


def reward_kill(fight: Fight, monster: MonsterId, killers: Sequence[Seat]) -> Fight:
    """Give the characters who killed a monster their shares (K1)."""
    row = load_catalog().monsters[monster]
    for seat in killers:
        kills = fight.warrior(seat).kills + 1
        fight = _add_bounty(fight, seat, share_bounty(Bounty(row.fame, row.notoriety), kills, len(killers)))
    return fight


def _add_bounty(fight: Fight, seat: Seat, bounty: Bounty) -> Fight:
    warrior = fight.warrior(seat)
    return fight.change(
        seat,
        kills=warrior.kills + 1,
        fame=warrior.fame + bounty.fame,
        notoriety=warrior.notoriety + bounty.notoriety,
    )


def kill_character(fight: Fight, seat: Seat, killers: Sequence[Seat]) -> Fight:
    """Let a character die, by the hand of some others or of none (K3, K4); monsters that held it let go (C26)."""
    dead = fight.warrior(seat)
    for killer in killers:
        kills = fight.warrior(killer).kills + 1 if fight.rules.multiplies_kills else 1
        fight = _add_bounty(fight, killer, inherit_notoriety(dead.notoriety, kills, len(killers)))
    taken = tuple(map(lay_down, dead.gear))
    if killers:
        heir = fight.warrior(killers[0])
        richer = settle_gear(replace(heir, gear=(*heir.gear, *taken), gold=heir.gold + dead.gold))
        fight = fight.change(killers[0], gear=richer.gear, gold=richer.gold)
    else:
        fight = replace(fight, pile=(*fight.pile, *taken))
    held = {(monster, False) for monster in fight.sheets.on_sheet(seat) if fight.sheets.is_red(monster)}
    sheets = replace(leave_sheet(fight.sheets, seat), dark=fight.sheets.dark - held)
    fight = replace(fight, sheets=sheets, is_eventful=True, fallen=(*fight.fallen, seat))
    return fight.change(seat, fate=DEAD, gear=(), gold=0, fame=dead.fame * 0, notoriety=dead.notoriety * 0)
