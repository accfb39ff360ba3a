"""The secret plays of a melee: what others may see of them, and what they might be (C7, Z6)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.fight.plays import BACK, PLAY, READY, list_play_steps
from realmtable.games.magic_realm.fight.state import Fight
from realmtable.games.magic_realm.world.steps import Step


def are_plays_secret(fight: Fight) -> bool:
    """Whether someone is still playing in secret; afterwards all plays are open."""
    return bool(fight.agenda) and fight.agenda[-1].kind == PLAY


def hide_plays(fight: Fight, viewer: Seat | None) -> Fight:
    """Return a fight without the plays that a viewer may not see; that someone is ready is open."""
    if not are_plays_secret(fight):
        return fight
    warriors = [warrior if warrior.seat == viewer else replace(warrior, draft=()) for warrior in fight.warriors]
    return replace(fight, warriors=tuple(warriors))


def redraw_plays(fight: Fight, viewer: Seat, rng: Random) -> Fight:
    """Return a fight that a viewer cannot tell from this one, with other plays of the others who are ready."""
    hidden = hide_plays(fight, viewer)
    if are_plays_secret(fight):
        for warrior in fight.active_warriors:
            if warrior.seat != viewer and warrior.is_ready:
                hidden = hidden.change(warrior.seat, draft=_draw_play(hidden, warrior.seat, rng))
    return hidden


def _draw_play(fight: Fight, seat: Seat, rng: Random) -> tuple[Step, ...]:
    while True:
        step = rng.choice([step for step in list_play_steps(fight, seat) if step != BACK])
        if step == READY:
            return fight.warrior(seat).draft
        fight = fight.change(seat, draft=(*fight.warrior(seat).draft, step))
