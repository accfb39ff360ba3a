"""Applies the events of its log to a table, each according to its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.match import Match
from realmtable.engine.protocol import player_seats
from realmtable.server.storage.table_store import Event
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.decision_deadlines import drop_limit_without_people, next_decision_deadline
from realmtable.server.tables.events.end import (
    abort_game,
    end_game_by_agreement,
    end_game_by_claim,
    end_game_by_resignation,
    end_game_on_time,
    replace_timed_out_player,
)
from realmtable.server.tables.events.step import add_news, apply_stepped, next_clock_deadline
from realmtable.server.tables.events.undo import apply_taken_back, apply_undone
from realmtable.server.tables.rating_conditions import TOO_MANY_TODAY
from realmtable.server.tables.table import ChatMessage, Occupant, Offer, Table, replace, replace_at
from realmtable.server.tables.viewer_knowledge import names_to_keep

MAX_CHAT_MESSAGES: Final = 200


def apply_event(table: Table, event: Event, played: Match | None = None) -> Table:
    """Return the table after the next event of its log.

    `played` is the match after the event's step, if the caller has played it. Raises HistoryNeeded if the event goes
    back to a step whose state is not in memory.
    """
    if event.version != table.version + 1:
        raise ValueError(f"event {event.version} does not follow version {table.version}")
    if event.kind in STEP_KINDS:
        changed = apply_stepped(table, event, played)
    else:
        changed = _APPLY_BY_KIND[event.kind](replace(table, version=event.version, changed_at=event.at), event)
    if len(changed.hidden_steps) > len(table.hidden_steps):
        return replace(changed, changed_at=table.changed_at)  # public lists show it, which would reveal the step
    return changed


def _apply_created(table: Table, _: Event) -> Table:
    return table


def _apply_sat(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    assert event.player_id is not None  # noqa: S101 - always set for this kind
    sitter = Occupant(event.player_id, event.data.get("bot"))
    taken = replace(table, seats=replace_at(table.seats, event.seat, sitter))
    words = f"{names_to_keep(table.game)[event.seat]} left the game; a bot takes over."
    if not table.started:
        return taken
    return add_news(drop_limit_without_people(taken, event.seat), event, ("",), (words,))


def _apply_left(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    return replace(table, seats=replace_at(table.seats, event.seat, None))


def _apply_started(table: Table, event: Event) -> Table:
    begun = replace(table, started=True, choices_since=(event.version,) * len(table.seats))
    acting = begun.game.to_move(begun.match.state)
    clock = Clock.fresh(table.setup.clock, len(table.seats), event.at).run(player_seats(acting), event.at)
    begun = replace(
        begun,
        clock=clock,
        clock_deadline=next_clock_deadline(table, begun.match, event.at),
        decision_deadline=next_decision_deadline(table.seats, begun.match, clock, (), event.at),
    )
    return add_news(begun, event, ("",), ("The game begins.",))


def _apply_resumed(table: Table, event: Event) -> Table:
    lost_s = float(event.data["seconds"])
    clock = table.clock.leave_out(lost_s, float(event.data["until"]))
    bell, answer = (at if at is None else at + lost_s for at in (table.clock_deadline, table.decision_deadline))
    changed = replace(table, clock=clock, clock_deadline=bell, decision_deadline=answer)
    return add_news(changed, event, ("",), ("The server was unavailable; the clocks stood still meanwhile.",))


def _apply_uncounted(table: Table, event: Event) -> Table:
    return add_news(replace(table, is_uncounted=True), event, ("",), (TOO_MANY_TODAY,))


def _apply_offered(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    turn = table.game.turn(table.match.state).number
    offer = Offer(event.data["what"], event.seat)
    offered = replace(table, offer=offer, offer_turns={**table.offer_turns, (offer.what, offer.seat): turn})
    return add_news(offered, event, ("",), (offer.describe(names_to_keep(table.game)[event.seat]),))


def _apply_declined(table: Table, event: Event) -> Table:
    return add_news(replace(table, offer=None), event, ("",), ("The offer was declined.",))


def _apply_chatted(table: Table, event: Event) -> Table:
    assert event.player_id is not None  # noqa: S101 - always set for this kind
    message = ChatMessage(event.version, event.player_id, event.seat, event.data["text"], event.at)
    return replace(table, chat=(*table.chat, message)[-MAX_CHAT_MESSAGES:])


def _apply_hinted(table: Table, event: Event) -> Table:
    name = names_to_keep(table.game)[event.seat or 0]
    return add_news(table, event, ("",), (f"{name} asks for a hint.",))


def _apply_rematch(table: Table, event: Event) -> Table:
    return replace(table, rematch=event.data["table"], rematch_by=event.player_id)


_APPLY_BY_KIND: Final[Mapping[str, Callable[[Table, Event], Table]]] = {
    "created": _apply_created,
    "sat": _apply_sat,
    "left": _apply_left,
    "started": _apply_started,
    "resumed": _apply_resumed,
    "uncounted": _apply_uncounted,
    "stepped": apply_stepped,
    "drew": apply_stepped,
    "undone": apply_undone,
    "taken_back": apply_taken_back,
    "offered": _apply_offered,
    "declined": _apply_declined,
    "drawn": end_game_by_agreement,
    "resigned": end_game_by_resignation,
    "aborted": abort_game,
    "claimed": end_game_by_claim,
    "flagged": end_game_on_time,
    "timed_out": replace_timed_out_player,
    "chatted": _apply_chatted,
    "hinted": _apply_hinted,
    "rematch": _apply_rematch,
}
KINDS: Final = tuple(_APPLY_BY_KIND)
STEP_KINDS: Final = ("stepped", "drew")
