"""Draw who else is in the clearing: monsters on no sheet, and the smaller sheets of the other characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.picture.characters import draw_large_shield
from realmtable.games.magic_realm.picture.combat_handles import WARRIOR
from realmtable.games.magic_realm.picture.counters import draw_shield, seat_style
from realmtable.games.magic_realm.picture.melee.counters import draw_counters, measure_counters
from realmtable.games.magic_realm.picture.melee.layout import (
    EDGE,
    HEADING,
    LINE,
    ROOM,
    Section,
    draw_lines,
)
from realmtable.games.magic_realm.picture.melee.queries import (
    ALL_AT_ONCE,
    FIGHTING,
    find_frame,
    find_weapon,
    format_goods,
    format_name,
    read_plays,
)
from realmtable.games.magic_realm.picture.style import text_element
from realmtable.games.magic_realm.text.conditions import count_chits, list_ailments
from realmtable.games.magic_realm.text.wording import capitalise
from realmtable.games.magic_realm.view_parts.combat_schema import CombatData, CounterData, WarriorData
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import SANS_BOLD, wrap_text

_NAME_LEFT: Final = EDGE + 44
_HEAD: Final = 44  # the least height of what can be clicked
_FATES: Final = {"ran": "has run away", "dead": "is dead"}


def draw_loose_monsters(counters: Sequence[CounterData]) -> Section:
    """Draw the monsters that are on no sheet; nothing if there are none."""
    if not counters:
        return Section([], 0)
    words = ". ".join(filter(None, ["On no sheet", list_boxes(counters)]))
    lines = wrap_text(words, 13, ROOM, SANS_BOLD)
    top = HEADING + LINE * (len(lines) - 1)
    parts = [*draw_lines(lines, 2, EDGE, "mr-bold"), *draw_counters(counters, top)]
    return Section(parts, top + measure_counters(len(counters)) + 2)


def draw_other_sheet(combat: CombatData, warrior: WarriorData) -> Section:
    """Draw the sheet of another character: what it does, and the counters that attack it."""
    counters = [counter for counter in combat["counters"] if counter["on"] == warrior["seat"]]
    lines = [
        line for text in _describe_warrior(combat, warrior, counters) for line in wrap_text(text, 13, ROOM - 54)
    ]  # fmt: skip
    head = max(_HEAD, 24 + LINE * len(lines)) + 2
    height = head + measure_counters(len(counters)) + 6 * bool(counters)
    parts = [
        element("rect", class_="mr-plate", x=EDGE - 4, y=0, width=ROOM + 8, height=height, rx=8),
        _draw_head(warrior, lines, head),
        *draw_counters(counters, head + 2),
    ]
    return Section(parts, height + 6)


def _draw_head(warrior: WarriorData, lines: Sequence[str], height: float) -> Element:
    return element(
        "g",
        draw_hero(warrior, EDGE + 20, 23, 1.5),
        text_element(warrior["character"], _NAME_LEFT, 18, 15, "mr-left mr-bold mr-letter"),
        *draw_lines(lines, 21, _NAME_LEFT, "mr-soft"),
        element("rect", class_="mr-area", x=EDGE, y=3, width=ROOM, height=height - 5, rx=6),
        role="button",
        tabindex=-1,
        data_handle=f"{WARRIOR}{warrior['character']}",
        aria_label=". ".join([warrior["character"], *lines]),
    )


def draw_hero(warrior: WarriorData, across: float, down: float, scale: float) -> Element:
    """Draw the shield of a character, with a leaf if it is hidden."""
    if not warrior["hidden"]:
        return draw_large_shield(warrior["character"], warrior["seat"], across, down, scale)
    return element(
        "g",
        *draw_shield(warrior["character"], is_hidden=True),
        class_=f"mr-hides {seat_style(warrior['seat'])}",
        transform=f"translate({across:g} {down:g}) scale({scale:g})",
    )


def _describe_warrior(combat: CombatData, warrior: WarriorData, counters: Sequence[CounterData]) -> list[str]:
    if warrior["fate"] != FIGHTING:
        return [_FATES[warrior["fate"]]]
    gear, weapon = find_weapon(warrior)
    side = "" if gear is None else ", alerted" if gear["alerted"] else ", unalerted"
    first = [f"{format_goods(weapon.name)}{side}"]
    first += ["hidden"] if warrior["hidden"] else []
    first += list_ailments(warrior["curses"], is_berserk=warrior["berserk"])
    first += [*filter(None, [count_chits(warrior["chits"])])]
    if find_frame(combat)[0] == ALL_AT_ONCE:
        first.append("ready" if warrior["ready"] else "is choosing")
    return [*filter(None, [" · ".join(first), *describe_aims(warrior), _describe_plays(warrior), list_boxes(counters)])]


def describe_aims(warrior: WarriorData) -> list[str]:
    """Return whom a character charges and attacks."""
    target, charged = warrior["target"], warrior["charges"]
    found = [f"Charges the {charged}"] if charged else []
    return [*found, f"Attacks {format_name(target)}"] if target else found


def _describe_plays(warrior: WarriorData) -> str:
    """Return the plays of a melee as far as they are known."""
    plays = read_plays(warrior)
    words = [
        f"{plays.attack}s with {plays.fight}".replace("smashs", "smashes") if plays.attack else "",
        f"{plays.maneuver}s with {plays.move}" if plays.move else "",
        f"shield against {plays.shield}" if plays.shield else "",
    ]
    return capitalise(", ".join(filter(None, words)))


def list_boxes(counters: Sequence[CounterData]) -> str:
    """Return which counters lie in which boxes; empty before they do."""
    rows = {
        box: [format_name(counter["name"]) for counter in counters if counter["box"] == box] for box in DIRECTIONS
    }  # fmt: skip
    return " · ".join(f"{box.capitalize()}: {', '.join(names)}" for box, names in rows.items() if names)
