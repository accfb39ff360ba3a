"""Draw combat in a clearing: the viewer's sheet, and around it everyone else who takes part."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.picture.emblems import draw_emblem
from realmtable.games.magic_realm.picture.melee.columns import draw_columns
from realmtable.games.magic_realm.picture.melee.conditions import draw_conditions
from realmtable.games.magic_realm.picture.melee.counters import BOOT, SWORD, draw_counters, measure_counters
from realmtable.games.magic_realm.picture.melee.layout import (
    EDGE,
    HEADING,
    LINE,
    ROOM,
    WIDTH,
    Section,
    draw_heading,
    draw_lines,
    stack,
)
from realmtable.games.magic_realm.picture.melee.log import draw_log
from realmtable.games.magic_realm.picture.melee.other_sheets import (
    describe_aims,
    draw_hero,
    draw_loose_monsters,
    draw_other_sheet,
)
from realmtable.games.magic_realm.picture.melee.pieces import draw_all_chits, draw_gear, draw_hand
from realmtable.games.magic_realm.picture.melee.queries import (
    ALL_AT_ONCE,
    CHANCE_KINDS,
    FIGHTING,
    LOOK,
    QUIET,
    STAGES,
    find_frame,
    find_main_warrior,
    find_stage,
)
from realmtable.games.magic_realm.picture.style import MAP_STYLE, text_element
from realmtable.games.magic_realm.text.wording import capitalise
from realmtable.games.magic_realm.view_parts.combat_schema import CombatData, WarriorData
from realmtable.kit.map_picture import Box
from realmtable.kit.svg import Element, element, name_parts, parted_element
from realmtable.kit.text_metrics import wrap_text

_SHOWS_LOG: Final = ("Lure", "Charge", "Act", "Fatigue")  # stages in which the latest melee is still of interest
_SHOWS_PLAYS: Final = ("Play", "Melee")
_STEP_HEIGHT: Final = 22
_MARGIN: Final = 4


def shows_combat(view: View) -> bool:
    """Whether the picture of a view is a melee sheet."""
    return find_main_warrior(view) is not None


def draw_melee(view: View, theme: str, title: str) -> Element:
    """Return combat as a complete SVG document; `shows_combat` must be true."""
    warrior = find_main_warrior(view)
    assert warrior is not None  # noqa: S101 - for the type checker
    whole = stack(_list_sections(view["combat"], warrior, warrior["seat"] == view["viewer"]))
    box = Box(0, -_MARGIN, WIDTH, whole.height + 2 * _MARGIN)
    sea = element("rect", class_="mr-sea", y=-_MARGIN, width=WIDTH, height=box.high)
    return MAP_STYLE.make_document(
        box,
        theme,
        {
            "title": element("title", title),
            "sea": sea,
            "sections": parted_element("g", "sections", name_parts(whole.parts, "section"), {"class_": "mr-places"}),
        },
        {"role": "group", "aria_label": title, "data_noun": "piece", "data_tall": "", "data_explains": ""},
    )


def _list_sections(combat: CombatData, warrior: WarriorData, is_own: bool) -> list[Section]:
    stage = find_stage(combat)
    counters = [counter for counter in combat["counters"] if counter["on"] == warrior["seat"]]
    waiting = [counter for counter in counters if not counter["box"]]
    others = [draw_other_sheet(combat, other) for other in combat["warriors"] if other["seat"] != warrior["seat"]]
    sections = [_draw_header(combat, warrior, is_own), draw_conditions(warrior)]
    if find_frame(combat)[0] == QUIET:  # who is there matters most for whether to begin a round
        sections += others
        others = []
    if combat["last"] is not None and stage in _SHOWS_LOG:
        sections.append(draw_log(combat["last"]))
    sections.append(draw_loose_monsters([counter for counter in combat["counters"] if counter["on"] is None]))
    if waiting:
        words = "Attackers on your sheet" if is_own else f"Attackers of the {warrior['character']}"
        parts = [draw_heading(words), *draw_counters(waiting, HEADING)]
        sections.append(Section(parts, HEADING + measure_counters(len(waiting)) + 2))
    sections.append(_draw_legend())
    sections.append(draw_columns(warrior, counters, is_own, stage in _SHOWS_PLAYS))
    sections.append(
        draw_all_chits(warrior, is_own) if stage == "Fatigue" else draw_hand(combat, warrior, is_own)
    )  # fmt: skip
    sections.append(draw_gear(warrior, is_own))
    return sections + others


def _draw_legend() -> Section:
    """Say what the signs mean, and when an attack hits (C15)."""
    parts = [
        draw_emblem(SWORD, EDGE + 8, 9, 7, "mr-sign"),
        text_element("attack: time and harm", EDGE + 20, 14, 13, "mr-left mr-soft"),
        draw_emblem(BOOT, EDGE + 196, 9, 6, "mr-sign"),
        text_element("move: time", EDGE + 208, 14, 13, "mr-left mr-soft"),
        text_element("An attack hits in its own column, or if it is faster.", EDGE, 31, 13, "mr-left mr-soft"),
    ]
    return Section(parts, 38)


# ---- the header


def _draw_header(combat: CombatData, warrior: WarriorData, is_own: bool) -> Section:
    """Draw who fights, the round, whose turn it is, and the steps of the round."""
    lines = [
        line
        for text in [_describe_turn(combat, warrior, is_own), *_describe_state(combat, warrior)]
        for line in wrap_text(text, 13, ROOM - 58)
    ]
    down = max(50.0, 24 + LINE * len(lines) + 6)
    parts = [
        draw_hero(warrior, EDGE + 24, 26, 1.9),
        text_element(warrior["character"], EDGE + 54, 19, 18, "mr-left mr-bold mr-letter"),
        text_element(f"Round {combat['round']}", WIDTH - EDGE, 19, 15, "mr-right mr-bold"),
        *draw_lines(lines, 23, EDGE + 54),
        element("g", *_draw_stages(find_stage(combat), down)),
    ]
    return Section(parts, down + _STEP_HEIGHT + 6)


def _draw_stages(now: str, top: float) -> list[Element]:
    """Draw the steps of a round, the present one filled."""
    wide = ROOM / len(STAGES)
    drawn = []
    for number, stage in enumerate(STAGES):
        kind = "mr-step" + " mr-now" * (stage == now)
        left = EDGE + number * wide
        drawn.append(element("rect", class_=kind, x=left + 1, y=top, width=wide - 2, height=_STEP_HEIGHT, rx=5))
        drawn.append(
            text_element(stage, left + wide / 2, top + 15.5, 12, "" if stage == now else "mr-soft")
        )  # fmt: skip
    return drawn


def _describe_turn(combat: CombatData, warrior: WarriorData, is_own: bool) -> str:
    kind, seat = find_frame(combat)
    if kind == ALL_AT_ONCE:
        busy = [other for other in combat["warriors"] if other["fate"] == FIGHTING and not other["ready"]]
        if is_own and warrior in busy:
            return "Your turn: choose in secret"
        return f"Waiting for the {' and the '.join(other['character'] for other in busy)}"
    if kind == LOOK:
        return "Combat is over"
    if kind in CHANCE_KINDS:
        return "The dice decide"
    if seat == warrior["seat"] and is_own:
        return "Your turn"
    name = next(other["character"] for other in combat["warriors"] if other["seat"] == seat)
    return f"The {name}'s turn"


def _describe_state(combat: CombatData, warrior: WarriorData) -> list[str]:
    """Return what matters about a character besides its chits and belongings."""
    if warrior["fate"] != FIGHTING:
        return ["Has run away" if warrior["fate"] == "ran" else "Dead"]
    words = ["hidden"] * warrior["hidden"]
    wounds = warrior["wounds"]
    words += [f"{wounds} wound{'s' * (wounds > 1)} to take"] if wounds else []
    charges = [
        f"The {attacker} charges with {piece}"
        for attacker, target, piece in combat["charges"]
        if target == warrior["character"]
    ]
    is_over = find_frame(combat)[0] == LOOK
    return [*filter(None, [capitalise(" · ".join(words)), *([] if is_over else describe_aims(warrior)), *charges])]
