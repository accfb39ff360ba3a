"""Sort the steps of a long game by topic, so that the list of moves can be filtered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.flow.evening_with_combat import COMBAT_FRAMES
from realmtable.games.magic_realm.text.secrecy import is_secret
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

TOPICS: Final[Mapping[str, str]] = {
    "setup": "Set-up",
    "days": "Days and turns",
    "searches": "Searches and treasures",
    "dangers": "Monsters and blocking",
    "fights": "Combat",
}
_SEARCHES: Final = (
    "search", "dice", "pick", "exchange", "take", "force", "pay", "found", "to", "card", "chit",
)  # fmt: skip
_DANGERS: Final = ("prowl", "block", "meet", "life", "outfit", "goals")
_FIGHTS: Final = (*COMBAT_FRAMES, "clearing", "tidy")


def topic(world: World, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Return the topic of a step; empty for a viewer who may not know of it. It follows from what was being done."""
    if is_secret(world, seat, step, viewer):
        return ""
    kind = world.agenda[-1].kind
    if world.part == "setup":
        return "setup"
    if kind in _FIGHTS:
        return "fights"
    return "searches" if kind in _SEARCHES else "dangers" if kind in _DANGERS else "days"
