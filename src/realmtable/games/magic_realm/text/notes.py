"""Say in one sentence what a choice does, for players who do not know the rules by heart."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.picture.handles import IDLE_ALERT, PHASE
from realmtable.games.magic_realm.text.combat_notes import note_in_combat
from realmtable.games.magic_realm.text.setup_prompts import note_gear, note_goal
from realmtable.games.magic_realm.text.wording import GOAL_NAMES, find_kind

MOVE_QUESTIONS: Final = ("write", "choose")
NOTES: Final = {
    f"{PHASE}H": "Roll the dice: anything but a 6 hides you, and monsters do not see you.",
    f"{PHASE}S": "When the phase comes, you choose where to look: Peer, Locate or Loot.",
    f"{PHASE}R": "A fatigued chit becomes active again, or a wounded one gets better.",
    f"{PHASE}A": "You turn your active weapon over: an alerted one strikes differently, most often faster.",
    IDLE_ALERT: "Alert has no effect in games without combat.",
    f"{PHASE}-": "Nothing happens in this phase.",
    "peer": "You may find clues, hidden paths and hidden characters.",
    "locate": "You may find secret passages, clues and sites in this clearing.",
    "sight": "You may see counters, treasure cards and map chits.",
    "go": "The activity of this phase begins.",
    "run on": "You are not asked about your belongings again in this turn.",
    "pass": "You do nothing here.",
    "alert": "An alerted weapon usually strikes faster.",
    "berserk": "Until midnight, only tremendous harm kills you.",
    "exchange": "Everyone sees the chit, and what it stands for goes on the map.",
    "put back": "Only you know what you have seen.",
    "later": "You are asked again before the next character is drawn.",
    "ready": "You can no longer change your secret choices.",
}


def note(view: View, handle: str) -> str:
    """Return one sentence on what choosing a handle would do; empty if there is nothing to say."""
    question = view["question"]
    if question is None:
        return ""
    if view["combat"] is not None:
        return note_in_combat(view, handle)
    if handle == f"{PHASE}A" and not view["combat_rules"]:
        return "Alert has no effect in games without combat."
    names = load_catalog().names
    if handle in names.by_name("clearing"):
        return _describe_clearing(handle) if question["kind"] in MOVE_QUESTIONS else ""
    verb, _, rest = handle.partition(" ")
    if verb == "want" and rest in GOAL_NAMES:
        return note_goal(view, rest)
    if verb == "gear":
        return note_gear(handle)
    if verb == "block":
        return "You both become unhidden and do nothing more today, even if a turn is still to come."
    if handle == "go" and question["kind"] != "arrange":
        return ""
    return NOTES.get(handle, "")


def _describe_clearing(code: str) -> str:
    """Return what moving into a clearing takes."""
    return {
        "mountain": "Entering a mountain clearing takes two Moves in a row.",
        "cave": "You have no sunlight phases on a day when you enter a cave.",
    }.get(find_kind(code), "")
