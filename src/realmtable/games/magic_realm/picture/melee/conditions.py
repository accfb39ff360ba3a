"""Draw a sign and a sentence for each curse, damaged piece and the like on a melee sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from realmtable.games.magic_realm.combat_rules.harm import name_level
from realmtable.games.magic_realm.picture.counters import SHIELD
from realmtable.games.magic_realm.picture.emblems import draw_emblem
from realmtable.games.magic_realm.picture.melee.layout import EDGE, LINE, ROOM, Section, draw_lines
from realmtable.games.magic_realm.picture.melee.queries import format_goods, list_armor
from realmtable.games.magic_realm.text.conditions import BERSERK, CURSE_EFFECTS
from realmtable.games.magic_realm.view_parts.combat_schema import WarriorData
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import wrap_text

_EYE: Final = (
    "M-10 0Q0-10 10 0 0 10-10 0zM-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0z"
)
_FLAME: Final = "M0-10C2-5 7-3 6 3A6 6 0 0 1-6 3C-6 0-4-1-3-4-1-3 0-1 1 1 2-3 0-6 0-10z"
_CRACK: Final = f"{SHIELD}M1-10L-3-2 1 0-2 9 0 9 4-2 0-4 4-10z"
_TEXT_LEFT: Final = EDGE + 22


class _Condition(NamedTuple):
    sign: str
    text: str


def draw_conditions(warrior: WarriorData) -> Section:
    """Draw what hampers or helps a character; nothing if there is nothing to say."""
    rows, down = [], 0.0
    for sign, text in _list_conditions(warrior):
        lines = wrap_text(text, 13, ROOM - 26)
        rows.append(_draw_row(sign, lines, down))
        down += LINE * len(lines) + 4
    return Section(rows, down + 4 * bool(rows))


def _list_conditions(warrior: WarriorData) -> Iterator[_Condition]:
    for curse in warrior["curses"]:
        yield _Condition(_EYE, f"Cursed with {curse}: {CURSE_EFFECTS[curse]}")
    if warrior["berserk"]:
        yield _Condition(_FLAME, f"Berserk: {BERSERK}")
    for piece in list_armor(warrior):
        if piece.damaged:
            strength = name_level(piece.toughness)
            yield _Condition(_CRACK, f"{format_goods(piece.name)} damaged: another hit of {strength} destroys it")


def _draw_row(sign: str, lines: tuple[str, ...], top: float) -> Element:
    return element("g", draw_emblem(sign, EDGE + 9, top + 8, 7, "mr-sign"), *draw_lines(lines, top, _TEXT_LEFT))
