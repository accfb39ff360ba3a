"""The handles of action chits: ``chit:active Move M3*``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.view_parts.map_schema import ActionChitData

CHIT: Final = "chit:"  # before the state and the label of an action chit


def find_chit(view: View, name: str, states: Sequence[str]) -> str:
    """Return the handle of the viewer's first chit with a label in one of some states; empty if there is none.

    A name can be preceded by the state, "wounded Move M3*", or by a word, "for Fight M4*".
    """
    if view["viewer"] is None:
        return ""
    chits = view["players"][view["viewer"]]["chits"]
    state, _, label = name.partition(" ")
    if state in ("fatigued", "wounded"):
        name, states = label, (state,)
    name = name.removeprefix("for ").removeprefix("with ")
    for wanted in states:
        if any(chit["label"] == name and chit["state"] == wanted for chit in chits):
            return f"{CHIT}{wanted} {name}"
    return ""


def list_chit_handles(chits: Sequence[ActionChitData]) -> list[str]:
    """Return the handle of each action chit; of equal ones the first is used (Z2), the others get a number."""
    names = [f"{CHIT}{chit['state']} {chit['label']}" for chit in chits]
    numbers = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return [f"{name} {number}" if number > 1 else name for name, number in zip(names, numbers, strict=True)]
