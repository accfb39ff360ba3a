"""Draw the strikes of the latest melee, one after the other: hits, misses and cancelled hits have different signs."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.picture.emblems import star_path
from realmtable.games.magic_realm.picture.melee.layout import (
    EDGE,
    HEADING,
    LINE,
    ROOM,
    Section,
    draw_heading,
    draw_lines,
)
from realmtable.games.magic_realm.picture.melee.style import APPEAR, BEATS
from realmtable.games.magic_realm.picture.style import text_element
from realmtable.games.magic_realm.text.wording import capitalise
from realmtable.games.magic_realm.view_parts.combat_schema import MeleeData, StrikeData
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import SANS_BOLD, wrap_text

_SIGNS: Final = {
    "struck": ("mr-hit", star_path(8, 10, 5.5)),
    "missed": ("mr-miss", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0zM-5.5 5.5L5.5-5.5"),
    "cancelled": ("mr-void", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0z"),
}
_WORDS: Final = {"struck": "Hit", "missed": "Miss", "cancelled": "Cancelled"}
_PARTS: Final = ("head", "club")
_TEXT_LEFT: Final = EDGE + 32


def draw_log(melee: MeleeData) -> Section:
    """Draw what happened in a melee."""
    rows, down = [], float(HEADING + 2)
    for number, strike in enumerate(melee["strikes"]):
        row, height = _draw_strike(strike, strike["target"] in melee["deaths"], min(number, BEATS - 1), down)
        rows.append(row)
        down += height
    if not melee["strikes"]:
        rows.append(text_element("Nobody attacked.", EDGE, down + 12, 13, "mr-left mr-soft"))
        down += LINE
    heading = draw_heading(f"Melee of round {melee['round']}")
    # A page recognises the melee by its id and shows a new one from the beginning.
    group = element("g", heading, *rows, id=f"mr-melee-{melee['round']}", role="list", aria_label="Strikes")
    return Section([group], down + 6)


def _draw_strike(strike: StrikeData, is_deadly: bool, beat: int, top: float) -> tuple[Element, float]:
    kind, sign = _SIGNS[strike["status"]]
    verdict = _describe_outcome(strike, is_deadly)
    heading = wrap_text(verdict, 13, ROOM - 44, SANS_BOLD)
    lines = wrap_text(capitalise(strike["text"].partition(": ")[2]).replace("-", " "), 13, ROOM - 44)
    height = LINE * (len(heading) + len(lines)) + 6
    row = element(
        "g",
        element("path", class_=kind, d=sign, transform=f"translate({EDGE + 14} {top + height / 2 - 3:g})"),
        *draw_lines(heading, top, _TEXT_LEFT, "mr-bold"),
        *draw_lines(lines, top + LINE * len(heading), _TEXT_LEFT),
        class_=f"{APPEAR} mr-beat{beat}" if beat else APPEAR,
        role="listitem",
        aria_label=f"{verdict}. {strike['text']}",
    )
    return row, height


def _describe_outcome(strike: StrikeData, is_deadly: bool) -> str:
    """Return "Hit, kills: Giant 1 club → Elf"; a strike that only kills the horse is no kill."""
    more = ", kills" if strike["kills"] and is_deadly else ", wounds" if strike["wounds"] else ""
    part = strike["source"].rpartition(" ")[2].lower()
    attacker = f"{strike['attacker']} {part}" if part in _PARTS else strike["attacker"]
    names = f"{attacker} → {strike['target']}".replace("-", " ")
    return f"{_WORDS[strike['status']]}{more}: {names}"
