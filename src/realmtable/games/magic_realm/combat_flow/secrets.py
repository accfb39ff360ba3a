"""The secret plays of a melee: what others may see of them, and what they might be (C7, Z6)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.combat_flow.actions import ACT
from realmtable.games.magic_realm.combat_flow.journal import split_plays
from realmtable.games.magic_realm.combat_flow.plays import BACK, PLAY, READY, list_play_steps
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.world.steps import Journal, JournalEntry, Step


def are_plays_secret(fight: Fight) -> bool:
    """Whether someone is still playing in secret; afterwards all plays are open."""
    return bool(fight.agenda) and fight.agenda[-1].kind == PLAY


def hide_plays(fight: Fight, viewer: Seat | None) -> Fight:
    """Return a fight without the plays that a viewer may not see; that someone is ready is open."""
    if not are_plays_secret(fight):
        return fight
    warriors = [warrior if warrior.seat == viewer else replace(warrior, draft=()) for warrior in fight.warriors]
    return replace(fight, warriors=tuple(warriors))


def hide_secrets(fight: Fight, viewer: Seat | None) -> Fight:
    """Return a fight without the plays of others, their roadways, and which belongings they have changed or left (X1).

    Where someone can run depends on hidden paths that only its player may know.
    """
    hidden = hide_plays(fight, viewer)
    warriors = [warrior if warrior.seat == viewer else replace(warrior, exits=()) for warrior in hidden.warriors]
    agenda = [frame._replace(b=0) if frame.kind == ACT and frame.seat != viewer else frame for frame in hidden.agenda]
    return replace(hidden, warriors=tuple(warriors), agenda=tuple(agenda), hidden_cards={})


def redraw_plays(fight: Fight, viewer: Seat, rng: Random) -> Fight:
    """Return a fight that a viewer cannot tell from this one, with other plays of the others who are ready."""
    hidden = hide_plays(fight, viewer)
    if are_plays_secret(fight):
        for warrior in fight.active_warriors:
            if warrior.seat != viewer and warrior.is_ready:
                hidden = hidden.change(warrior.seat, draft=_draw_play(hidden, warrior.seat, rng))
    return hidden


def redraw_journal(fight: Fight, journal: Journal, viewer: Seat, rng: Random) -> Journal:
    """Return the journal of a fight that a viewer cannot tell from this one."""
    if not are_plays_secret(fight):
        return journal
    drawn = redraw_plays(fight, viewer, rng)
    known, plays = split_plays(journal)
    others = [warrior for warrior in drawn.active_warriors if warrior.seat != viewer and warrior.is_ready]
    made = [JournalEntry(warrior.seat, step) for warrior in others for step in (*warrior.draft, READY)]
    own = [entry for entry in plays if entry.seat == viewer]
    return (*known, *sorted([*own, *made], key=lambda entry: entry.seat))


def _draw_play(fight: Fight, seat: Seat, rng: Random) -> tuple[Step, ...]:
    while True:
        step = rng.choice([step for step in list_play_steps(fight, seat) if step != BACK])
        if step == READY:
            return fight.warrior(seat).draft
        fight = fight.change(seat, draft=(*fight.warrior(seat).draft, step))
