"""The steps of a fight so far, from which it can be played again: how a position can hold a fight.

Plays that are made at once commute, so the journal keeps them by seats and forgets what was taken back. Two fights with
the same course therefore have the same journal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.combat_flow.machine import play
from realmtable.games.magic_realm.combat_flow.plays import BACK
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.world.steps import Journal, JournalEntry, Step

PLAY_VERBS: Final = frozenset({"strike", "turn weapon", "evade", "shield", "set", "ready"})
LOOK_VERBS: Final = frozenset({"continue"})


def note_step(journal: Journal, seat: Seat, step: Step) -> Journal:
    """Return the journal after a legal step."""
    verbs = LOOK_VERBS if step.verb in LOOK_VERBS else PLAY_VERBS
    before, plays = split_plays(journal, verbs)
    if step == BACK:
        last = max(number for number, entry in enumerate(plays) if entry.seat == seat)
        return (*before, *plays[:last], *plays[last + 1 :])
    if step.verb not in verbs:
        return (*journal, JournalEntry(seat, step))
    return (*before, *sorted([*plays, JournalEntry(seat, step)], key=lambda entry: entry.seat))


def split_plays(journal: Journal, verbs: Collection[str] = PLAY_VERBS) -> tuple[Journal, Journal]:
    """Return the steps before those at the end of a journal that are made at once, and these: secret plays."""
    number = len(journal)
    while number and journal[number - 1].step.verb in verbs:
        number -= 1
    return journal[:number], journal[number:]


def replay(first: Fight, journal: Sequence[JournalEntry]) -> Fight:
    """Return a fight after the steps of a journal; it refuses a step that is not legal."""
    for seat, step in journal:
        first = play(first, seat, step)
    return first
