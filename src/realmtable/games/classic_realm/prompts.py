"""What the acting seat of Classic Realm is asked to do, in one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import View


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "place":
        return "Place a frog on an empty pad."
    if view["phase"] == "second":
        return "Move a frog again, or end your turn."  # the frog that moved can always move again
    if view["right"] == {"seat": view["viewer"], "owed": 0}:
        return "Move one of your frogs; you may move twice this turn."
    return "Move one of your frogs."
