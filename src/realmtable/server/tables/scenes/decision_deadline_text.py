"""What a scene says about a seat that is asked out of turn: how long the table waits, and what it will do then."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import HasDefaultSteps, HasDescriptions, Move, Seat
from realmtable.server.tables.clock import format_duration
from realmtable.server.tables.decision_deadlines import asked_seat, decision_limit_s
from realmtable.server.tables.table import Table


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
    limit_s = decision_limit_s(rule, silent=viewer in table.silent_seats)
    limit = "in time" if rule.kind == "game" else f"within {format_duration(limit_s)}"  # the clock may end sooner
    return f"If you don't answer {limit}, the table chooses: {words[:1].lower()}{words[1:]}."


def _default_for(table: Table, viewer: Seat | None) -> Move | None:
    """Return the default step of a viewer who is asked under a limit."""
    game, state = table.game, table.match.state
    if table.decision_deadline is None or viewer is None or asked_seat(game, state) != viewer:
        return None
    assert isinstance(game, HasDefaultSteps)  # noqa: S101 - there is a deadline
    return game.default_step(state, viewer)
