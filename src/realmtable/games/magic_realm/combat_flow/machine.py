"""Who is to decide in a fight, what can be decided, and what follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from realmtable.engine.errors import IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.combat_flow import (
    actions,
    apply_melee,
    end_of_round,
    plays,
    repositioning,
    start_of_round,
)
from realmtable.games.magic_realm.combat_flow.agenda import Draw, Handler, Question, Task
from realmtable.games.magic_realm.combat_flow.refusals import refuse
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.world.steps import Frame, Step

HANDLERS: Final[dict[str, Handler]] = {
    **start_of_round.HANDLERS,
    **actions.HANDLERS,
    **plays.HANDLERS,
    **repositioning.HANDLERS,
    **apply_melee.HANDLERS,
    **end_of_round.HANDLERS,
}


def begin(fight: Fight) -> Fight:
    """Return a fight at its first question; with no agenda if there is nothing to do."""
    return advance(replace(fight, agenda=(Frame(start_of_round.CLOSE), Frame("open"))))


def _find_top(fight: Fight) -> tuple[Frame, Handler]:
    frame = fight.agenda[-1]
    return frame, HANDLERS[frame.kind]


def list_deciding(fight: Fight) -> tuple[Seat, ...]:
    """Return the seats that are to decide, chance alone, or none if combat is over."""
    if not fight.agenda:
        return ()
    frame, handler = _find_top(fight)
    return handler.seats(fight, frame) if isinstance(handler, Question) else (CHANCE,)


def list_answers(fight: Fight, seat: Seat) -> list[Step]:
    """Return what a seat or chance can do now."""
    if seat not in list_deciding(fight):
        return []
    frame, handler = _find_top(fight)
    if isinstance(handler, Question):
        return handler.answers(fight, frame, seat)
    assert isinstance(handler, Draw)  # noqa: S101 - a fight never waits at a task
    return handler.outcomes(fight, frame)


def find_label(fight: Fight) -> str:
    """Return the label of the draw that is due; empty if none is."""
    handler = _find_top(fight)[1] if fight.agenda else None
    return handler.label if isinstance(handler, Draw) else ""


def play(fight: Fight, seat: Seat, step: Step) -> Fight:
    """Return the fight after a step."""
    if seat not in list_deciding(fight):
        raise NotYourTurn("Another player is to act.")
    if step not in list_answers(fight, seat):
        raise IllegalMove(*refuse(fight, seat, step))
    return advance(_take(fight, seat, step))


def _take(fight: Fight, seat: Seat, step: Step) -> Fight:
    frame, handler = _find_top(fight)
    rest = replace(fight, agenda=fight.agenda[:-1])
    if isinstance(handler, Question):
        return handler.take(rest, frame, seat, step)
    assert isinstance(handler, Draw)  # noqa: S101 - a fight never waits at a task
    return handler.take(rest, frame, step)


def advance(fight: Fight) -> Fight:
    """Go on until someone must choose, chance must act, or combat is over."""
    while fight.agenda:
        frame, handler = _find_top(fight)
        if isinstance(handler, Draw):
            return fight
        if isinstance(handler, Task):
            fight = handler.run(replace(fight, agenda=fight.agenda[:-1]), frame)
            continue
        seats = handler.seats(fight, frame)
        forced = _find_forced(fight, frame, handler, seats)
        if seats and forced is None:
            return fight
        fight = replace(fight, agenda=fight.agenda[:-1]) if forced is None else _take(fight, *forced)
    return fight


def _find_forced(fight: Fight, frame: Frame, question: Question, seats: tuple[Seat, ...]) -> tuple[Seat, Step] | None:
    """Return a seat and its only answer, unless answers have to stay secret (Z3)."""
    if question.secret:
        return None
    for seat in seats:
        answers = question.answers(fight, frame, seat)
        if len(answers) == 1:
            return seat, answers[0]
    return None
