"""What the acting seat of Classic Realm is asked to do, in one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.kit.realm_prompts import END_TURN


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "place":
        return "Place a frog on an empty pad."
    if view["phase"] == "second":
        return "Move a frog again, or end your turn." if _has_frog_to_move(view) else END_TURN
    if view["right"] == {"seat": view["viewer"], "owed": 0}:
        return "Move one of your frogs; you may move twice this turn."
    return "Move one of your frogs."


def _has_frog_to_move(view: View) -> bool:
    """Whether a frog other than the one just rescued is on a pad (C5)."""
    pads = [piece["at"] for piece in view["pieces"] if piece["seat"] == view["viewer"] and not piece["swims"]]
    return any(pad != view["rescued"] for pad in pads)
