"""How events other than a step end a game: by agreement, resignation, time or a claim; or abort it."""

from __future__ import annotations

from realmtable.engine.language import translate
from realmtable.kit.wording import join_words
from realmtable.server.storage.table_store import ABORTED, Event
from realmtable.server.tables.decision_deadlines import drop_limit_without_people
from realmtable.server.tables.events.step import add_news, rank_timed_out_seats
from realmtable.server.tables.events.timeout import TimedOutPlayer, describe_timeout
from realmtable.server.tables.latest_turn import actor_name
from realmtable.server.tables.table import Occupant, Result, Table, replace, replace_at
from realmtable.server.tables.viewer_knowledge import names_to_keep


def end_game_by_agreement(table: Table, event: Event) -> Table:
    """End the game with a draw by agreement."""
    text = "Draw by agreement."
    result = Result((1,) * len(table.seats), None, "agreed_draw", text)
    return add_news(_end_game(table, result, event), event, ("",), (text,))


def end_game_by_resignation(table: Table, event: Event) -> Table:
    """End the game after a resignation."""
    return _end_with_loser(table, event, "resignation", "resigned")


def abort_game(table: Table, event: Event) -> Table:
    """End a game that nobody wins or loses, at a player's wish or because they made no first step."""
    name = names_to_keep(table.game)[event.seat or 0]
    if event.data.get("late"):
        text = translate("Game aborted: {player} did not make a first move.", player=name)
    else:
        text = translate("Game aborted by {player}.", player=name)
    result = Result((1,) * len(table.seats), None, ABORTED, text)
    return add_news(_end_game(table, result, event), event, ("",), (text,))


def end_game_by_claim(table: Table, event: Event) -> Table:
    """End a game of two after a claim against the player on the event's seat, who has left."""
    names = names_to_keep(table.game)
    away = event.seat or 0
    players = {"absent": names[away], "present": names[1 - away]}
    if event.data["what"] == "win":
        ranking, text = (
            (1 + (away == 0), 1 + (away == 1)),
            translate("{absent} left the game; {present} wins.", **players),
        )
    else:
        ranking, text = (1, 1), translate("{absent} left the game; {present} claimed a draw.", **players)
    return add_news(_end_game(table, Result(ranking, None, "absence", text), event), event, ("",), (text,))


def end_game_on_time(table: Table, event: Event) -> Table:
    """End the game because a player ran out of time."""
    return _end_with_loser(_note_timed_out_player(table, event), event, "time", "ran out of time")


def replace_timed_out_player(table: Table, event: Event) -> Table:
    """Give the seat of a player who ran out of time to a bot."""
    assert event.seat is not None  # noqa: S101 - always set for this kind
    assert event.player_id is not None  # noqa: S101 - always set for this kind
    bot = Occupant(event.player_id, event.data["bot"])
    clock = table.clock.stop(event.seat, event.at)
    offer = None if table.offer is not None and table.offer.seat == event.seat else table.offer
    changed = _note_timed_out_player(table, event)
    changed = replace(changed, seats=replace_at(table.seats, event.seat, bot), clock=clock, offer=offer)
    words = describe_timeout(actor_name(event.seat, names_to_keep(table.game)), table.setup.timeout)
    return add_news(drop_limit_without_people(changed, event.seat), event, ("",), (words,))


def _note_timed_out_player(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for these kinds
    sitter = table.seats[event.seat]
    assert sitter is not None  # noqa: S101 - a game runs only with all seats taken
    return replace(table, timed_out=(*table.timed_out, TimedOutPlayer(event.seat, sitter.player_id)))


def _end_with_loser(table: Table, event: Event, reason: str, words: str) -> Table:
    names = names_to_keep(table.game)
    if len(table.seats) == 1:  # nobody wins instead
        text = f"{names[0]} {'gave up' if reason == 'resignation' else words}."
        return add_news(_end_game(table, Result((1,), None, reason, text), event), event, ("",), (text,))
    ranking = tuple(len(table.seats) if seat == event.seat else 1 for seat in range(len(table.seats)))
    winners = join_words([names[seat] for seat, rank in enumerate(ranking) if rank == 1])
    verb = "wins" if ranking.count(1) == 1 else "share the win"
    text = f"{names[event.seat or 0]} {words}; {winners} {verb}."
    result = rank_timed_out_seats(table, Result(ranking, None, reason, text))
    return add_news(_end_game(table, result, event), event, ("",), (result.text,))


def _end_game(table: Table, result: Result, event: Event) -> Table:
    return replace(table, result=result, offer=None, clock=table.clock.run((), event.at))
