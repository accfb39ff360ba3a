"""Answers out of turn: how long a seat has for one, what happens then, and what viewers read of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from realmtable.engine.match import LogEntry, Match
from realmtable.engine.protocol import AnyGame, HasDefaultSteps, HasDescriptions, Move, Seat, State
from realmtable.server.tables.clock import DAY_S, Clock, ClockRule, format_duration
from realmtable.server.tables.table import Occupant, Table, replace

DECISION_S: Final = 60.0
SILENT_DECISION_S: Final = 10.0  # for a seat that left its previous question unanswered
CORRESPONDENCE_DECISION_S: Final = DAY_S  # with days per move
SILENT_CORRESPONDENCE_DECISION_S: Final = 3_600.0


def asked_seat(game: AnyGame, state: State) -> Seat | None:
    """Return the seat that is asked in another seat's turn, if the game has a default step for it."""
    if not isinstance(game, HasDefaultSteps):
        return None
    acting, owner = game.to_move(state), game.turn(state).seat
    return acting[0] if len(acting) == 1 and 0 <= acting[0] != owner >= 0 else None


def decision_limit_s(rule: ClockRule, *, silent: bool) -> float:
    """Return how long a seat has to answer; less if it was silent before, and never more than its clock per move.

    >>> decision_limit_s(ClockRule(), silent=False), decision_limit_s(ClockRule("move", 30), silent=False)
    (60.0, 30)
    """
    if rule.kind == "days":
        return min(rule.seconds, SILENT_CORRESPONDENCE_DECISION_S if silent else CORRESPONDENCE_DECISION_S)
    limit_s = SILENT_DECISION_S if silent else DECISION_S
    return min(rule.seconds, limit_s) if rule.kind == "move" else limit_s


def next_decision_deadline(
    seats: Sequence[Occupant | None], match: Match, clock: Clock, answered_for: Sequence[Seat], now: float
) -> float | None:
    """Return when the table answers for the seat that is asked at the end of `match`, at the latest with its clock.

    None if no seat is asked out of turn, a bot is asked, or no other person waits.
    """
    seat = asked_seat(match.game, match.state)
    if seat is None or not _has_limit(seats, seat):
        return None
    deadline = now + decision_limit_s(clock.rule, silent=seat in answered_for)
    clock_deadline = clock.deadline()
    return deadline if clock_deadline is None else min(deadline, clock_deadline)


def drop_limit_without_people(table: Table, seat: Seat) -> Table:
    """Return a running table after the seat has passed to a bot: its own limit, or one that nobody waits for, ends."""
    asked = asked_seat(table.game, table.match.state)
    is_limited = asked is not None and _has_limit(table.seats, asked)
    return replace(
        table,
        decision_deadline=table.decision_deadline if is_limited else None,
        answered_for=tuple(other for other in table.answered_for if other != seat),
    )


def is_final_decision(table: Table, entry: LogEntry) -> bool:
    """Whether a step answered a question out of turn under a limit; undoing it would ask the question again."""
    return asked_seat(table.game, entry.before) == entry.seat and _has_limit(table.seats, entry.seat)


def _has_limit(seats: Sequence[Occupant | None], seat: Seat) -> bool:
    """Whether a person is on a seat and another person at the table."""
    people = {sitter.player_id for sitter in seats if sitter is not None and sitter.bot is None}
    sitter = seats[seat]
    return sitter is not None and sitter.bot is None and len(people) > 1


def describe_decision_deadline(table: Table, viewer: Seat | None) -> dict[str, Any] | None:
    """Return the seat that is asked and until when and, for that seat, the step that the table will take for it.

    None if there is no limit. Others do not get the step: it may follow from what only the asked seat knows.
    """
    if table.decision_deadline is None or table.status != "running":
        return None
    seat, move = asked_seat(table.game, table.match.state), _default_for(table, viewer)
    text = None if move is None else table.game.format_move(table.match.state, move)
    return {"seat": seat, "until": table.decision_deadline, "default": text}


def warn_of_default(table: Table, viewer: Seat | None) -> str:
    """Say what the table will do if the viewer does not answer; empty if they are not asked, or without a limit."""
    move = _default_for(table, viewer)
    if move is None:
        return ""
    game, state = table.game, table.match.state
    words = game.describe_move(state, move) if isinstance(game, HasDescriptions) else game.format_move(state, move)
    rule = table.setup.clock
    limit_s = decision_limit_s(rule, silent=viewer in table.answered_for)
    limit = "in time" if rule.kind == "game" else f"within {format_duration(limit_s)}"  # the clock may end sooner
    return f"If you don't answer {limit}, the table chooses: {words[:1].lower()}{words[1:]}."


def _default_for(table: Table, viewer: Seat | None) -> Move | None:
    """Return the default step of a viewer who is asked under a limit."""
    game, state = table.game, table.match.state
    if table.decision_deadline is None or viewer is None or asked_seat(game, state) != viewer:
        return None
    assert isinstance(game, HasDefaultSteps)  # noqa: S101 - there is a deadline
    return game.default_step(state, viewer)
