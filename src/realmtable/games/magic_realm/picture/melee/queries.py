"""What the melee sheet shows, read from the data of the view: plays, stars, armour, and whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Goods, Horse, Treasure, Weapon
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import SHIELD, armor_piece, card_armor
from realmtable.games.magic_realm.combat_rules.melee import ARMOR_LAYERS, ArmorPiece
from realmtable.games.magic_realm.combat_rules.plays import STAR_LIMIT, Piece, card_pieces, horse_pieces
from realmtable.games.magic_realm.view_parts.combat_schema import CombatData, WarriorData, WeaponOrArmorData
from realmtable.games.magic_realm.world.step_text import VERBS, parse_step

LOOK: Final = "look"  # the frame in which everyone sees the last melee
QUIET: Final = "quiet"  # the frame in which someone may begin a round
# The steps of a round, and the frames of the agenda that belong to each.
STAGES: Final = {
    "Lure": (QUIET, "lure", "contest"),
    "Charge": ("charge",),
    "Act": ("act",),
    "Aim": ("next", "aim"),
    "Play": ("play",),
    "Melee": ("reposition", "turn over", "dice"),
    "Fatigue": ("fatigue", "wounds", LOOK),
}
CHANCE_KINDS: Final = ("contest", "next", "reposition", "turn over", "dice")
ALL_AT_ONCE: Final = "play"  # the frame in which everyone decides
FIGHTING: Final = "fighting"
_NUMBER: Final = re.compile(r"-\d+$")


class Plays(NamedTuple):
    """What a character plays in the melee, as far as the viewer knows it; empty words for nothing."""

    attack: str = ""  # the direction
    fight: str = ""  # the piece
    maneuver: str = ""
    move: str = ""
    shield: str = ""  # the direction


def find_main_warrior(view: View) -> WarriorData | None:
    """Return the viewer's character in combat, or for a spectator the first one; None if the map is to be shown."""
    combat: CombatData | None = view.get("combat")
    if not combat or not combat["agenda"]:
        return None
    if view["viewer"] is None:
        return combat["warriors"][0]
    return next((warrior for warrior in combat["warriors"] if warrior["seat"] == view["viewer"]), None)


def find_frame(combat: CombatData) -> tuple[str, int]:
    """Return the kind and the seat of what is being done; the seat can be -1 if chance or several act."""
    kind, seat = combat["agenda"][-1][:2]
    return str(kind), int(seat)


def find_stage(combat: CombatData) -> str:
    """Return the step of the round that combat is in."""
    kind = find_frame(combat)[0]
    return next(stage for stage, kinds in STAGES.items() if kind in kinds)


def read_plays(warrior: WarriorData) -> Plays:
    """Return the plays of a character."""
    plays = Plays()
    for text in warrior["plays"]:
        step = parse_step(text)
        words = [kind.write(number) for kind, number in zip(VERBS[step.verb], step.args, strict=True)]
        match step.verb:
            case "strike":
                plays = plays._replace(attack=words[0], fight=words[1])
            case "turn weapon":
                plays = plays._replace(fight=words[0])
            case "evade":
                plays = plays._replace(maneuver=words[0], move=words[1])
            case "shield":
                plays = plays._replace(shield=words[0])
    return plays


def list_used(combat: CombatData, warrior: WarriorData) -> list[str]:
    """Return the pieces that a character has played in this round."""
    last, plays = combat["last"], read_plays(warrior)
    is_over = combat["shown"] and last is not None and last["round"] == combat["round"]
    return [*warrior["played"], *([] if is_over else filter(None, (plays.fight, plays.move)))]


def count_stars_left(used: Sequence[str]) -> int:
    """Return how many stars a character can still play (C8)."""
    return max(0, STAR_LIMIT - sum(name.count("*") for name in used))


# ---- belongings


def find_goods(name: str) -> Goods:
    """Return a belonging of the catalog."""
    catalog = load_catalog()
    return catalog.goods[catalog.names.by_name("goods")[name]]


def find_weapon(warrior: WarriorData) -> tuple[WeaponOrArmorData | None, Weapon]:
    """Return the active weapon with its data; without one, the dagger."""
    for gear in warrior["gear"]:
        goods = find_goods(gear["name"])
        if gear["active"] and isinstance(goods, Weapon):
            return gear, goods
    return None, load_catalog().dagger


def list_pieces(warrior: WarriorData, is_cave: bool) -> list[Piece]:
    """Return the active gloves, boots and sides of horses that can be played."""
    active = [find_goods(gear["name"]) for gear in warrior["gear"] if gear["active"]]
    usable = [goods for goods in active if not (is_cave and isinstance(goods, Horse))]
    return [piece for goods in usable for piece in list_goods_pieces(goods)]


def list_goods_pieces(goods: Goods) -> list[Piece]:
    """Return the pieces that a belonging is: both sides of a horse, boots or gloves."""
    match goods:
        case Treasure():
            return [*card_pieces(goods)]
        case Horse():
            return [*horse_pieces(goods)]
    return []


def list_armor(warrior: WarriorData) -> list[ArmorPiece]:
    """Return the active armour from the outside in; a shield covers the direction in front of which it was put."""
    shield = read_plays(warrior).shield
    found = []
    for gear in warrior["gear"]:
        goods = find_goods(gear["name"])
        piece = None
        if isinstance(goods, Armor):
            at = DIRECTIONS.index(shield) if shield else None
            piece = armor_piece(goods, is_damaged=gear["damaged"], shield_at=at)
        elif isinstance(goods, Treasure):
            piece = card_armor(goods)
        if gear["active"] and piece is not None:
            found.append(piece)
    return sorted(found, key=lambda piece: ARMOR_LAYERS.index(piece.layer))


def find_free_shield(warrior: WarriorData) -> ArmorPiece | None:
    """Return the shield that has not been put anywhere in this round."""
    is_put = bool(read_plays(warrior).shield)
    return next((piece for piece in list_armor(warrior) if piece.layer == SHIELD and not is_put), None)


def list_cover(warrior: WarriorData, direction: str) -> list[ArmorPiece]:
    """Return the armour that covers a direction, without a shield that has not been put anywhere."""
    free, at = find_free_shield(warrior), DIRECTIONS.index(direction)
    return [piece for piece in list_armor(warrior) if at in piece.covers and piece != free]


def format_goods(name: str) -> str:
    """Return a belonging without its number: "Pony" for "Pony-1"."""
    return _NUMBER.sub("", name)


def format_name(name: str) -> str:
    """Return the name of a monster or character as it is read: "Giant 1 club"."""
    return name.replace("-", " ")
