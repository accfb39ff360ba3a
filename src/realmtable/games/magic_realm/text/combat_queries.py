"""What a view shows of combat: the viewer's character, what attacks it, and the times of everything."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.bots.read_fight import read_piece
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Face
from realmtable.games.magic_realm.catalog.goods_and_spells import Weapon
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


def find_weapon(view: View) -> tuple[Weapon, bool] | None:
    """Return the viewer's active weapon, and whether it is alerted; None for the dagger."""
    catalog = load_catalog()
    for gear in find_own(view)["gear"]:
        thing = catalog.goods[catalog.names.by_name("goods")[gear["name"]]]
        if gear["active"] and isinstance(thing, Weapon):
            return thing, gear["alerted"]
    return None
