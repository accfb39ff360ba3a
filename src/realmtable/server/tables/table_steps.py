"""How a step changes a table: the match, the clocks, and what each seat may choose or undo next."""

from __future__ import annotations

from typing import Final

from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, CLOCK, HasClock, HasUndo, Seat, player_seats
from realmtable.kit.array_state import ArrayState
from realmtable.server.storage.table_store import Event
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.decision_deadlines import next_decision_deadline
from realmtable.server.tables.seat_names import names_to_keep
from realmtable.server.tables.table import News, Offer, Result, Table, replace
from realmtable.server.tables.table_endings import rank_timed_out_seats
from realmtable.server.tables.table_news import describe_default_step, extend_lines, latest_news, texts_and_words
from realmtable.server.tables.viewer_numbering import SecretStep, viewer_index

MAX_UNDO_STEPS: Final = 32  # that a seat can undo in a row, in games that decide for each step


def apply_stepped(table: Table, event: Event, played: Match | None = None) -> Table:
    """Return the table after a step of a player or of chance; `played` is the match after it, if known."""
    game, before = table.game, table.match
    seat = CHANCE if event.seat is None else event.seat
    if played is not None and _continues(table, seat, played):
        match = played
    else:
        match = before.play(seat, game.parse_move(before.state, event.data["move"]))
    assert match.entry is not None  # noqa: S101 - it has just been played
    move = match.entry.move
    texts, told = texts_and_words(table, seat, move, event.data["move"] if match is played else None)
    words = told
    by_default = bool(event.data.get("default"))
    if by_default:
        name = names_to_keep(game)[seat]
        words = tuple(describe_default_step(name, said) if text else "" for text, said in zip(texts, told, strict=True))
    hidden_from = tuple(index for index, text in enumerate(texts) if not text) if len(texts) > 1 else ()
    outcome = match.outcome()
    acting = game.to_move(match.state)
    secrets = table.secrets
    if hidden_from:
        secrets = (*secrets, SecretStep(event.version, table.step + 1, hidden_from))
    news = (*table.news, News(event.version, event.kind, event.seat, texts, words))
    clock = clock_after_step(table, match, event.at)
    silent_seats = _next_silent_seats(table, seat, by_default=by_default)
    after = replace(
        table,
        version=event.version,
        changed_at=event.at,
        match=match,
        step=table.step + 1,
        # An offer remains open after a secret step, which its end would reveal.
        offer=table.offer if hidden_from else _offer_after_move(table.offer, seat),
        last_paths=(),
        choices_since=_next_choices_since(table, match, seat, event.version),
        result=None
        if outcome is None
        else rank_timed_out_seats(table, Result.from_outcome(outcome, names_to_keep(game))),
        clock=clock,
        clock_deadline=next_clock_deadline(table, match, event.at) if CLOCK in acting else None,
        decision_deadline=next_decision_deadline(table.seats, match, clock, silent_seats, event.at),
        silent_seats=silent_seats,
        secrets=secrets,
        news=latest_news(table, news, secrets),
    )
    # These two read the fields above; nothing else has seen the new table yet.
    after.__dict__["undo_steps"] = _next_undo_steps(table, after, seat, hidden_from)
    after.__dict__["lines"] = extend_lines(after, told if game.info.presentation.tells_moves else texts)
    if isinstance(before.state, ArrayState):
        before.state.drop_caches()  # a table keeps many states, but only the latest needs its legal moves
    return after


def _continues(table: Table, seat: Seat, played: Match) -> bool:
    """Whether a match is that of the table after one more step of a seat."""
    return played.parent is table.match and played.entry is not None and played.entry.seat == seat


def _next_undo_steps(
    before: Table, after: Table, mover: Seat, hidden_from: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the steps that each seat may undo after a step.

    A seat may no longer undo its steps when another seat, which could have reacted to them, has taken a step that it
    knows of. It may after secret steps and those of seats that act at the same time; chance ends it for the seat that
    made chance act.
    """
    game, entry = after.game, after.match.entry
    if not isinstance(game, HasUndo):
        return ()
    assert entry is not None  # noqa: S101 - it has just been played
    cause = _seat_before_chance(before.match) if mover == CHANCE else None
    found: list[tuple[int, ...]] = []
    for seat, steps in enumerate(before.undo_steps or ((),) * len(before.seats)):
        if seat == mover:
            undoable = game.can_undo(entry.before, seat, entry.move)
            found.append((*steps, after.step)[-MAX_UNDO_STEPS:] if undoable else ())
        else:
            unaware = viewer_index(seat) in hidden_from or after.choices_since[seat] != after.version
            found.append(steps if unaware and seat != cause else ())
    return tuple(found)


def _next_silent_seats(table: Table, mover: Seat, *, by_default: bool) -> tuple[Seat, ...]:
    """Return the seats that the table has answered for since they last acted themselves."""
    if not by_default and mover not in table.silent_seats:  # as after most steps
        return table.silent_seats
    others = [seat for seat in table.silent_seats if seat != mover]
    return (*others, *[mover] * by_default)


def _seat_before_chance(match: Match) -> Seat | None:
    """Return the seat after whose step chance acts."""
    node: Match | None = match
    while node is not None and node.entry is not None:
        if node.entry.seat != CHANCE:
            return node.entry.seat
        node = node.parent
    return None


def next_clock_deadline(before: Table, match: Match, now: float) -> float | None:
    """Return when the game's own clock acts; a deadline once set stays for as long as the clock may act."""
    game = match.game
    if CLOCK not in game.to_move(match.state) or not isinstance(game, HasClock):
        return None
    return now + game.clock_s(match.state) if before.clock_deadline is None else before.clock_deadline


def _offer_after_move(offer: Offer | None, seat: Seat) -> Offer | None:
    """Return the offer after a move; any other seat's move declines it."""
    return offer if offer is not None and seat in (offer.seat, CHANCE) else None


def _next_choices_since(table: Table, match: Match, mover: Seat, version: int) -> tuple[int, ...]:
    """Return `choices_since` after a move; seats that act at the same time as the mover keep their choices."""
    before, now = table.acting, match.game.to_move(match.state)
    same_turn = match.entry is not None and match.game.turn(match.state) == match.entry.turn
    if not same_turn:
        return tuple(
            known
            if seat != mover and seat in before and seat in now and _keeps_choices(table, match, seat)
            else version
            for seat, known in enumerate(table.choices_since)
        )
    timed = CLOCK in before and CLOCK in now  # seats that are ready may act again at any time
    return tuple(
        known if seat != mover and (timed or (seat in before and seat in now)) else version
        for seat, known in enumerate(table.choices_since)
    )


def _keeps_choices(table: Table, match: Match, seat: Seat) -> bool:
    """Whether a seat that acts at the same time as others has the choices it had before one of them was ready."""
    game, before, after = table.game, table.match.state, match.state
    is_same_round = game.turn(before).number == game.turn(after).number
    return is_same_round and game.legal_moves(before, seat) == game.legal_moves(after, seat)


def clock_after_step(table: Table, match: Match, now: float) -> Clock:
    """Return the clock after a step, or after undoing one, has led to `match`.

    If it goes on for the same seats, it is left as it is: rounding the remaining times would reveal a secret step.
    """
    turn, acting = table.game.turn(table.match.state), table.game.to_move(match.state)
    turn_over = table.game.turn(match.state) != turn or not acting
    if not turn_over and player_seats(acting) == table.clock.running:
        return table.clock
    return table.clock.after_step(turn.seat, player_seats(acting), now, turn_over=turn_over)
