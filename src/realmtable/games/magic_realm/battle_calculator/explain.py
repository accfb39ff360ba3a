"""Says in words what a character should play, and why it can hit and be hit (C15 to C18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from realmtable.games.magic_realm.battle_calculator.duel import Duel, list_targets
from realmtable.games.magic_realm.battle_calculator.odds import chance_to_turn
from realmtable.games.magic_realm.battle_calculator.play_choices import Choice, has_even_armor
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Face, Monster, Part
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import weapon_attack
from realmtable.games.magic_realm.combat_rules.harm import name_level
from realmtable.games.magic_realm.combat_rules.plays import Piece
from realmtable.kit.wording import join_words


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
    text = join_words(parts) or "play nothing"
    return f"{text[0].upper()}{text[1:]}."


def _name_piece(piece: Piece) -> str:
    return f"{piece.name} at a {piece.gait}" if piece.gait else piece.name


def explain_choice(duel: Duel, choice: Choice) -> list[str]:
    """Say why the attacks of a play can hit, one sentence each."""
    sentences = [*_explain_blow(duel, choice)]
    for number in list_targets(duel):
        monster = load_catalog().monsters[number]
        sentences.append(f"The {monster.kind}: {_explain_attack(duel, Counter(number), choice.play.move)}.")
        if monster.part is not None:
            part = Counter(number, is_part=True)
            sentences.append(f"Its {monster.part.name.lower()}: {_explain_attack(duel, part, choice.play.move)}.")
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
    sides = [_compare(attack.time, face.move) for face in _list_faces(duel, Counter(target))]
    weapon = "dagger" if duel.weapon is None else duel.weapon.kind
    yield f"Your {weapon}: {_join_sides(sides, f'the {monster.kind}')}. Harm {monster.size} kills the {monster.kind}."
    level = name_level(attack.harm + attack.stars + attack.is_stronger)
    star = " One star is lost on its armour." if monster.is_armored and attack.stars else ""
    if attack.table:
        yield f"It does {level}, changed by the Missile table from two levels more to three levels less.{star}"
    else:
        yield f"It does {level}.{star}"


def _explain_attack(duel: Duel, counter: Counter, move: Piece | None) -> str:
    """Say why a monster, head or club hits or misses a manoeuvre, with either side that can show (C14)."""
    return _join_sides([_judge_face(face, move) for face in _list_faces(duel, counter)])


def _list_faces(duel: Duel, counter: Counter) -> list[Face]:
    """Return the side of a counter that shows, and the other one if tactics can turn it over."""
    monster = load_catalog().monsters[counter.monster]
    piece: Monster | Part = monster if monster.part is None or not counter.is_part else monster.part
    faces = [piece.light, piece.dark]
    shown = counter in duel.dark
    return [faces[shown], *([faces[not shown]] if counter.changes_tactics else [])]


class _Verdict(NamedTuple):
    """Whether an attack hits: for sure (True), only in the right direction (False) or never (None); and why."""

    hits: bool | None
    words: str


def _join_sides(sides: list[_Verdict], who: str = "it") -> str:
    """Join what holds for the side that shows and, if it differs, for the other one."""
    shown, *turned = sides
    others = [side.words for side in turned if side.hits != shown.hits]
    return f"; if {who} turns over ({chance_to_turn():.0%}), ".join([shown.words, *others])


def _judge_face(face: Face, move: Piece | None) -> _Verdict:
    if not face.attack:
        return _Verdict(None, "it does not attack with this side")
    if move is None:
        return _Verdict(True, "it always hits, because you do not manoeuvre")
    return _compare(face.attack, move.time)


def _compare(attack: int, maneuver: int) -> _Verdict:
    """Say whether a time undercuts another one."""
    hits = attack < maneuver
    if hits:
        return _Verdict(hits, f"time {attack} undercuts {maneuver}, so it always hits")
    return _Verdict(hits, f"time {attack} does not undercut {maneuver}, so it hits only if the directions match")
