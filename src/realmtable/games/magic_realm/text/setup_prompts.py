"""What a player is asked in the set-up, and what the choices mean for someone who plays for the first time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Weapon
from realmtable.games.magic_realm.text.wording import GOAL_NAMES, WEIGHTS
from realmtable.games.magic_realm.world.position_defaults import gear_kinds
from realmtable.kit.wording import format_count, join_words

PromptText = tuple[str, str]  # a sentence and its clause

SHIELD: Final = "shield"
ALL_DIRECTIONS: Final = 3


def ask_for_character(_view: View) -> PromptText:
    """Ask for the first character."""
    return "Choose your character: pick one to read what it can do, then confirm.", "M9"


def ask_for_new_character(_view: View) -> PromptText:
    """Ask for another character after a death."""
    return "Choose the character of your new life: pick one to read about it, then confirm.", "K8"


# ---- gear


def ask_for_giver(view: View) -> PromptText:
    """Ask for the native group that gives a piece of gear."""
    kind = view["doing"]["about"]
    use = _describe_gear(kind) if view["combat_rules"] else "no use without combat"
    return f"Choose any group for your {kind} ({use}): all are alike.", "M9"


def count_gear(view: View) -> tuple[int, int]:
    """Return the number of the piece of gear that is asked for, and how many there are."""
    name = view["players"][view["viewer"]]["character"]
    kinds = gear_kinds(load_catalog().names.by_name("character")[name])
    return kinds.index(view["doing"]["about"]) + 1, len(kinds)


def note_gear(handle: str) -> str:
    """Say why the group does not matter."""
    kind = handle.partition(" ")[2].rpartition(" ")[0]
    return f"Each {kind} is the same, whichever group gives it."


def _describe_gear(kind: str) -> str:
    """Say what a piece of gear is for.

    >>> _describe_gear("Breastplate"), _describe_gear("Light Bow")
    ('protects from thrust and swing', 'a light missile weapon')
    """
    thing = next(row for row in load_catalog().goods if row.kind == kind)
    match thing:
        case Armor(layer=layer) if layer == SHIELD:
            return "protects where you hold it"
        case Armor(covers=covers):
            return f"protects from {'all attacks' if len(covers) == ALL_DIRECTIONS else join_words(covers)}"
    is_missile = isinstance(thing, Weapon) and thing.is_missile
    return f"a {WEIGHTS[thing.weight]} {'missile ' * is_missile}weapon"


# ---- secret choices


def ask_for_secret_choices(view: View) -> PromptText:
    """Ask for victory points and the starting place."""
    own = view["own"]
    if own["points_left"]:
        left = format_count(own["points_left"], "point")
        return f"Choose what you must have on the last day ({left} left): gold is the hardest to get.", "M10"
    if not own["start"]:
        return "Choose where you start; you see in which valley that is when everyone is ready.", "M10"
    return f"Choose Ready if your secret goal is {_describe_goals(own)}.", "M10"


def _describe_goals(own: Mapping[str, Any]) -> str:
    """Return how much of everything a character must have on the last day."""
    parts = [
        format_count(needed, "great treasure") if goal == "treasures" else f"{needed} {GOAL_NAMES[goal]}"
        for goal, needed in own["needed"].items()
    ]
    return ", ".join(parts)


def note_goal(view: View, goal: str) -> str:
    """Say what a victory point needs, and where that comes from."""
    victory = load_catalog().numbers.victory
    source = "from treasures and killed monsters" if view["combat_rules"] else "from treasures"
    needed = {
        "treasures": f"{format_count(victory.great_treasures, 'great treasure')}, most of which lie at sites",
        "fame": f"{victory.fame} fame, {source}",
        "notoriety": f"{victory.notoriety} notoriety, {source}",
        "gold": f"{victory.gold} gold, besides what your character was worth at the start; nothing can be sold",
    }[goal]
    return f"This point needs {needed}."
