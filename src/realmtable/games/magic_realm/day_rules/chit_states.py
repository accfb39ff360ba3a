"""The states of a character's action chits, without a world: payments and wounds (W1, W2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED
from realmtable.games.magic_realm.world.steps import Step

ChitStates = tuple[int, ...]  # of the twelve chits of a character
FATIGUE_TYPES: Final = {"Duck": "Move", "Berserk": "Fight"}  # chits of other kinds are of their own type (W1)


def find_chits(chits: Sequence[ActionChit], states: ChitStates, state: int) -> list[ActionChit]:
    """Return the chits in a state; of those with the same label only the first (Z2)."""
    found = {chit.label: chit for chit, now in zip(chits, states, strict=True) if now == state}
    return [*found.values()]


def change_state(chits: Sequence[ActionChit], states: ChitStates, label: int, before: int, after: int) -> ChitStates:
    """Return the states after a change of the first chit with a label that is in a state."""
    name = load_catalog().names.by_number("action")[label]
    index = next(index for index, chit in enumerate(chits) if chit.label == name and states[index] == before)
    return (*states[:index], after, *states[index + 1 :])


def label_of(chit: ActionChit) -> int:
    """Return the number of a chit's label."""
    return load_catalog().names.by_name("action")[chit.label]


def _type_of(chit: ActionChit) -> str:
    return FATIGUE_TYPES.get(chit.kind, chit.kind)


def find_payments(chits: Sequence[ActionChit], states: ChitStates, kind: str = "") -> list[Step]:
    """Return the ways to pay one star of a type, or of any type (W1)."""
    active, tired = (
        [chit for chit in find_chits(chits, states, state) if kind in ("", _type_of(chit))]
        for state in (ACTIVE, FATIGUED)
    )
    single = [chit for chit in active if chit.stars == 1]
    double = [chit for chit in active if chit.stars > 1]
    found = [Step("tire", (label_of(chit),)) for chit in single]
    for chit in double:
        change = [other for other in tired if other.stars == 1 and _type_of(other) == _type_of(chit)]
        found += [Step("tire", (label_of(chit), label_of(other))) for other in change]
    return sorted(found or [Step("tire", (label_of(chit),)) for chit in double])


def pay(chits: Sequence[ActionChit], states: ChitStates, step: Step) -> ChitStates:
    """Return the states after a payment: a chit is fatigued, and another one becomes active for what is too much."""
    states = change_state(chits, states, step.args[0], ACTIVE, FATIGUED)
    for change in step.args[1:]:
        states = change_state(chits, states, change, FATIGUED, ACTIVE)
    return states


def find_wounds(chits: Sequence[ActionChit], states: ChitStates) -> list[Step]:
    """Return the chits that can be wounded: active ones, or fatigued ones if none is active (W2)."""
    found = find_chits(chits, states, ACTIVE) or find_chits(chits, states, FATIGUED)
    return sorted(Step("wound", (label_of(chit),)) for chit in found)


def wound(chits: Sequence[ActionChit], states: ChitStates, step: Step) -> ChitStates:
    """Return the states after a wound."""
    return change_state(chits, states, step.args[0], min(states), WOUNDED)
