"""The parts of the viewer's turn: the phases of the day, or what a round of combat consists of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import TurnStep
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import ANY_ACTIVITY, PEER_AFAR
from realmtable.games.magic_realm.day_rules.phases import ACTIVITIES, BLANK
from realmtable.games.magic_realm.text.combat_queries import find_own, list_attackers
from realmtable.games.magic_realm.text.wording import find_kind, format_counter, format_place
from realmtable.games.magic_realm.world.step_text import PHASE_VERBS, is_pony_move, parse_step
from realmtable.games.magic_realm.world.steps import Step

VERB_ICONS: Final = {
    "M": "move", "H": "hide", "S": "search", "R": "rest", "A": "alert", "P": "peer", "F": "follow", "-": "blank",
}  # fmt: skip
_VERBS: Final = {activity: verb for verb, activity in ACTIVITIES.items()}
BASIC, SUNLIGHT, EXTRA, PONY = "basic", "sunlight", "extra", "pony"
CLASH: Final = 4
COMBAT_KINDS: Final = {
    "quiet": 0, "lure": 0, "charge": 1, "act": 1, "aim": 2, "play": 3, "fatigue": CLASH, "wounds": CLASH, "look": CLASH,
}  # fmt: skip


def turn_steps(view: View) -> list[TurnStep]:
    """Return the phases of the viewer's day or the parts of their round of combat; none outside of their turn."""
    question = view["question"]
    if question is None or view["own"] is None:
        return []
    if view["combat"] is not None:
        return _list_combat_steps(view)
    if question["kind"] == "write":
        return [*_list_planned(view), *_list_free(view)]
    if view["doing"]["turn"] != view["viewer"]:
        return []
    return [*_list_acted(view), *(_list_free(view) if question["kind"] == "choose" else ())]


# ---- the day


class Slots(NamedTuple):
    """Which phase each part of a plan uses, and the phases that are left."""

    used: list[str]
    extra: list[str]  # their activities
    basic: int
    sunlight: int


def _fill_slots(view: View, plan: Sequence[Step]) -> Slots:
    """Assign phases as they are used: extra ones first, sunlight last (D5)."""
    own, used = view["own"], []
    extra, left = [*own["extra"]], {BASIC: own["basic"], SUNLIGHT: 0 if _why_dark(view) else own["sunlight"]}
    for step in plan:
        activity = ACTIVITIES.get(step.verb, BLANK)
        fitting = next((kind for kind in (activity, ANY_ACTIVITY) if kind in extra), "")
        if is_pony_move(step):
            used.append(PONY)
        elif fitting:
            extra.remove(fitting)
            used.append(EXTRA)
        else:
            source = next((source for source in left if left[source] and activity != PEER_AFAR), "")
            used.append(source)
            if source:
                left[source] -= 1
    return Slots(used, extra, left[BASIC], left[SUNLIGHT])


def _why_dark(view: View) -> str:
    """Return why there are no sunlight phases; empty if there are (D4)."""
    at = view["players"][view["viewer"]]["at"]
    moves = [text.split()[1] for text in view["own"]["plan"] if text.startswith("M ")]
    if any(find_kind(place) == "cave" for place in (at, *moves)):
        return translate("in a cave")
    return "" if view["own"]["sunlight"] else translate("no sunlight")


def _name_source(source: str) -> str:
    names = {
        BASIC: translate("basic"),
        SUNLIGHT: translate("sunlight"),
        EXTRA: translate("extra"),
        PONY: translate("pony"),
    }
    return names.get(source, "")


def name_step(step: Step) -> str:
    """Return a phase in one or two words: the clearing of a Move, or the activity."""
    if step.verb == "M":
        return format_place(parse_place(step))
    if step.verb == "F":
        return translate("Follow {character}", character=load_catalog().characters[step.args[0]].name)
    return name_activity(step.verb)


def name_activity(verb: str) -> str:
    """Return an activity in one word."""
    return {
        "M": translate("Move"),
        "H": translate("Hide"),
        "S": translate("Search"),
        "R": translate("Rest"),
        "A": translate("Alert"),
        "P": translate("Peer"),
        "F": translate("Follow"),
        "-": translate("Blank"),
    }[verb]


def parse_place(step: Step) -> str:
    """Return the clearing of a Move as views write it."""
    return load_catalog().names.by_number("clearing")[step.args[0]]


def _list_planned(view: View) -> Iterator[TurnStep]:
    """Yield the phases that have been written."""
    plan = [parse_step(text) for text in view["own"]["plan"]]
    for step, source in zip(plan, _fill_slots(view, plan).used, strict=True):
        note = translate("all day") if step.verb == "F" else _name_source(source)
        yield TurnStep(name_step(step), note, "done", VERB_ICONS[step.verb])


def _list_acted(view: View) -> Iterator[TurnStep]:
    """Yield the phases of the day that have been done or are still to come."""
    own, question = view["own"], view["question"]
    plan = [parse_step(text) for text in own["plan"]]
    sources = [BASIC if name == "basic" else SUNLIGHT if name == "sunlight" else EXTRA for name in own["used"]]
    for number, step in enumerate(plan):
        title, icon = name_step(step), VERB_ICONS[step.verb]
        # A phase for which there was no source is lost (D5), and the view does not say which one that was.
        source = sources[number] if number < len(sources) and len(sources) >= own["phase"] else ""
        if number + 1 == question["phase"]:
            yield TurnStep(title, _name_source(source) or translate("now"), "now", icon)
        elif number < own["phase"]:
            yield TurnStep(title, _name_source(source) or translate("done"), "done", icon)
        elif view["players"][view["viewer"]]["blocked"]:
            yield TurnStep(title, translate("blocked"), "lost", icon)
        else:
            yield TurnStep(title, translate("later"), "later", icon)


def _list_free(view: View) -> Iterator[TurnStep]:
    """Yield the phases for which nothing has been chosen, and the sunlight phases that are lost."""
    own, plan = view["own"], [parse_step(text) for text in view["own"]["plan"]]
    if plan and plan[0].verb == "F":
        return
    slots = _fill_slots(view, plan)
    free = [(EXTRA, activity) for activity in slots.extra]
    free = [(BASIC, "")] * slots.basic + [(SUNLIGHT, "")] * slots.sunlight + free
    can_choose = any(text.split()[0] in PHASE_VERBS for text in view["question"]["moves"])
    for number, (source, activity) in enumerate(free):
        verb = _VERBS.get(activity, "")
        is_now = can_choose and number == 0
        words = translate("Choose") if is_now and not verb else name_activity(verb) if verb else ""
        icon = VERB_ICONS.get(verb, "choose" if is_now else "daylight" if source == SUNLIGHT else "blank")
        yield TurnStep(words or translate("Free"), _name_source(source), "now" if is_now else "later", icon)
    dark = _why_dark(view)
    lost = load_catalog().numbers.sunlight_phases if dark else 0
    used = own["used"].count(SUNLIGHT)
    yield from [TurnStep(translate("Lost"), dark, "lost", "daylight")] * max(0, lost - used)


# ---- combat


def _list_combat_steps(view: View) -> list[TurnStep]:
    """Return the parts of a round of combat."""
    now = COMBAT_KINDS[view["doing"]["kind"]]
    own = find_own(view)
    titles = (
        (translate("Lure"), "lure", _name_all(view) or translate("no one")),
        (translate("Act"), "act", _say_action(own, is_over=now == CLASH)),
        (translate("Aim"), "aim", _name_shortly(own["target"]) if own["target"] else translate("no one")),
        (translate("Blows"), "blows", translate("chosen")),
        (translate("Clash"), "clash", translate("dice")),
    )
    return [
        TurnStep(title, *_note_part(number, now, note), icon=icon) for number, (title, icon, note) in enumerate(titles)
    ]


def _note_part(number: int, now: int, chosen: str) -> tuple[str, Any]:
    if number < now:
        return chosen, "done"
    return (translate("now"), "now") if number == now else ("", "later")


def _name_all(view: View) -> str:
    """Return the monsters on the viewer's sheet."""
    names = [counter["monster"] for counter in list_attackers(view) if counter["name"] == counter["monster"]]
    if len(names) > 1:
        return translate_count("{count} monster", "{count} monsters", len(names))
    return _name_shortly(names[0]) if names else ""


def _name_shortly(target: str) -> str:
    """Return a character, or a monster without its size.

    >>> _name_shortly("H Dragon-1"), _name_shortly("Giant-1 club"), _name_shortly("Elf")
    ('Dragon 1', "Giant 1's club", 'Elf')
    """
    return format_counter(target.removeprefix("H ").removeprefix("T "))


def _say_action(own: Mapping[str, Any], *, is_over: bool) -> str:
    """Say what a character has done in the encounter; once the melee is over, its pieces are among those played."""
    if own["charges"]:
        return translate("charged {character}", character=own["charges"])
    if is_over:
        return translate("done")
    return translate("used {piece}", piece=own["played"][0]) if own["played"] else translate("stayed")
