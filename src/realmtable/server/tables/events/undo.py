"""How a table goes back: a step that its player undoes, or a turn that is taken back by agreement."""

from __future__ import annotations

from realmtable.engine.errors import NothingToUndo
from realmtable.engine.match import LogEntry, Match
from realmtable.engine.protocol import CHANCE, Seat, player_seats
from realmtable.server.storage.table_store import Event
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.decision_deadlines import asked_seat, next_decision_deadline
from realmtable.server.tables.events.step import add_news, clock_after_step, next_clock_deadline, with_latest_turn
from realmtable.server.tables.latest_turn import latest_run
from realmtable.server.tables.table import Table, replace
from realmtable.server.tables.viewer_knowledge import SecretStep, names_to_keep, viewer_index


class HistoryNeeded(Exception):
    """An event goes back to a step whose state is no longer in memory."""


def apply_undone(table: Table, event: Event) -> Table:
    """Undo a step of a seat."""
    seat = event.seat or 0
    words = f"{names_to_keep(table.game)[seat]} undid a step."
    if table.game.info.hidden:
        return _undo_among_secrets(table, event, seat, words)
    back = _go_back(table, 1, event.version)
    back = _with_clock(table, back, clock_after_step(table, back.match, event.at), event.at)
    return add_news(back, event, ("",), (words,))


def _undo_among_secrets(table: Table, event: Event, seat: Seat, words: str) -> Table:
    """Undo a seat's step, which others may have followed; viewers who did not know of it do not learn of this."""
    step = int(event.data["step"])
    match = match_without(table, step)
    index = next(at for at in range(len(table.move_list) - 1, -1, -1) if table.move_list[at].first <= step)
    line, later = table.move_list[index], table.move_list[index + 1 :]
    hidden_from = line.hidden_from()
    hidden_steps = _hidden_steps_without(table.hidden_steps, step)
    back = replace(
        table,
        match=match,
        step=table.step - 1,
        move_list=(
            *table.move_list[:index],
            *(other._replace(first=other.first - 1, last=other.last - 1) for other in later),
        ),
        hidden_steps=(*hidden_steps, SecretStep(event.version, 0, hidden_from)) if hidden_from else hidden_steps,
        undo_steps=tuple(
            tuple(other - (other > step) for other in steps if other != step) for steps in table.undo_steps
        ),
        choices_since=_choices_since_after_undo(table, match, seat, hidden_from),
        clock_deadline=next_clock_deadline(table, match, event.at),
    )
    back = _with_clock(table, back, clock_after_step(table, match, event.at), event.at)
    known = ["" if index in hidden_from else "undo" for index in range(len(table.seats) + 1)]
    return add_news(back, event, tuple(known), tuple(words if text else "" for text in known))


def match_without(table: Table, step: int) -> Match:
    """Return the match without one of its steps: later ones are played again. Raises HistoryNeeded or Refused."""
    later: list[LogEntry] = []
    match = table.match
    for _ in range(table.step - step):
        parent = _parent_in_memory(table, match)
        assert match.entry is not None  # noqa: S101 - it has a parent
        later.append(match.entry)
        match = parent
    match = _parent_in_memory(table, match)
    game = table.game
    for entry in reversed(later):
        if entry.seat == CHANCE and game.chance(match.state) != game.chance(entry.before):
            raise NothingToUndo("Dice have been rolled since; this step cannot be undone.")
        match = match.play(entry.seat, entry.move)
    return match


def _parent_in_memory(table: Table, match: Match) -> Match:
    """Return the match before the latest step. Raises HistoryNeeded if its own latest step is not known."""
    parent = match.parent
    if parent is None or (parent.entry is None and table.snapshot_step):
        raise HistoryNeeded
    return parent


def _hidden_steps_without(hidden_steps: tuple[SecretStep, ...], step: int) -> tuple[SecretStep, ...]:
    """Return the hidden steps after a step was undone: it remains secret as a version, and later steps move up."""
    first = next((index for index, secret in enumerate(hidden_steps) if secret.step >= step), len(hidden_steps))
    moved = [  # all new, so that no viewer's numbering is continued from here on
        secret._replace(step=0 if secret.step in (0, step) else secret.step - 1) for secret in hidden_steps[first:]
    ]
    return (*hidden_steps[:first], *moved)


def _choices_since_after_undo(table: Table, match: Match, mover: Seat, hidden_from: tuple[int, ...]) -> tuple[int, ...]:
    """Return `choices_since` after a step was undone; seats that act at the same time keep their choices."""
    before, now = table.acting, match.game.to_move(match.state)
    same_turn = match.game.turn(match.state) == table.game.turn(table.match.state)
    return tuple(
        known
        if seat != mover and (viewer_index(seat) in hidden_from or (same_turn and seat in before and seat in now))
        else table.version
        for seat, known in enumerate(table.choices_since)
    )


def apply_taken_back(table: Table, event: Event) -> Table:
    """Take back the steps of a turn, as agreed."""
    back = _go_back(table, int(event.data["steps"]), event.version)
    acting = player_seats(back.game.to_move(back.match.state))
    clock = table.clock.after_takeback(acting, _seats_in_turn(back.match), event.at)
    back = _with_clock(table, replace(back, offer=None), clock, event.at)
    return add_news(back, event, ("",), ("A turn was taken back.",))


def _with_clock(before: Table, back: Table, clock: Clock, now: float) -> Table:
    """Return a table that went back with the clock that runs from now on, and the time to answer a question.

    If the same seat is still asked, its time does not start again.
    """
    asked = asked_seat(back.game, back.match.state)
    if asked is not None and asked == asked_seat(before.game, before.match.state):
        return replace(back, clock=clock)
    deadline = next_decision_deadline(back.seats, back.match, clock, back.answered_for, now)
    return replace(back, clock=clock, decision_deadline=deadline)


def _seats_in_turn(match: Match) -> set[Seat]:
    """Return the seats that have been to act in the current turn, as far back as the match goes."""
    game, turn = match.game, match.game.turn(match.state)
    seats = {*player_seats(game.to_move(match.state))}
    node: Match | None = match
    while node is not None and node.entry is not None and node.entry.turn == turn:
        seats |= {*player_seats(game.to_move(node.entry.before))}
        node = node.parent
    return seats


def _go_back(table: Table, steps: int, version: int) -> Table:
    match = table.match
    for _ in range(steps):
        match = _parent_in_memory(table, match)
    step = table.step - steps
    move_list = tuple(line for line in table.move_list if line.first <= step)
    undo_steps = tuple(tuple(other for other in known if other <= step) for known in table.undo_steps)
    back = replace(table, match=match, step=step, move_list=move_list, undo_steps=undo_steps, result=None)
    back = replace(back, choices_since=(version,) * len(table.seats))
    if match.entry is None or not move_list or move_list[-1].last <= step:
        return back
    return replace(back, move_list=with_latest_turn(replace(back, move_list=move_list[:-1]), latest_run(match)))
