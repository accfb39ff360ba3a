"""Why a step is refused in a fight: the clause of RULES-combat.md and a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.combat_flow.gear import find_hand, find_weapon, number_piece
from realmtable.games.magic_realm.combat_flow.plays import read_draft
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, Fight
from realmtable.games.magic_realm.combat_rules.encounter import find_time_limit
from realmtable.games.magic_realm.combat_rules.plays import DUCK, FIGHT, Hand, Piece
from realmtable.games.magic_realm.world.steps import Step


class Refusal(NamedTuple):
    """A clause and a sentence."""

    clause: str
    sentence: str


USUAL: Final[Mapping[str, Refusal]] = MappingProxyType(
    {
        "quiet": Refusal("E6", "Choose Rest easy, or begin a round of combat."),
        "lure": Refusal("E7", "Lure a monster not on your sheet and not red side up, become unhidden, or pass."),
        "charge": Refusal("E11", "Charge a character that you see, with a piece that carries everything, or pass."),
        "act": Refusal("E12", "Choose one action, or Done."),
        "aim": Refusal("C3", "Aim at a monster, at a character that you see, or at no one."),
        "play": Refusal("C7", "Choose an attack, a manoeuvre and a direction for your shield, then Ready."),
        "look": Refusal("E2", "Combat is over: choose Continue."),
        "fatigue": Refusal("W4", "Fatigue one star of a type that you have played."),
        "wounds": Refusal("W5", "Choose an active chit, which becomes wounded, or a fatigued one if none is active."),
    }
)


def refuse(fight: Fight, seat: Seat, step: Step) -> Refusal:
    """Return why a step is not among the answers of a seat that is to decide."""
    kind = fight.agenda[-1].kind
    if seat == CHANCE:
        return Refusal("Z7", "That cannot happen by chance now.")
    match kind, step:
        case "act", Step("run" | "alert" | "berserk"):
            return _refuse_action(fight, seat, step)
        case "act", Step("activate" | "pack" | "leave"):
            return Refusal("E19", "Make one belonging active and one inactive, or leave some.")
        case "aim", Step("aim" | "aim none") if seat in (fight.sheets.charges or {}):
            return Refusal("C4", "Aim at the character that you charged, or at no one.")
        case "play", Step("strike" | "turn weapon" | "evade"):
            return _refuse_piece(fight, seat, step)
        case "play", Step("set"):
            return Refusal(
                "C11", "Place the next counter so that all boxes can still be filled, not in its monster's box."
            )
    return USUAL[kind]


def _refuse_action(fight: Fight, seat: Seat, step: Step) -> Refusal:
    """Say why a character cannot run, alert its weapon or go berserk (E12 to E15)."""
    warrior = fight.warrior(seat)
    if step.verb == "run" and fight.sheets.is_held(seat):
        return Refusal("E15", "A monster holds you: you cannot run.")
    if step.verb == "alert" and find_weapon(warrior) is None:
        return Refusal("E13", "You have no active weapon.")
    pieces = [piece for piece in find_hand(fight, warrior).pieces if number_piece(piece) in step.args[-1:]]
    limit = find_time_limit(fight.sheets, seat)
    if pieces and limit is not None and pieces[0].time >= limit:
        return Refusal("E12", f"The time must be below {limit}, because of what is on your sheet.")
    if step.verb == "run":
        return Refusal("E14", "Run onto a roadway that is open to you, with a piece that carries everything.")
    return Refusal("E13", "Play a Fight chit or gloves as strong as your weapon; only the Berserker can go berserk.")


def _refuse_piece(fight: Fight, seat: Seat, step: Step) -> Refusal:
    """Say why a piece cannot be played in the melee (C1, C7 to C9, C12)."""
    warrior = fight.warrior(seat)
    play, hand = read_draft(fight, warrior), find_hand(fight, warrior)
    if (step.verb == "evade" and play.move is not None) or (step.verb != "evade" and play.fight is not None):
        return Refusal("C7", "You have chosen that already: undo it to choose again.")
    if step.verb == "strike" and warrior.target == NO_TARGET:
        return Refusal("C3", "You have no target.")
    if step.verb == "turn weapon" and (warrior.target != NO_TARGET or find_weapon(warrior) is None):
        return Refusal("C12", "You can turn your weapon over only if you have one and no target.")
    piece = next((piece for piece in hand.pieces if number_piece(piece) in step.args[-1:]), None)
    if piece is None or (piece.kind == FIGHT) == (step.verb == "evade"):
        return USUAL["play"]
    return _refuse_known_piece(hand, piece, step)


def _refuse_known_piece(hand: Hand, piece: Piece, step: Step) -> Refusal:
    if hand.played.count(piece) >= hand.pieces.count(piece):
        return Refusal("C1" if piece.gait else "C7", "You have already played this in the encounter.")
    if piece.strength < (hand.weapon_weight if piece.kind == FIGHT else hand.load):
        return Refusal("C9", "This is not strong enough for your weapon, or for what you carry.")
    if piece.gait and hand.is_held:
        return Refusal("C7", "A monster holds you: you cannot ride.")
    if piece.kind == DUCK and step.args[0] not in piece.directions:
        return Refusal("C7", "The Duck chit can only duck.")
    return Refusal("C8", f"You can play at most {hand.star_limit} stars in a round.")
