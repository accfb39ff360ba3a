"""The clicks that make a step of combat (Z15): counters, characters, pieces and boxes of the melee sheet.

A monster, head or club is ``counter:Giant-1 club``, a character ``warrior:Elf``, a chit ``chit:active Move M3*`` and
any other piece ``piece:Pony-1 gallop``. ``box:swing`` is the middle column of the viewer's sheet, for attacks and for
manoeuvres; ``weapon`` and ``shield`` are the viewer's own. Where only the shield is missing, its box is enough.
``run:BV5`` is the button of a clearing to run to. Other steps of combat are buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from realmtable.engine.protocol import HandlePath, View
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.picture.chit_handles import find_chit
from realmtable.games.magic_realm.world.step_text import VERBS
from realmtable.games.magic_realm.world.steps import Step

BOX: Final = "box:"
COUNTER: Final = "counter:"
PIECE: Final = "piece:"
RUN: Final = "run:"
WARRIOR: Final = "warrior:"
SHIELD: Final = "shield"
WEAPON: Final = "weapon"
_PLAYED: Final = ("strike ", "evade ", "turn weapon ")  # steps that play a piece in the melee


def find_combat_path(view: View, step: Step) -> HandlePath:
    """Return what to click for a step of combat; empty if it is a button or the viewer has no part in it."""
    combat = view.get("combat")
    if not combat or step.verb not in _PATHS:
        return ()
    if all(warrior["seat"] != view["viewer"] for warrior in combat["warriors"]):
        return ()
    words = [kind.write(number) for kind, number in zip(VERBS[step.verb], step.args, strict=True)]
    return _PATHS[step.verb](view, *words)


def box_handle(direction: str) -> str:
    """Return the handle of a box by the name of its direction or of its manoeuvre."""
    return BOX + (direction if direction in DIRECTIONS else DIRECTIONS[MANEUVERS.index(direction)])


def _piece_handle(view: View, name: str) -> str:
    name = name.removeprefix("with ")
    return find_chit(view, name, ("active",)) or f"{PIECE}{name}"


def _list_shield(view: View) -> HandlePath:
    """Return the shield to click before its box; nothing if no piece can be chosen instead."""
    moves = view["question"]["moves"] if view["question"] else []
    return (SHIELD,) if any(move.startswith(_PLAYED) for move in moves) else ()


def _path_to_run(view: View, roadway: str, piece: str) -> HandlePath:
    """Return the button of the clearing at the other end of the roadway, and the piece."""
    end = next((end for end in roadway.split("-") if end != view["combat"]["at"]), roadway)
    return f"{RUN}{end}", _piece_handle(view, piece)


_PATHS: Final[dict[str, Callable[..., HandlePath]]] = {
    "lure": lambda _, monster: (f"{COUNTER}{monster}",),
    "charge": lambda view, character, piece: (f"{WARRIOR}{character}", _piece_handle(view, piece)),
    "alert": lambda view, piece: (_piece_handle(view, piece),),
    "run": _path_to_run,
    "aim": lambda view, target: (f"{WARRIOR if _is_character(view, target) else COUNTER}{target}",),
    "strike": lambda view, direction, piece: (_piece_handle(view, piece), box_handle(direction)),
    "evade": lambda view, maneuver, piece: (_piece_handle(view, piece), box_handle(maneuver)),
    "turn weapon": lambda view, piece: (WEAPON, _piece_handle(view, piece)),
    "shield": lambda view, direction: (*_list_shield(view), box_handle(direction)),
    "set": lambda _, counter, direction: (f"{COUNTER}{counter}", box_handle(direction)),
}


def _is_character(view: View, name: str) -> bool:
    return any(warrior["character"] == name for warrior in view["combat"]["warriors"])
