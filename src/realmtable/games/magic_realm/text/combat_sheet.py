"""What a view shows of combat: the viewer's character, what attacks it, and the times of everything."""

from __future__ import annotations

from functools import cache

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Face
from realmtable.games.magic_realm.catalog.goods_and_spells import Horse, Treasure, Weapon
from realmtable.games.magic_realm.combat.plays import GALLOP, Piece, card_pieces, chit_piece, horse_pieces
from realmtable.games.magic_realm.view_parts.combat_schema import CounterData, WarriorData


def find_own(view: View) -> WarriorData:
    """Return the viewer's character in combat."""
    warriors: list[WarriorData] = view["combat"]["warriors"]
    return next(warrior for warrior in warriors if warrior["seat"] == view["viewer"])


def list_attackers(view: View) -> list[CounterData]:
    """Return the monsters, heads and clubs on the viewer's sheet."""
    counters: list[CounterData] = view["combat"]["counters"]
    return [counter for counter in counters if counter["on"] == view["viewer"]]


def is_held(view: View) -> bool:
    """Whether a red-side-up monster is on the viewer's sheet (C26)."""
    return any(counter["side"] == "red" for counter in list_attackers(view))


def find_face(counter: CounterData) -> Face:
    """Return the side of a counter that shows."""
    catalog = load_catalog()
    row = catalog.monsters[catalog.names.by_name("monster")[counter["monster"]]]
    sides = row if counter["name"] == counter["monster"] or row.part is None else row.part
    return sides.light if counter["side"] == "light" else sides.dark


def find_limit(view: View) -> int | None:
    """Return the time below which a piece for an action must be; None if nothing limits it (E12)."""
    bodies = [counter for counter in list_attackers(view) if counter["name"] == counter["monster"]]
    own = find_own(view)["character"]
    charges = [piece for _, target, piece in view["combat"]["charges"] if target == own]
    times = [*(find_face(counter).move for counter in bodies), *(read_piece(name).time for name in charges)]
    return min(times, default=None)


@cache
def read_piece(name: str) -> Piece:
    """Return the piece that a view or a step names: an action chit, gloves, boots or one side of a horse."""
    catalog = load_catalog()
    chits = (chit_piece(chit) for row in catalog.characters for chit in row.chits if chit.label == name)
    found = [piece for piece in chits if piece is not None]
    for goods in catalog.goods:
        match goods:
            case Horse() if name in (goods.name, f"{goods.name} {GALLOP}"):
                found.append(horse_pieces(goods)[name != goods.name])
            case Treasure() if name == goods.name:
                found += card_pieces(goods)
    return found[0]


def find_weapon(view: View) -> tuple[Weapon, bool] | None:
    """Return the viewer's active weapon, and whether it is alerted; None for the dagger."""
    catalog = load_catalog()
    for gear in find_own(view)["gear"]:
        thing = catalog.goods[catalog.names.by_name("goods")[gear["name"]]]
        if gear["active"] and isinstance(thing, Weapon):
            return thing, gear["alerted"]
    return None
