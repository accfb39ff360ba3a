"""What a player is asked to do, in one sentence, with the clause that explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from realmtable.engine.protocol import Prompt, View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.text.combat_prompts import ask_in_combat, title_combat
from realmtable.games.magic_realm.text.describe import name_phase
from realmtable.games.magic_realm.text.setup_prompts import (
    PromptText,
    ask_for_character,
    ask_for_giver,
    ask_for_new_character,
    ask_for_secret_choices,
    count_gear,
)
from realmtable.games.magic_realm.text.wording import describe_values, format_kind, format_place
from realmtable.games.magic_realm.world.step_text import PHASE_VERBS, parse_step
from realmtable.kit.wording import format_count, join_words

TITLES: Final = {"setup": "Set-up", "birdsong": "Birdsong", "daylight": "Daylight", "evening": "Evening"}

BOTH_BLOCKED: Final = "; you both do nothing more today"
CHANGES: Final = ("activate ", "pack ", "leave ")  # what can be done with belongings (D25)


def prompt(view: View) -> Prompt | None:
    """Return what the viewer is asked to do; None if they are not to act."""
    question = view["question"]
    if question is None:
        return None
    ask = _QUESTIONS[question["kind"]] if view["combat"] is None else ask_in_combat
    text, clause = ask(view)
    return Prompt(_title(view, question), text, _progress(view, question), clause)


def _title(view: View, question: Mapping[str, Any]) -> str:
    if view["combat"] is not None:
        return title_combat(view)
    if question["phase"]:
        of = f" of {question['phases']}" if question["phases"] else _limit_phases(view, question)
        name = f": {name_phase(parse_step(question['activity']))}" if question["activity"] else ""
        return f"Phase {question['phase']}{of}{name}"
    turn = view["doing"]["turn"]
    if turn is not None and turn != view["viewer"]:
        return f"The turn of the {view['players'][turn]['character']}"
    day = f"Day {view['day']} of {view['last_day']}, " if view["day"] else ""
    part = TITLES[view["part"]]
    if question["kind"] in ("gear", "outfit"):
        return f"{part}: piece {' of '.join(map(str, count_gear(view)))} of your gear"
    return f"{day}{part.lower()}" if day else part


def _limit_phases(view: View, question: Mapping[str, Any]) -> str:
    """Say how many phases the day may have, where they are chosen one by one; with a pony, that is open."""
    own = view["own"]
    most = max(question["phase"], own["basic"] + own["sunlight"] + len(own["extra"]))
    return "" if own["pony"] else f" of up to {most}"


def _progress(view: View, question: Mapping[str, Any]) -> tuple[int, int] | None:
    if question["phases"]:
        return question["phase"], question["phases"]
    if question["kind"] in ("secrets", "goals"):
        total = sum(view["own"]["points"].values()) + view["own"]["points_left"]
        return min(total, total - view["own"]["points_left"] + 1), total
    return count_gear(view) if question["kind"] in ("gear", "outfit") else None


# ---- questions


def _write(view: View) -> PromptText:
    plan = view["own"]["plan"]
    if view["recording"] == "as_you_go":
        guides = any(text.startswith("F ") for text in view["question"]["moves"])
        return f"Begin the day{', or choose someone to follow' * guides}.", "B2"
    if plan and plan[0].startswith("F "):
        return "Choose that your day is ready, or take back your choice to follow.", "B4"
    if not plan:
        usual = "Choose a clearing to move to, or another activity, for the first phase of your day."
        return _mention_site(view) or usual, "B2"
    written = format_count(len(plan), "phase")
    if not any(text.split()[0] in PHASE_VERBS for text in view["question"]["moves"]):
        return f"Choose that your day is ready: it is full ({written}).", "B3"
    return f"Choose your next phase ({written} written), or that your day is ready.", "B3"


def _choose_phase(view: View) -> PromptText:
    return _mention_site(view) or "Move to a clearing, choose an activity, or end your turn.", "D28"


def _mention_site(view: View) -> str:
    """Ask for a phase and say where there is something to loot, as long as the character has no treasure."""
    catalog, player = load_catalog(), view["players"][view["viewer"]]
    if any(thing["back"] for thing in player["goods"]):
        return ""
    character = catalog.characters[catalog.names.by_name("character")[player["character"]]]
    if any(effect.verb == "magic_sight" for effect in character.effects):
        return ""  # it must be used instead (D22)
    for site, place in list_sites_to_loot(view):
        if place == player["at"]:
            return f"Choose Search to loot the {site} here, or something else."
        return f"Choose a clearing or an activity; you can loot the {site} in {format_place(place)}."
    return ""


def list_sites_to_loot(view: View) -> Iterator[tuple[str, str]]:
    """Yield the sites that the viewer has discovered and that are open and not empty, with their clearings."""
    catalog = load_catalog()
    full = [box["name"] for box in view["boxes"] if box["is_site"] and box["goods"]]
    for chit in view["map"]["chits"]:
        if chit["name"] in full and chit["name"] in view["own"]["sites"]:
            found = catalog.map_chits[catalog.names.by_name("map chit")[chit["name"]]]
            if found.loot_cost != "open" or _is_opened(view, chit["name"]):
                yield chit["name"], f"{chit['tile']}{found.clearing}"


def _is_opened(view: View, site: str) -> bool:
    return any(box["name"] == site and box["opened"] for box in view["boxes"])


def _arrange(view: View) -> PromptText:
    if any(text.startswith(CHANGES) for text in view["question"]["moves"]):
        return "Choose Continue, or first change something under Bag.", "D25"
    return "Choose Continue.", "D25"


def _search(view: View) -> PromptText:
    moves = view["question"]["moves"]
    names = [name for verb, name in (("peer", "Peer"), ("locate", "Locate"), ("sight", "Magic Sight")) if verb in moves]
    names += ["Loot"] * any(text.startswith("loot") for text in moves)
    tables = join_words(names, "or")
    far = " here, or a clearing to peer at" if any(text.startswith("peer ") for text in moves) else ""
    return f"Choose how to search: {tables}{far}.", "D17" if far else "D16"


def _exchange(view: View) -> PromptText:
    if "exchange" in view["question"]["moves"]:
        return "Choose whether to show everyone the chit that you found and exchange it.", "D18"
    return "Put the chits back.", "D18"


def _take(view: View) -> PromptText:
    kind = "treasure card" if view["doing"]["about"] == "card" else "weapon, armour or horse"
    return f"Choose where to take the top {kind}, or take nothing.", "D22"


def _decide_find(view: View) -> PromptText:
    can_activate = "activate" in view["question"]["moves"]
    name = view["doing"]["about"].replace("-", " ")
    facts = describe_values(view["doing"]["about"])
    known = f" ({facts})" if facts else ""
    return f"Keep{', activate' * can_activate} or leave {name}{known}.", "D20"


def _block(view: View) -> PromptText:
    """Say whom can be blocked; only a character whose turn is not over loses it (L3, L5)."""
    names = [text.removeprefix("block ") for text in view["question"]["moves"] if text != "pass"]
    if len(names) == 1:
        whom = format_kind(names[0]).replace("-", " ")
        return f"Choose whether to block the {whom}{BOTH_BLOCKED}.", _block_clause(view)
    return f"Choose whom to block, or block no one{BOTH_BLOCKED}.", _block_clause(view)


def _block_clause(view: View) -> str:
    return "L4" if view["question"]["kind"] == "meet" else "L3"


def _alert(view: View) -> PromptText:
    moves = view["question"]["moves"]
    verbs = {"alert": "alert your weapon", "unalert": "unalert your weapon", "berserk": "go berserk"}
    names = [name for verb, name in verbs.items() if verb in moves]
    return f"Choose whether to {' or '.join(names)}{', or pass' * ('pass' in moves)}.", "D14"


def _rest(view: View) -> PromptText:
    text = "Choose a chit to rest"
    return text + (", or stop resting." if "enough" in view["question"]["moves"] else "."), "D15"


def _pick(view: View) -> PromptText:
    return f"Choose a result for {format_place(view['doing']['at'])}.", "D18"


def _ask(text: str, clause: str) -> Callable[[View], PromptText]:
    """Return a question that is always the same."""
    return lambda _: (text, clause)


_QUESTIONS: Final[Mapping[str, Callable[[View], PromptText]]] = {
    "tile": _ask("Choose a tile to lay.", "M3"),
    "place": lambda view: (f"Choose a place for {view['doing']['about']}.", "M1"),
    "angle": lambda view: (f"Choose how to turn {view['doing']['about']}.", "M1"),
    "be": ask_for_character,
    "gear": ask_for_giver,
    "secrets": ask_for_secret_choices,
    "life": ask_for_new_character,
    "outfit": ask_for_giver,
    "goals": ask_for_secret_choices,
    "write": _write,
    "moment": _ask("Choose whether to take your turn now or later.", "D1"),
    "choose": _choose_phase,
    "arrange": _arrange,
    "along": _ask("Choose whether to go along with your guide or stop following.", "D24"),
    "shed": _ask("Choose a follower to leave behind, or move on with the others.", "D24"),
    "search": _search,
    "pick": _pick,
    "exchange": _exchange,
    "take": _take,
    "force": lambda view: (f"Choose what opens the {view['doing']['about']}.", "D19"),
    "pay": _ask("Choose a chit with a star to fatigue.", "W1"),
    "found": _decide_find,
    "to": _ask("Choose a cave clearing to go to.", "T5"),
    "rest": _rest,
    "block": _block,
    "meet": _block,
    "alerting": _alert,
    "tidy": _ask("Choose Continue, or rearrange your belongings after combat.", "Q1"),
}
