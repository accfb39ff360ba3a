"""What the Power of the Pit and the curse Wither do to action chits (C27, W6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import MEDIUM
from realmtable.games.magic_realm.combat_rules.plays import FIGHT, MOVE
from realmtable.games.magic_realm.day_rules.chit_states import ChitStates
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED


def _frighten(chit: ActionChit, state: int) -> int:
    return WOUNDED if chit.kind in (MOVE, FIGHT) and level_of(chit.strength) <= MEDIUM else state


def _blight(chit: ActionChit, state: int) -> int:
    return WOUNDED if state == ACTIVE and chit.stars else state


def _forget(chit: ActionChit, state: int) -> int:
    return FATIGUED if state == ACTIVE and chit.magic else state


def _wither(chit: ActionChit, state: int) -> int:
    return FATIGUED if state == ACTIVE and chit.stars else state


EFFECTS: Final[Mapping[str, Callable[[ActionChit, int], int]]] = MappingProxyType(
    {"harm the weak": _frighten, "wound stars": _blight, "tire magic": _forget, "Wither": _wither}
)


def change_chits(chits: Sequence[ActionChit], states: ChitStates, word: str) -> ChitStates:
    """Return the states of a character's chits after a result of a table, given by its word in the data."""
    change = EFFECTS.get(word)
    if change is None:
        return states
    return tuple(change(chit, state) for chit, state in zip(chits, states, strict=True))
