"""Says in words what a character should play, and why it can hit and be hit (C15 to C18)."""

from __future__ import annotations

from collections.abc import Iterator

from realmtable.games.magic_realm.battle.duel import Duel, list_targets
from realmtable.games.magic_realm.battle.forecast import Choice, has_even_armor
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Face, Monster
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.combat.boxes import Counter
from realmtable.games.magic_realm.combat.harm import name_level
from realmtable.games.magic_realm.combat.melee import MANEUVERS
from realmtable.games.magic_realm.combat.pieces import weapon_attack
from realmtable.games.magic_realm.combat.plays import Piece


def describe_choice(duel: Duel, choice: Choice) -> str:
    """Say what to play, for example to attack the Giant with Fight M4 (thrust) and to dodge with Move M4."""
    play, parts = choice.play, list[str]()
    if play.fight is not None and choice.target is not None:
        kind = load_catalog().monsters[choice.target].kind
        parts.append(f"attack the {kind} with {play.fight.name} ({DIRECTIONS[play.attack]})")
    if play.move is not None:
        parts.append(f"{MANEUVERS[play.maneuver]} with {_name_piece(play.move)}")
    if duel.has_shield:
        parts.append(f"hold the shield against {DIRECTIONS[play.shield]}")
    text = " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:]))) or "play nothing"
    return f"{text[0].upper()}{text[1:]}."


def _name_piece(piece: Piece) -> str:
    return f"{piece.name} at a {piece.gait}" if piece.gait else piece.name


def explain_choice(duel: Duel, choice: Choice) -> list[str]:
    """Say why the attacks of a play can hit, one sentence each."""
    sentences = [*_explain_blow(duel, choice)]
    for number in list_targets(duel):
        monster = load_catalog().monsters[number]
        is_dark = Counter(number) in duel.dark
        sentences.append(_explain_attack(monster, monster.dark if is_dark else monster.light, choice.play.move))
    if has_even_armor(duel) and choice.play.fight is not None and choice.play.move is not None:
        same = choice.play.attack == choice.play.maneuver
        pairs = "in the same box (thrust and charge, swing and dodge, smash and duck)" if same else "in different boxes"
        sentences.append(f"Any directions will do, as long as attack and manoeuvre are {pairs}.")
    return sentences


def _explain_blow(duel: Duel, choice: Choice) -> Iterator[str]:
    fight, target = choice.play.fight, choice.target
    if fight is None or target is None:
        return
    attack = weapon_attack(duel.weapon, fight, 0, is_alerted=duel.is_alerted, attacker=0, target=1)
    monster = load_catalog().monsters[target]
    face = monster.dark if Counter(target) in duel.dark else monster.light
    weapon = "dagger" if duel.weapon is None else duel.weapon.kind
    yield f"Your {weapon}: {_compare(attack.time, face.move)}. Harm {monster.size} kills the {monster.kind}."
    level = name_level(attack.harm + attack.stars + attack.is_stronger)
    star = " One star is lost on its armour." if monster.is_armored and attack.stars else ""
    if attack.table:
        yield f"It does {level}, changed by the Missile table from two levels more to three levels less.{star}"
    else:
        yield f"It does {level}.{star}"


def _explain_attack(monster: Monster, face: Face, move: Piece | None) -> str:
    if not face.attack:
        return f"The {monster.kind} does not attack with this side."
    if move is None:
        return f"The {monster.kind}: it always hits, because you do not manoeuvre."
    return f"The {monster.kind}: {_compare(face.attack, move.time)}."


def _compare(attack: int, maneuver: int) -> str:
    """Say whether a time undercuts another one."""
    if attack < maneuver:
        return f"time {attack} undercuts {maneuver}, so it always hits"
    return f"time {attack} does not undercut {maneuver}, so it hits only if the directions match"
