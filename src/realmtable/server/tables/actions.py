"""What people may do at a table, and the events that follow. Pure: a table and a wish in, drafts of events out.

Each function refuses with the reason or returns the drafts that `realmtable.server.tables.service` appends; whether a
seat belongs to the sender has been settled before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from realmtable.engine import chance
from realmtable.engine.errors import BadNotation, NothingToUndo, NotYourTurn
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, HasAdvice, Seat, player_seats
from realmtable.search.analysis import check_can_analyse
from realmtable.server.errors import (
    NotAllowed,
    NothingOffered,
    NotRunning,
    NotSeated,
    SeatTaken,
    StaleVersion,
    TooLarge,
)
from realmtable.server.tables.table import Occupant, Table

MAX_MOVE_LENGTH: Final = 2_000
MAX_CHAT_LENGTH: Final = 500
OFFERS: Final = ("draw", "takeback")
TWO_PLAYERS: Final = 2
TAKEOVER_BOT: Final = "level5"  # the bot that plays on for who leaves a game of several


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event that has no version or moment yet."""

    kind: str
    seat: Seat | None = None
    player_id: str | None = None
    data: dict[str, Any] = field(default_factory=dict)


# ---- sitting down


def open_seats(table: Table) -> list[Seat]:
    """The seats nobody sits on."""
    return [seat for seat, sitter in enumerate(table.seats) if sitter is None]


def sit(table: Table, sitter: Occupant, seat: Seat | None) -> list[EventDraft]:
    """Sit down on a seat, by default the first free one; the last one to sit starts the game."""
    if table.started:
        raise NotRunning("The game has begun; you can watch it.")
    free = open_seats(table)
    if seat is not None and not 0 <= seat < len(table.seats):
        raise NotSeated(f"The table has seats 0 to {len(table.seats) - 1}.")
    if not free or (seat is not None and seat not in free):
        raise SeatTaken("Somebody sits there already.")
    chosen = free[0] if seat is None else seat
    drafts = [EventDraft("sat", chosen, sitter.player_id, {"bot": sitter.bot} if sitter.bot else {})]
    return [*drafts, *start_game(table)] if len(free) == 1 else drafts


def start_game(table: Table) -> list[EventDraft]:
    """The start of the game and whatever chance does first."""
    return [EventDraft("started"), *_draw_chance(table, table.match)[0]]


def leave(table: Table, seats: Sequence[Seat]) -> list[EventDraft]:
    """Stand up before the game has begun."""
    if table.started:
        raise NotRunning("The game has begun; resign it instead.")
    if not seats:
        raise NotSeated("You do not sit at this table.")
    return [EventDraft("left", seat) for seat in seats]


# ---- playing


def check_version(table: Table, seat: Seat, version: int) -> None:
    """Refuse what was decided on an older position than the present one."""
    if version > table.version or version < table.choices_since[seat]:
        raise StaleVersion("The table has moved on since you looked; here is how it stands now.")


def playing_seat(table: Table, seats: Sequence[Seat]) -> Seat:
    """The seat that a sender moves for: the acting one of his."""
    _check_running(table)
    if not seats:
        raise NotSeated("You watch this game; sit down at a table of your own to play.")
    acting = [seat for seat in seats if may_act(table, seat)]
    if not acting:
        names = " and ".join(table.game.info.seat_names[seat] for seat in player_seats(table.acting))
        raise NotYourTurn(f"It is {names}'s turn.")
    return acting[0]


def may_act(table: Table, seat: Seat) -> bool:
    """Whether a seat is to move, or may although nobody waits for it, as who is ready while time runs may come back."""
    return seat in table.acting or (CLOCK in table.acting and bool(table.game.legal_moves(table.match.state, seat)))


def play(table: Table, seat: Seat, text: str) -> list[EventDraft]:
    """A step, or the steps of a whole turn, with what chance does after each."""
    _check_running(table)
    if len(text) > MAX_MOVE_LENGTH:
        raise TooLarge(f"A turn is at most {MAX_MOVE_LENGTH:,} characters long.")
    drafts: list[EventDraft] = []
    match = table.match
    for move in read_moves(table.game, match.state, text):
        if drafts and seat not in table.game.to_move(match.state):
            raise NotYourTurn("The turn ends before the last of these steps; leave the rest out.")
        drafts.append(EventDraft("stepped", seat, None, {"move": table.game.format_move(match.state, move)}))
        match = match.play(seat, move)
        draws, match = _draw_chance(table, match)
        drafts += draws
    return drafts


def read_moves(game: AnyGame, state: Any, text: str) -> list[Any]:  # noqa: ANN401 - the game's own
    """The steps of a text: one, or the several of a turn that may go on."""
    try:
        return [game.parse_move(state, text)]
    except BadNotation as error:
        if game.info.hidden:  # trying it out on the whole state would tell what others hold
            raise
        try:
            read = game.parse_turn(state, text, running=True)
        except BadNotation:
            raise error from None
    if read.rest or not read.moves:
        raise BadNotation(f"This could not be read from {read.rest[:40] or text[:40]!r} on.")
    return read.moves


def _draw_chance(table: Table, match: Match) -> tuple[list[EventDraft], Match]:
    """Everything chance does now, drawn from the table's seed."""
    drafts = []
    while table.game.to_move(match.state) == (CHANCE,):
        outcomes = table.game.chance(match.state)
        pick = chance.draw(table.seed, match.draws, [outcome.weight for outcome in outcomes])
        move = outcomes[pick].move
        drafts.append(EventDraft("drew", None, None, {"move": table.game.format_move(match.state, move)}))
        match = match.play(CHANCE, move)
    return drafts, match


def seat_for_hint(table: Table, seats: Sequence[Seat]) -> Seat:
    """The seat that may ask for a hint: one to move, where nothing is at stake and the game or a search can help."""
    seat = playing_seat(table, seats)
    if table.setup.rated:
        raise NotAllowed("There are no hints in rated games.")
    if not isinstance(table.game, HasAdvice):
        check_can_analyse(table.game.info)
    return seat


def undo(table: Table, seats: Sequence[Seat]) -> list[EventDraft]:
    """Take back the latest step of the turn that runs."""
    _check_running(table)
    entry = table.match.entry
    if entry is None or entry.seat not in seats:
        raise NothingToUndo("There is no step of yours to take back.")
    table.match.undo(entry.seat)
    return [EventDraft("undone", entry.seat)]


# ---- agreeing and ending


def offer(table: Table, seats: Sequence[Seat], what: str) -> list[EventDraft]:
    """Offer a draw, or ask to take back one's latest turn; who plays all seats needs nobody's consent."""
    _check_running(table)
    seat = _speaking_seat(table, seats)
    if what not in OFFERS:
        raise NotAllowed(f"One can offer {' or '.join(OFFERS)}, not {what[:20]!r}.")
    if what == "draw" and len(table.seats) > TWO_PLAYERS:
        raise NotAllowed("A draw is for two to agree on; here the game decides.")
    if what == "takeback":
        steps_to_take_back(table, seat)  # refuses where there is nothing to take back
    if len(seats) == len(table.seats):
        return _carry_out_offer(table, what, seat)
    if table.offer is not None:
        raise NotAllowed("There is an offer to be answered first.")
    if table.offer_turns[seat] == table.game.turn(table.match.state).number:
        raise NotAllowed("You have made an offer in this turn already; wait for the next one.")
    return [EventDraft("offered", seat, None, {"what": what})]


def answer_offer(table: Table, seats: Sequence[Seat], *, accept: bool) -> list[EventDraft]:
    """Answer the offer of another seat; who made it may withdraw it by declining."""
    _check_running(table)
    standing = table.offer
    if standing is None:
        raise NothingOffered("There is no offer to answer.")
    seat = _speaking_seat(table, seats)
    if not accept:
        return [EventDraft("declined", seat)]
    if standing.seat in seats:
        raise NothingOffered("Your offer is for the others to answer.")
    return _carry_out_offer(table, standing.what, standing.seat)


def _carry_out_offer(table: Table, what: str, seat: Seat) -> list[EventDraft]:
    if what == "draw":
        return [EventDraft("drawn", seat)]
    return [EventDraft("taken_back", seat, None, {"steps": steps_to_take_back(table, seat)})]


def steps_to_take_back(table: Table, seat: Seat) -> int:
    """How many steps go back to the beginning of a seat's latest turn; refused where that may tell a secret."""
    if table.game.info.hidden:
        raise NothingToUndo("In a game with secrets a step may have shown one, so it stands.")
    own = [line for line in table.lines if line.seat == seat]
    if not own or own[-1].first <= table.snapshot_step:
        raise NothingToUndo("There is no turn of yours to take back.")
    return table.step - own[-1].first + 1


def resign(table: Table, seats: Sequence[Seat], heir: Occupant | None = None) -> list[EventDraft]:
    """Give the game up; where others play on together, the heir takes over."""
    _check_running(table)
    if heir is not None and goes_on_without(table, seats):
        return [EventDraft("sat", seat, heir.player_id, {"bot": heir.bot}) for seat in seats]
    acting = [seat for seat in seats if seat in table.acting]
    return [EventDraft("resigned", acting[0] if acting else _speaking_seat(table, seats))]


def goes_on_without(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether others would lose their game if people left these seats: several play unrated, another person too."""
    people = [seat for seat, sitter in enumerate(table.seats) if sitter is not None and sitter.bot is None]
    return bool(seats) and len(table.seats) > TWO_PLAYERS and not table.setup.rated and bool({*people} - {*seats})


def check_clocks(table: Table, now: float) -> list[EventDraft]:
    """What time brings: the game's own clock takes its step, or a seat's time is up; mostly nothing.

    Bots among themselves never run out of time: they are paused while nobody watches.
    """
    if table.status != "running":
        return []
    if table.clock_deadline is not None and now >= table.clock_deadline:
        return _clock_step(table)
    fallen = table.clock.expired_seat(now) if any(sitter and not sitter.bot for sitter in table.seats) else None
    return [] if fallen is None else [EventDraft("flagged", fallen)]


def _clock_step(table: Table) -> list[EventDraft]:
    """The step of the game's own clock, and what chance does after it."""
    state = table.match.state
    move = table.game.legal_moves(state, CLOCK)[0]
    draws, _ = _draw_chance(table, table.match.play(CLOCK, move))
    return [EventDraft("stepped", CLOCK, None, {"move": table.game.format_move(state, move)}), *draws]


def chat(table: Table, player_id: str, seats: Sequence[Seat], text: str) -> list[EventDraft]:
    """Say something at the table."""
    said = " ".join(text.split())
    if not said:
        raise NotAllowed("There is nothing to say.")
    if len(said) > MAX_CHAT_LENGTH:
        raise TooLarge(f"Say it in at most {MAX_CHAT_LENGTH} characters.")
    if not may_chat(table, seats):
        raise NotAllowed("The chat of this table is closed to you.")
    return [EventDraft("chatted", seats[0] if seats else None, player_id, {"text": said})]


def may_chat(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether somebody on these seats (none: a spectator) reads and writes the chat."""
    if table.setup.chat == "nobody":
        return False
    return bool(seats) or (table.setup.chat == "everyone" and not (table.game.info.hidden and table.result is None))


def _speaking_seat(table: Table, seats: Sequence[Seat]) -> Seat:
    if not seats:
        raise NotSeated("Only those who play can do this.")
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
        raise NotRunning("The game has not begun; a seat is still open.")
