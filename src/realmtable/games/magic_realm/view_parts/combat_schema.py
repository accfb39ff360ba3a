"""What a view holds of combat in a clearing (RULES-combat.md): everything open, and the viewer's own secrets.

The data are complete: `read_fight` makes the fight from them, as far as the viewer may know it. Names are those of
`schema`; boxes are called "thrust", "swing" and "smash", pieces as in steps ("Fight M4", "Pony-1 gallop"), heads and
clubs "Giant-1 club".
"""

from __future__ import annotations

from typing import TypedDict

from realmtable.games.magic_realm.view_parts.map_schema import ActionChitData


class WeaponOrArmorData(TypedDict):
    """A belonging in combat."""

    name: str
    active: bool
    alerted: bool  # of weapons
    damaged: bool  # of armour


class WarriorData(TypedDict):
    """A character in combat."""

    seat: int
    character: str
    hidden: bool
    fate: str  # "fighting", "ran" or "dead"
    road: str  # the roadway onto which it ran
    chits: list[ActionChitData]
    gear: list[WeaponOrArmorData]  # those that the viewer knows
    finds: list[int]  # the seats of hidden characters that it has found
    spared_by: list[str]  # monsters
    exits: list[str]  # roadways onto which it can run; only of the viewer's own character
    dice: dict[str, list[int]]  # number of dice and what is added, by table, if not two dice and nothing
    berserk: bool
    curses: list[str]
    gold: int | None  # None if the viewer does not know it
    fame: str  # "12" or "7/2"
    notoriety: str
    kills: int  # today
    charges: str  # the character it charges in this round
    played: list[str]  # pieces of this round: those of the encounter, and those of the melee once it is over
    target: str  # a monster or character; empty for none
    plays: list[str]  # the steps of its play in the melee; only its own before all are shown
    ready: bool
    wounds: int  # of this round, still to be taken


class CounterData(TypedDict):
    """A monster, a head or a club."""

    name: str
    monster: str  # of a head or club: its monster; otherwise its own name
    side: str  # "light", "dark" or "red"
    on: int | None  # the seat on whose sheet it lies
    box: str  # where it lies, once plays are shown; the viewer's own choice before (C11); empty otherwise


class StrikeData(TypedDict):
    """An attack of the latest melee: misses first, then hits in the order in which they take effect."""

    attacker: str
    source: str  # the weapon, head or club
    target: str
    direction: str
    maneuver: str  # of the target; empty for none
    time: int
    evades: int  # the time of the manoeuvre, 0 for none
    status: str  # "missed", "cancelled" or "struck"
    kills: bool
    wounds: bool
    text: str  # why it hit or missed, and what it did


class MeleeData(TypedDict):
    """The latest melee."""

    round: int
    strikes: list[StrikeData]
    deaths: list[str]


class CombatData(TypedDict):
    """Combat in a clearing."""

    at: str
    cave: bool
    round: int
    quiet: int  # quiet rounds in a row before this one
    eventful: bool  # whether something has happened in this round that keeps combat going (E2)
    agenda: list[list[str | int]]  # kind, seat (-1: chance) and numbers, the last one first; as in `combat_flow.state`
    shown: bool  # whether the plays of this round are open
    warriors: list[WarriorData]  # in order (E5)
    counters: list[CounterData]  # of the monsters that are alive
    charges: list[list[str]]  # who charges whom, with which piece
    undrawn: list[int]  # the seats whose counters are still to be drawn for targets (C3)
    contest: dict[str, int]  # rolls for a monster, by seat (E8)
    rolls: dict[str, int]  # rolls of this melee, by the number of the attack
    last: MeleeData | None
    pile: list[WeaponOrArmorData]  # belongings left in the clearing during combat
    gone: list[str]  # belongings that have left the game during combat
    fallen: list[int]  # the seats of those who have died, in that order
    rules: list[bool]  # the options of combat, as in `combat_flow.state.Rules`
