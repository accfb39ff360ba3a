"""The actions at a table, as pure functions from a table and a request to drafts of events.

Each function either raises an error with the reason or returns the drafts that `table_service` appends. The caller has
already checked that the seats belong to the sender.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Final

from realmtable.analysis.game_analysis import can_analyse, check_can_analyse
from realmtable.engine import chance
from realmtable.engine.errors import (
    BadNotation,
    GameOver,
    IllegalMove,
    NothingToUndo,
    NotYourTurn,
    RealmtableError,
    Refused,
)
from realmtable.engine.language import translate, translate_count
from realmtable.engine.match import NO_STEP, Match
from realmtable.engine.protocol import (
    CHANCE,
    CLOCK,
    AnyGame,
    HasAdvice,
    HasCompositeMoves,
    HasDefaultSteps,
    HasUndo,
    Seat,
    State,
    player_seats,
)
from realmtable.kit.wording import join_words
from realmtable.search.compiled_games import has_several_seats
from realmtable.server.errors import (
    NotAllowed,
    NothingOffered,
    NotRunning,
    NotSeated,
    SeatTaken,
    StaleVersion,
    TooLarge,
)
from realmtable.server.tables.absence import AwaySince, absent_seats, find_claim
from realmtable.server.tables.decision_deadlines import asked_seat, is_final_decision
from realmtable.server.tables.events.undo import match_without
from realmtable.server.tables.first_steps import first_step_deadlines, why_not_abort
from realmtable.server.tables.table import OFFERS, MoveListEntry, Occupant, Table
from realmtable.server.tables.viewer_knowledge import name_of, viewer_index

MAX_MOVE_LENGTH: Final = 2_000
MAX_COMPOSITE_STEPS: Final = 100  # that one text may stand for
MAX_CHAT_LENGTH: Final = 500
TWO_PLAYERS: Final = 2
WAITED: Final = "Others have waited for this answer; it cannot be undone."
TAKEOVER_BOT: Final = "level5"  # the bot that takes over when a player leaves a multiplayer game


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event without a version and time."""

    kind: str
    seat: Seat | None = None
    player_id: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    played: Match | None = field(default=None, compare=False)  # the match after a step, so that it is played once


# ---- sitting down


def open_seats(table: Table) -> list[Seat]:
    """Return the free seats."""
    return [seat for seat, sitter in enumerate(table.seats) if sitter is None]


def sit(
    table: Table, sitter: Occupant, seat: Seat | None, exhausted_pairs: Collection[frozenset[str]] = ()
) -> list[EventDraft]:
    """Take a seat, by default the first free one; taking the last one starts the game.

    A rated game does not count if two of its players are an exhausted pair: enough of their games have counted today.
    """
    if table.started:
        raise NotRunning("The game has already started; you can watch it.")
    free = open_seats(table)
    if seat is not None and not 0 <= seat < len(table.seats):
        raise NotSeated(f"The table has seats 0 to {len(table.seats) - 1}.")
    if not free or (seat is not None and seat not in free):
        raise SeatTaken("This seat is already taken.")
    chosen = free[0] if seat is None else seat
    drafts = [EventDraft("sat", chosen, sitter.player_id, {"bot": sitter.bot} if sitter.bot else {})]
    sitters = [*table.seats, sitter]
    return [*drafts, *start_game(table, sitters, exhausted_pairs)] if len(free) == 1 else drafts


def start_game(
    table: Table, sitters: Sequence[Occupant | None], exhausted_pairs: Collection[frozenset[str]] = ()
) -> list[EventDraft]:
    """Start the game, including any opening steps of chance."""
    ids = {sitter.player_id for sitter in sitters if sitter is not None}
    uncounted = [EventDraft("uncounted")] if any(pair <= ids for pair in exhausted_pairs) else []
    return [*uncounted, EventDraft("started"), *_draw_chance(table, table.match)[0]]


def leave(table: Table, seats: Sequence[Seat]) -> list[EventDraft]:
    """Leave one's seats before the game starts."""
    if table.started:
        raise NotRunning("The game has already started; resign instead.")
    if not seats:
        raise NotSeated("You have no seat at this table.")
    return [EventDraft("left", seat) for seat in seats]


# ---- playing


def check_version(table: Table, seat: Seat, version: int) -> None:
    """Raise StaleVersion if the sender saw an older position than the current one."""
    if version > table.version or version < table.choices_since[seat]:
        raise StaleVersion("The position has changed since you last saw it; here is the current one.")


def playing_seat(table: Table, seats: Sequence[Seat]) -> Seat:
    """Return the seat that the sender moves for: the first of theirs that may act."""
    _check_running(table)
    if not seats:
        raise NotSeated("You are watching this game; open a table or take a free seat to play.")
    acting = next((seat for seat in seats if may_act(table, seat)), None)
    if acting is None:
        view = table.game.view(table.match.state, seats[0])
        names = [name_of(table.game, view, seat) for seat in player_seats(table.acting)]
        raise NotYourTurn(f"It is {join_words(names)}'s turn." if names else "It is not your turn.")
    return acting


def may_act(table: Table, seat: Seat) -> bool:
    """Whether a seat may act: it is to move, or it is ready and may still change its mind before time is up."""
    return seat in table.acting or (CLOCK in table.acting and bool(table.game.legal_moves(table.match.state, seat)))


def play(table: Table, seat: Seat, text: str) -> list[EventDraft]:
    """Play a step or a whole turn, including the steps of chance after each.

    Where information is hidden, a text may stand for several steps (`HasCompositeMoves`). If one of them is refused,
    those before it stand, and the first draft has the refusal: see `refusal_in`.
    """
    _check_running(table)
    if len(text) > MAX_MOVE_LENGTH:
        raise TooLarge(f"A turn can have at most {MAX_MOVE_LENGTH:,} characters.")
    texts = _split_move(table, seat, text)
    if len(texts) > 1:
        drafts, refusal = play_run(table, table.match, seat, texts)
        if refusal is not None:
            drafts[0].data["refused"] = refusal_data(refusal)
        return drafts
    drafts = []
    match = table.match
    for move in read_moves(table.game, match.state, texts[0]):
        if drafts and seat not in table.game.to_move(match.state):
            raise NotYourTurn("The turn ends before the last of these steps; leave out the rest.")
        steps, match = _play_step(table, match, seat, move)
        drafts += steps
    return drafts


def _split_move(table: Table, seat: Seat, text: str) -> list[str]:
    game = table.game
    if not game.info.hidden or not isinstance(game, HasCompositeMoves):
        return [text]
    texts = game.split_move(game.view(table.match.state, seat), text) or [text]
    if len(texts) > MAX_COMPOSITE_STEPS:
        raise TooLarge(f"A text can stand for at most {MAX_COMPOSITE_STEPS} steps.")
    return texts


def play_run(
    table: Table, match: Match, seat: Seat, texts: Sequence[str]
) -> tuple[list[EventDraft], RealmtableError | None]:
    """Play several steps of a seat one by one; return those before the first refusal, and the refusal.

    Raises the refusal if it is that of the first step.
    """
    drafts: list[EventDraft] = []
    for text in texts:
        try:
            if drafts and seat not in table.game.to_move(match.state):
                raise NotYourTurn("The turn ends before the last of these steps.")
            steps, match = _play_step(table, match, seat, table.game.parse_move(match.state, text))
        except RealmtableError as refusal:
            if not drafts:
                raise
            return drafts, refusal
        drafts += steps
    return drafts, None


def _play_step(table: Table, match: Match, seat: Seat, move: Any) -> tuple[list[EventDraft], Match]:  # noqa: ANN401 - a game's own step
    """Play a step and the steps of chance after it."""
    text = table.game.format_move(match.state, move)
    match = match.play(seat, move)
    draws, after = _draw_chance(table, match)
    return [EventDraft("stepped", seat, None, {"move": text}, match), *draws], after


def refusal_data(refusal: RealmtableError) -> dict[str, str]:
    """Return a refusal as data that `refusal_in` can read."""
    clause = {"clause": refusal.clause, "message": refusal.sentence} if isinstance(refusal, IllegalMove) else {}
    return {"code": refusal.code, "message": str(refusal)} | clause


def refusal_in(data: Mapping[str, Any]) -> RealmtableError | None:
    """Return the refusal of a step that followed the one with this event data, in the same text."""
    if (refused := data.get("refused")) is None:
        return None
    if refused["code"] == IllegalMove.__name__:
        return IllegalMove(refused["clause"], refused["message"])
    kinds: list[type[RealmtableError]] = [BadNotation, NotYourTurn, GameOver]
    return next((kind for kind in kinds if kind.__name__ == refused["code"]), Refused)(refused["message"])


def read_moves(game: AnyGame, state: State, text: str) -> list[Any]:
    """Parse one step, or several steps of a turn that need not be complete."""
    try:
        return [game.parse_move(state, text)]
    except BadNotation as error:
        if game.info.hidden:  # trying the moves on the full state would reveal what others hold
            raise
        try:
            read = game.parse_turn(state, text, running=True)
        except BadNotation:
            raise error from None
    if read.rest or not read.moves:
        raise BadNotation(f"Cannot read this from {read.rest[:40] or text[:40]!r} on.")
    return read.moves


def _draw_chance(table: Table, match: Match) -> tuple[list[EventDraft], Match]:
    """Draw the next steps of chance from the table's seed, until a seat is to act."""
    drafts = []
    while table.game.to_move(match.state) == (CHANCE,):
        outcomes = table.game.chance(match.state)
        pick = chance.draw(table.seed, match.draws, [outcome.weight for outcome in outcomes])
        move = outcomes[pick].move
        text = table.game.format_move(match.state, move)
        match = match.play(CHANCE, move)
        drafts.append(EventDraft("drew", None, None, {"move": text}, match))
    return drafts, match


def seat_for_hint(table: Table, seats: Sequence[Seat]) -> Seat:
    """Return the seat that a hint is for: one that is to move, in an unrated game with advice or a search."""
    seat = playing_seat(table, seats)
    if not _has_hints(table):
        if table.setup.rated:
            raise NotAllowed("Hints are not available in rated games.")
        check_can_analyse(table.game.info)
    return seat


def can_ask_for_hint(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether `seat_for_hint` finds a seat."""
    if not _has_hints(table):
        return False
    return may_act(table, seats[0]) if len(seats) == 1 else any(may_act(table, seat) for seat in seats)


def _has_hints(table: Table) -> bool:
    game = table.game
    has_search = isinstance(game, HasAdvice) or can_analyse(game.info) or has_several_seats(game)
    return not table.setup.rated and has_search


def undo(table: Table, seats: Sequence[Seat]) -> list[EventDraft]:
    """Undo the latest step of the current turn, or one that the game allows to undo."""
    seat, step = find_undoable_step(table, seats)
    if not table.game.info.hidden:
        return [EventDraft("undone", seat)]
    if not _is_undone_unnoticed(table, step):
        raise NothingToUndo("Others have acted since; this step cannot be undone.")
    return [EventDraft("undone", seat, None, {"step": step})]


def find_undoable_step(table: Table, seats: Sequence[Seat]) -> tuple[Seat, int]:
    """Return the latest step that one of the seats may undo, and the seat. Raises NothingToUndo."""
    _check_running(table)
    found = _latest_undoable_step(table, seats)
    if isinstance(found, str):
        raise NothingToUndo(found)
    return found


def can_undo(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether `find_undoable_step` finds a step of a running game."""
    return not isinstance(_latest_undoable_step(table, seats), str)


def _latest_undoable_step(table: Table, seats: Sequence[Seat]) -> tuple[Seat, int] | str:
    """Return the seat and the step, or why there is none. That must not depend on the latest step if it is secret."""
    entry = table.match.entry
    if isinstance(table.game, HasUndo):
        found = [(steps[-1], seat) for seat, steps in enumerate(table.undo_steps) if steps and seat in seats]
        if not found:
            return NO_STEP
        step, seat = max(found)
        if step == table.step and entry is not None and is_final_decision(table, entry):
            return WAITED
        return seat, step
    if entry is None or entry.seat not in seats:
        return NO_STEP
    if is_final_decision(table, entry):
        return WAITED
    return table.match.why_not_undo(entry.seat) or (entry.seat, table.step)


def _is_undone_unnoticed(table: Table, step: int) -> bool:
    """Whether nothing changes for viewers who do not know of a step if it is undone, and the rest stays legal."""
    game, now = table.game, table.match.state
    line = next(line for line in reversed(table.move_list) if line.first <= step)
    try:
        then = match_without(table, step).state
    except RealmtableError:
        return False
    unaware = [viewer for viewer in (None, *range(len(table.seats))) if viewer_index(viewer) in line.hidden_from()]
    public = [(game.to_move(state), game.turn(state), game.outcome(state)) for state in (now, then)]
    return not unaware or (
        public[0] == public[1] and all(game.view(now, viewer) == game.view(then, viewer) for viewer in unaware)
    )


# ---- offers and endings


def offer(table: Table, seats: Sequence[Seat], what: str) -> list[EventDraft]:
    """Offer a draw or ask to take back the latest turn; this takes effect at once if the sender has all seats."""
    _check_running(table)
    seat = _speaking_seat(table, seats)
    refusal = _why_not_offer(table, seats, seat, what)
    if refusal is not None:
        raise refusal
    if len(seats) == len(table.seats):
        return _carry_out_offer(table, what, seat)
    return [EventDraft("offered", seat, None, {"what": what})]


def possible_offers(table: Table, seats: Sequence[Seat]) -> list[str]:
    """Return what the players on these seats of a running game may offer."""
    seat = _speaking_seat(table, seats)
    return [what for what in OFFERS if _why_not_offer(table, seats, seat, what) is None]


def _why_not_offer(table: Table, seats: Sequence[Seat], seat: Seat, what: str) -> RealmtableError | None:
    if what not in OFFERS:
        return NotAllowed(f"You can offer {' or '.join(OFFERS)}, not {what[:20]!r}.")
    if what == "draw" and len(table.seats) != TWO_PLAYERS:
        return NotAllowed("Draws can only be offered in two-player games.")
    if what == "takeback" and isinstance(why_not := _find_turn_to_take_back(table, seat), str):
        return NothingToUndo(why_not)
    if len(seats) == len(table.seats):
        return None  # it takes effect at once
    if table.offer is not None:
        return NotAllowed("Another offer is still open; answer it first.")
    if table.offer_turns.get((what, seat)) == table.game.turn(table.match.state).number:
        return NotAllowed("You have already offered this in this turn; wait for the next one.")
    return None


def answer_offer(table: Table, seats: Sequence[Seat], *, accept: bool, what: str | None = None) -> list[EventDraft]:
    """Answer another seat's offer (of the kind `what`), or withdraw one's own by declining it."""
    _check_running(table)
    pending = table.offer
    if pending is None:
        raise NothingOffered("There is no offer to answer.")
    if what not in (None, pending.what):
        raise NothingOffered("This offer is no longer open, but there is another one.")
    seat = _speaking_seat(table, seats)
    if not accept:
        return [EventDraft("declined", seat)]
    if pending.seat in seats:
        raise NothingOffered("You cannot accept your own offer.")
    return _carry_out_offer(table, pending.what, pending.seat)


def _carry_out_offer(table: Table, what: str, seat: Seat) -> list[EventDraft]:
    if what == "draw":
        return [EventDraft("drawn", seat)]
    return [EventDraft("taken_back", seat, None, {"steps": steps_to_take_back(table, seat)})]


def steps_to_take_back(table: Table, seat: Seat) -> int:
    """Return the number of steps since the start of a seat's latest turn. Raises NothingToUndo."""
    found = _find_turn_to_take_back(table, seat)
    if isinstance(found, str):
        raise NothingToUndo(found)
    return table.step - found.first + 1


def _find_turn_to_take_back(table: Table, seat: Seat) -> MoveListEntry | str:
    """Return a seat's latest turn, or why it cannot be taken back."""
    if table.game.info.hidden:
        return "Moves cannot be undone in games with hidden information."
    for line in reversed(table.move_list):
        if line.seat == seat:
            return line
    return "You have no turn to take back."


def resign(table: Table, seats: Sequence[Seat], takeover_bot: Occupant | None = None) -> list[EventDraft]:
    """Resign, or hand the seats to the `takeover_bot` if others can continue without this player."""
    _check_running(table)
    if takeover_bot is not None and goes_on_without(table, seats):
        return _hand_over(seats, takeover_bot)
    acting = [seat for seat in seats if seat in table.acting]
    return [EventDraft("resigned", acting[0] if acting else _speaking_seat(table, seats))]


def _hand_over(seats: Sequence[Seat], bot: Occupant) -> list[EventDraft]:
    return [EventDraft("sat", seat, bot.player_id, {"bot": bot.bot}) for seat in seats]


def abort(table: Table, seats: Sequence[Seat]) -> list[EventDraft]:
    """Abort a game in which the player on these seats has made no step yet."""
    _check_running(table)
    seat = _speaking_seat(table, seats)
    if (why_not := why_not_abort(table, seats)) is not None:
        raise NotAllowed(why_not)
    return [EventDraft("aborted", seat)]


def claim(table: Table, seats: Sequence[Seat], what: str, away_since: AwaySince, now: float) -> list[EventDraft]:
    """Claim a win or a draw against an opponent who has been away for long enough, while it is their turn."""
    _check_running(table)
    _speaking_seat(table, seats)
    found = find_claim(table, seats, away_since)
    if found is None:
        raise NotAllowed(translate("You can claim this only while it is your opponent's turn and they are away."))
    if (wait_s := ceil(found.possible_at - now)) > 0:
        raise NotAllowed(
            translate_count(
                "You can claim this in {count} second, unless your opponent returns.",
                "You can claim this in {count} seconds, unless your opponent returns.",
                wait_s,
            )
        )
    return [EventDraft("claimed", found.seat, None, {"what": what})]


def replace_absent_players(table: Table, away_since: AwaySince, now: float, bot: Occupant) -> list[EventDraft]:
    """Hand the seats of players who have been away for too long to a bot, if others can continue without them."""
    seats = absent_seats(table, away_since, now)
    return _hand_over(seats, bot) if goes_on_without(table, seats) else []


def goes_on_without(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether the game continues without these seats' players: it is unrated, multiplayer, and has another person."""
    return bool(seats) and not table.setup.rated and _others_play_on(table, seats)


def _others_play_on(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether the game is multiplayer and a person plays on another seat."""
    return len(table.seats) > TWO_PLAYERS and bool(table.people.keys() - {*seats})


def needs_takeover_bot(table: Table, now: float) -> bool:
    """Whether a seat has run out of time and a bot must take it over."""
    seat = _expired_seat(table, now)
    return seat is not None and _others_play_on(table, (seat,))


def _expired_seat(table: Table, now: float) -> Seat | None:
    """Return the seat that has run out of time, or None.

    Bots playing each other never run out of time, since they are paused without spectators.
    """
    expired = table.clock.expired_seat(now)
    if expired is None or table.status != "running":
        return None
    return expired if table.people else None


def check_clocks(table: Table, now: float, takeover_bot: Occupant | None = None) -> list[EventDraft]:
    """Let the game's own clock act, answer for a silent seat, or note that a seat's time is up; usually return nothing.

    In the last case the game is over, unless other people can play on: then the `takeover_bot` takes over the seat. A
    bot that runs out of time keeps its seat. A player who has not made their first step loses nothing: the game is
    aborted.
    """
    if table.status != "running":
        return []
    if table.clock_deadline is not None and now >= table.clock_deadline:
        return _clock_step(table)
    if table.decision_deadline is not None and now >= table.decision_deadline:
        return _default_step(table)
    late = [seat for seat, until in first_step_deadlines(table).items() if now >= until]
    if late:
        return [EventDraft("aborted", late[0], None, {"late": True})]
    expired = _expired_seat(table, now)
    if expired is None:
        return []
    if takeover_bot is not None and _others_play_on(table, (expired,)):
        sitter = table.seats[expired]
        bot = sitter if sitter is not None and sitter.bot else takeover_bot
        return [EventDraft("timed_out", expired, bot.player_id, {"bot": bot.bot})]
    return [EventDraft("flagged", expired)]


def _clock_step(table: Table) -> list[EventDraft]:
    """Take the step of the game's own clock and the steps of chance after it."""
    state = table.match.state
    move = table.game.legal_moves(state, CLOCK)[0]
    return _play_step(table, table.match, CLOCK, move)[0]


def _default_step(table: Table) -> list[EventDraft]:
    """Take the default step for the seat that was asked out of turn, and the steps of chance after it."""
    game, state = table.game, table.match.state
    seat = asked_seat(game, state)
    assert isinstance(game, HasDefaultSteps)  # noqa: S101 - there is a deadline
    assert seat is not None  # noqa: S101 - the seat acts
    step, *draws = _play_step(table, table.match, seat, game.default_step(state, seat))[0]
    sitter = table.seats[seat]
    player_id = None if sitter is None else sitter.player_id  # not that of the player whose request found it overdue
    return [replace(step, player_id=player_id, data={**step.data, "default": True}), *draws]


def chat(table: Table, player_id: str, seats: Sequence[Seat], text: str) -> list[EventDraft]:
    """Post a chat message."""
    message = " ".join(text.split())
    if not message:
        raise NotAllowed("The message is empty.")
    if len(message) > MAX_CHAT_LENGTH:
        raise TooLarge(f"A message can have at most {MAX_CHAT_LENGTH} characters.")
    if not may_chat(table, seats):
        raise NotAllowed("You cannot use the chat of this table.")
    return [EventDraft("chatted", seats[0] if seats else None, player_id, {"text": message})]


def may_chat(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether a viewer on these seats (none: a spectator) can read and write the chat."""
    if table.setup.chat == "nobody":
        return False
    has_secrets = table.game.info.hidden and table.started and table.result is None
    return bool(seats) or (table.setup.chat == "everyone" and not has_secrets)


def _speaking_seat(table: Table, seats: Sequence[Seat]) -> Seat:
    if not seats:
        raise NotSeated("Only players of this game can do this.")
    if len(seats) == 1:
        return seats[0]
    acting = [seat for seat in seats if seat in table.acting]
    if len(seats) == len(table.seats) and table.match.entry is not None and table.match.entry.seat in seats:
        return table.match.entry.seat
    return acting[0] if acting else seats[0]


def _check_running(table: Table) -> None:
    if table.trouble:
        raise NotRunning(table.trouble)
    if table.result is not None:
        raise NotRunning("The game is over.")
    if not table.started:
        raise NotRunning("The game has not started; a seat is still free.")
