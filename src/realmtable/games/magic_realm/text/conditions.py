"""Say what hampers or helps a character: curses, berserk, the state of weapons, armour, horses and chits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Horse, Weapon, WeaponSide

# C27: what a curse does until it is lifted
CURSE_EFFECTS: Final = {
    "Eyemist": "no Search",
    "Squeak": "no Hide",
    "Wither": "no active chits with stars",
    "Ill Health": "no Rest",
    "Ashes": "recorded gold counts as −1",
    "Disgust": "recorded fame counts as −1",
}
BERSERK: Final = "until midnight, only tremendous harm kills"
# A filled shape is the better state, so that it shows without colour.
ALERTED: Final = {True: "▲ alerted", False: "△ unalerted"}
DAMAGED: Final = {True: "◐ damaged", False: "● intact"}


def count_chits(chits: Iterable[Mapping[str, Any]]) -> str:
    """Return how many chits cannot be played: "2 fatigued, 1 wounded"; empty if all are active."""
    states = [chit["state"] for chit in chits]
    return ", ".join(f"{states.count(state)} {state}" for state in ("fatigued", "wounded") if state in states)


def list_ailments(curses: Sequence[str], *, is_berserk: bool) -> list[str]:
    """Return short words on others: "cursed (Wither)", "berserk"."""
    return [*([f"cursed ({', '.join(curses)})"] if curses else []), *(["berserk"] if is_berserk else [])]


def describe_state(name: str, *, is_alerted: bool, is_damaged: bool) -> str:
    """Return the state of a belonging in combat: "▲ alerted, harm L*, time 3"; empty for what has none."""
    catalog = load_catalog()
    goods = catalog.goods[catalog.names.by_name("goods")[name]]
    match goods:
        case Weapon():
            return f"{ALERTED[is_alerted]}, {describe_side(goods.alerted if is_alerted else goods.unalerted)}"
        case Armor():
            return DAMAGED[is_damaged]
        case Horse():
            walk, gallop = goods.walk, goods.gallop
            return f"walks {walk.strength}{walk.time}, gallops {gallop.strength}{gallop.time}"
    return ""


def describe_side(side: WeaponSide) -> str:
    """Return what a side of a weapon does; without a time, that of the Fight chit counts (C16)."""
    return f"harm {side.harm}{'*' * side.stars}, {f'time {side.time}' if side.time else 'the time of the chit'}"
