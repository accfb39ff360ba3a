"""The clicks that make a step: a clearing to go to, an action chit to use, or a button.

A handle is a clearing (``BV4``), an action chit of the viewer (``chit:active Move M3*``), an activity (``phase:R``),
``pony`` or ``P`` before a clearing, or else the text of a step (``be Elf``, ``loot Hoard``). The picture draws ``be``,
``tile``, ``place`` and ``turn`` steps, the Character panel the chits, and other panels have rows for what can be done
with belongings and for orders; the other steps are buttons. Tiles (``tile:CG``) and characters (``Elf``) can be looked
at, but begin no step. `combat_handles` has the clicks of combat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.engine.protocol import HandlePath, View
from realmtable.games.magic_realm.picture import chit_handles
from realmtable.games.magic_realm.picture.chit_handles import find_chit
from realmtable.games.magic_realm.picture.combat_handles import find_combat_path
from realmtable.games.magic_realm.world.step_text import PHASE_VERBS, VERBS, format_step, is_pony_move
from realmtable.games.magic_realm.world.steps import Step

CHIT: Final = chit_handles.CHIT
PHASE: Final = "phase:"  # before an activity without a place
IDLE_ALERT: Final = "idle:A"  # Alert while it has no effect, because combat is not played (D14)
PONY: Final = "pony"
TELESCOPE: Final = "P"
TO_CLEARING: Final = ("M", "P", "peer", "to")
# For each verb that uses action chits: the states in which the first and the second one are.
CHIT_STATES: Final = {
    "tire": (("active",), ("fatigued",)),
    "rest": (("fatigued", "wounded"), ("active",)),
    "force": (("active",),),
    "wound": (("active", "fatigued"),),
}
GOODS_VERBS: Final = ("activate", "pack", "leave")
CONFIRMED: Final = ("be", "leave", "F")  # these show a card first, lose something or decide a whole day


def handles(view: View, step: Step) -> HandlePath:
    """Return what to click for a step."""
    text = format_step(step)
    if path := find_combat_path(view, step):
        return path
    if step.verb in TO_CLEARING and step.args:
        clearing = VERBS[step.verb][0].write(step.args[0])
        before = PONY if is_pony_move(step) else TELESCOPE if step.verb == TELESCOPE else ""
        return (before, clearing) if before else (clearing,)
    if step.verb in CHIT_STATES:
        names = [kind.write(number) for kind, number in zip(VERBS[step.verb], step.args, strict=False)]
        chits = [find_chit(view, *found) for found in zip(names, CHIT_STATES[step.verb], strict=False)]
        return tuple(chits) if all(chits) else (text,)
    if step.verb in PHASE_VERBS and not step.args:
        return _path_to_phase(view, text)
    if step.verb == "go" or (step.verb in CONFIRMED and step.args):
        return text, text  # a second click confirms it: one to look at the card, or against mistakes
    return (text,)


def _path_to_phase(view: View, text: str) -> HandlePath:
    """Return what to click for an activity without a place; a second click confirms one that has no effect."""
    if text == "A" and not view.get("combat_rules"):
        return IDLE_ALERT, IDLE_ALERT
    return (f"{PHASE}{text}",) * (2 if text == "-" else 1)


def list_handles(view: View, steps: Sequence[Step]) -> list[HandlePath]:
    """Return what to click for each step."""
    return [handles(view, step) for step in steps]
