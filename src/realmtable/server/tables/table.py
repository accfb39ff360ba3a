"""A live table as a value, and how each event changes it.

A table is determined by its set-up, its secret seed and its events. `realmtable.server.tables.actions` decides which
actions are allowed and which events they produce; `realmtable.server.tables.rebuild` rebuilds a table from its log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Final, NamedTuple

from realmtable.engine.match import Match, fold_label, format_move_for
from realmtable.engine.protocol import (
    CHANCE,
    CLOCK,
    AnyGame,
    HandlePath,
    HasClock,
    HasDescriptions,
    HasNews,
    Move,
    Outcome,
    Seat,
    View,
    player_seats,
)
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_describe import join_words
from realmtable.server.storage.table_store import Event
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.latest_turn import Run, actor_name, format_run, latest_run
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.viewer_numbering import Numbering, SecretStep, is_known, viewer_index

MAX_NEWS: Final = 20  # for each viewer
MAX_CHAT_MESSAGES: Final = 200


class Occupant(NamedTuple):
    """The player on a seat; `bot` is the name of the bot, if it is one."""

    player_id: str
    bot: str | None = None


class Result(NamedTuple):
    """How a game ended: by its rules, or by resignation, time or agreement (then there are no scores)."""

    ranking: tuple[int, ...]
    scores: tuple[float, ...] | None
    reason: str
    text: str

    @classmethod
    def from_outcome(cls, outcome: Outcome) -> Result:
        """Return the result that the rules give."""
        return cls(outcome.ranking, outcome.scores, outcome.reason, outcome.text)

    def as_data(self) -> dict[str, Any]:
        """Return the result as plain data."""
        scores = None if self.scores is None else list(self.scores)
        return {"ranking": list(self.ranking), "scores": scores, "reason": self.reason, "text": self.text}


class Offer(NamedTuple):
    """What a seat has offered: a "draw", or a "takeback" of its latest turn."""

    what: str
    seat: Seat

    def describe(self, name: str) -> str:
        """Describe the offer to the others at the table."""
        return f"{name} offers a draw." if self.what == "draw" else f"{name} asks to take back their last turn."


class MoveListEntry(NamedTuple):
    """A turn in the list of moves, with one text for all viewers.

    In a game with hidden information an entry is a single step, with one text for spectators and one for each seat; it
    is empty for viewers who may not know of the step. `move_list.list_moves` joins steps to turns for each viewer.
    """

    turn: int
    seat: Seat
    texts: tuple[str, ...]
    first: int  # the numbers of its first and last step
    last: int

    def text_for(self, viewer: Seat | None) -> str:
        """Return the text that a viewer may read."""
        return _text_for(self.texts, viewer)


class News(NamedTuple):
    """Something that happened, in notation and in words: one text for all viewers, or one for each."""

    version: int
    kind: str
    seat: Seat | None
    texts: tuple[str, ...]
    words: tuple[str, ...]

    def is_known(self, index: int) -> bool:
        """Whether a viewer may know of it; otherwise their text is empty."""
        return len(self.texts) == 1 or self.texts[index] != ""


class ChatMessage(NamedTuple):
    """A message in the chat of a table."""

    version: int
    player_id: str
    seat: Seat | None
    text: str
    at: float


def _text_for(texts: tuple[str, ...], viewer: Seat | None) -> str:
    return texts[0] if len(texts) == 1 else texts[viewer_index(viewer)]


@dataclass(frozen=True)
class Table:
    """A live game as an immutable value, like matches and states."""

    id: str
    setup: Setup
    seed: str
    created_by: str
    match: Match  # without the seed: draws come from the log
    clock: Clock
    seats: tuple[Occupant | None, ...]
    clock_deadline: float | None = None  # when the game's own clock acts, if it may
    version: int = 0
    started: bool = False
    result: Result | None = None
    offer: Offer | None = None
    offer_turns: tuple[int, ...] = ()  # by seat, the turn of its latest offer: one per turn
    choices_since: tuple[int, ...] = ()  # by seat, the version since which its choices are unchanged
    step: int = 0  # number of steps so far, including chance
    snapshot_step: int = 0  # number of steps before the snapshot that this was loaded from
    lines: tuple[MoveListEntry, ...] = ()
    secrets: tuple[SecretStep, ...] = ()  # steps hidden from some viewers
    news: tuple[News, ...] = ()
    chat: tuple[ChatMessage, ...] = ()
    rematch: str | None = None
    trouble: str = ""  # why the log cannot be replayed further
    changed_at: float = 0.0
    last_paths: tuple[HandlePath, ...] = field(default=())  # `last_turn_paths` from a snapshot

    @property
    def game(self) -> AnyGame:
        """The game being played."""
        return self.match.game

    @property
    def status(self) -> str:
        """The status in lists: open, running, over or halted."""
        if self.trouble:
            return "halted"
        if self.result is not None:
            return "over"
        return "running" if self.started else "open"

    @cached_property
    def acting(self) -> tuple[Seat, ...]:
        """The seats to move while the table runs."""
        return self.game.to_move(self.match.state) if self.status == "running" else ()

    @property
    def bot_due(self) -> bool:
        """Whether a bot is to move."""
        return any((sitter := self.seats[seat]) is not None and sitter.bot for seat in self.acting if seat >= 0)

    @cached_property
    def last_turn_paths(self) -> tuple[HandlePath, ...]:
        """The click paths of the latest turn's steps, for games without hidden information."""
        return self.last_turn_paths_in(self.game.view(self.match.state, None))

    def last_turn_paths_in(self, view: View) -> tuple[HandlePath, ...]:
        """Return the same for a view that the caller already has."""
        if self.game.info.hidden or self.match.entry is None:
            return self.last_paths
        return tuple(self.game.handles(view, move) for move in latest_run(self.match).moves)

    @cached_property
    def picture(self) -> str:
        """The picture that all viewers share if nothing is hidden, drawn once."""
        return self.draw(self.game.view(self.match.state, None))

    @cached_property
    def shared_parts(self) -> dict[str, Any]:
        """What scenes of this version show to several viewers alike; `scene` fills it."""
        return {}

    def draw(self, view: View) -> str:
        """Draw a view of this table; after a resignation no seat is to move, whatever the position says."""
        last = {"last": [list(path) for path in self.last_turn_paths_in(view)]}
        return self.game.draw({**view, **last, **({"to_move": []} if self.result is not None else {})})

    def numbering(self, seats: Sequence[Seat]) -> Numbering:
        """Return how a viewer on these seats (none: a spectator) counts versions and steps."""
        return Numbering(self.secrets if self.result is None else (), seats)

    def seats_of(self, player_id: str | None) -> tuple[Seat, ...]:
        """Return the seats of a player."""
        return tuple(
            seat for seat, sitter in enumerate(self.seats) if sitter is not None and sitter.player_id == player_id
        )


_FIELDS: Final = tuple(each.name for each in fields(Table))


def replace(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - the values of any fields
    """Return a table with some fields changed: `dataclasses.replace`, which takes several times as long."""
    changed: Table = object.__new__(Table)
    values = table.__dict__
    changed.__dict__.update({name: values[name] for name in _FIELDS}, **changes)
    return changed


# ---- applying events


def apply_event(table: Table, event: Event) -> Table:
    """Return the table after the next event of its log."""
    if event.version != table.version + 1:
        raise ValueError(f"event {event.version} does not follow version {table.version}")
    changed = _APPLY_BY_KIND[event.kind](replace(table, version=event.version, changed_at=event.at), event)
    if len(changed.secrets) > len(table.secrets):
        return replace(changed, changed_at=table.changed_at)  # public lists show it, which would reveal the step
    return changed


def _apply_created(table: Table, _: Event) -> Table:
    return table


def _apply_sat(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    assert event.player_id is not None  # noqa: S101 - always set for this kind
    sitter = Occupant(event.player_id, event.data.get("bot"))
    taken = replace(table, seats=_replace_at(table.seats, event.seat, sitter))
    words = f"{actor_name(table.game, event.seat)} left the game; a bot takes over."
    return _add_news(taken, event, ("",), (words,)) if table.started else taken


def _apply_left(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    return replace(table, seats=_replace_at(table.seats, event.seat, None))


def _apply_started(table: Table, event: Event) -> Table:
    begun = replace(table, started=True, choices_since=(event.version,) * len(table.seats))
    acting = begun.game.to_move(begun.match.state)
    clock = Clock.fresh(table.setup.clock, len(table.seats), event.at).advance(player_seats(acting), (), event.at)
    begun = replace(begun, clock=clock, clock_deadline=_next_clock_deadline(table, begun.match, event.at))
    return _add_news(begun, event, ("",), ("The game begins.",))


def _apply_stepped(table: Table, event: Event) -> Table:
    game, before = table.game, table.match
    seat = CHANCE if event.seat is None else event.seat
    move = game.parse_move(before.state, event.data["move"])
    match = before.play(seat, move)
    outcome = match.outcome()
    acting = player_seats(game.to_move(match.state))
    result = None if outcome is None else Result.from_outcome(outcome)
    clock = table.clock.advance(acting, _seats_ending_turn(before, match), event.at)
    texts, words = _texts_and_words(table, seat, move)
    played = replace(
        table,
        match=match,
        step=table.step + 1,
        offer=_offer_after_move(table.offer, seat),
        last_paths=(),
        choices_since=_next_choices_since(table, match, seat, event.version),
        result=result,
        clock=clock,
        clock_deadline=_next_clock_deadline(table, match, event.at),
    )
    played = replace(played, lines=_extend_lines(played, texts))
    if isinstance(before.state, ArrayState):
        before.state.drop_caches()  # a table keeps every state, but only the latest needs its legal moves
    return _add_news(_note_secret(table, played, texts), event, texts, words)


def _note_secret(before: Table, played: Table, texts: tuple[str, ...]) -> Table:
    """Record who may not know of a step; an offer of theirs remains open."""
    hidden_from = tuple(index for index, text in enumerate(texts) if not text)
    if not hidden_from or len(texts) == 1:
        return played
    secret = SecretStep(played.version, played.step, hidden_from)
    offer = before.offer if before.offer and not is_known(secret, (before.offer.seat,)) else played.offer
    return replace(played, secrets=(*played.secrets, secret), offer=offer)


def _next_clock_deadline(before: Table, match: Match, now: float) -> float | None:
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
    timed = CLOCK in before and CLOCK in now  # seats that are ready may act again at any time
    return tuple(
        known if same_turn and seat != mover and (timed or (seat in before and seat in now)) else version
        for seat, known in enumerate(table.choices_since)
    )


def _seats_ending_turn(before: Match, match: Match) -> list[Seat]:
    """Return the seats whose turn ended with a step."""
    then, now = player_seats(before.game.to_move(before.state)), match.game.to_move(match.state)
    turn_over = match.game.turn(match.state) != match.game.turn(before.state)
    return [seat for seat in then if turn_over or seat not in now]


def _apply_undone(table: Table, event: Event) -> Table:
    back = _go_back(table, 1, event.version)
    name = table.game.info.seat_names[event.seat or 0]
    return _add_news(back, event, ("",), (f"{name} undid a step.",))


def _apply_taken_back(table: Table, event: Event) -> Table:
    back = _go_back(table, int(event.data["steps"]), event.version)
    acting = player_seats(back.game.to_move(back.match.state))
    clock = table.clock.advance(acting, acting if table.setup.clock.kind != "game" else (), event.at)
    return _add_news(replace(back, offer=None, clock=clock), event, ("",), ("A turn was taken back.",))


def _go_back(table: Table, steps: int, version: int) -> Table:
    match = table.match
    for _ in range(steps):
        assert match.parent is not None  # noqa: S101 - actions count the steps there are
        match = match.parent
    step = table.step - steps
    lines = tuple(line for line in table.lines if line.first <= step)
    back = replace(table, match=match, step=step, lines=lines, choices_since=(version,) * len(table.seats), result=None)
    if match.entry is None or not lines or lines[-1].last <= step:
        return back
    return replace(back, lines=_with_latest_turn(replace(back, lines=lines[:-1]), latest_run(match)))


def _apply_offered(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    turn = table.game.turn(table.match.state).number
    offer = Offer(event.data["what"], event.seat)
    offered = replace(table, offer=offer, offer_turns=_replace_at(table.offer_turns, event.seat, turn))
    return _add_news(offered, event, ("",), (offer.describe(table.game.info.seat_names[event.seat]),))


def _apply_declined(table: Table, event: Event) -> Table:
    return _add_news(replace(table, offer=None), event, ("",), ("The offer was declined.",))


def _apply_drawn(table: Table, event: Event) -> Table:
    text = "Draw by agreement."
    result = Result((1,) * len(table.seats), None, "agreed_draw", text)
    return _add_news(_end_game(table, result, event), event, ("",), (text,))


def _apply_resigned(table: Table, event: Event) -> Table:
    return _end_with_loser(table, event, "resignation", "resigned")


def _apply_flagged(table: Table, event: Event) -> Table:
    return _end_with_loser(table, event, "time", "ran out of time")


def _end_with_loser(table: Table, event: Event, reason: str, words: str) -> Table:
    names = table.game.info.seat_names
    ranking = tuple(len(table.seats) if seat == event.seat else 1 for seat in range(len(table.seats)))
    winners = join_words([names[seat] for seat, rank in enumerate(ranking) if rank == 1])
    verb = "wins" if ranking.count(1) == 1 else "share the win"
    text = f"{names[event.seat or 0]} {words}; {winners} {verb}."
    return _add_news(_end_game(table, Result(ranking, None, reason, text), event), event, ("",), (text,))


def _end_game(table: Table, result: Result, event: Event) -> Table:
    return replace(table, result=result, offer=None, clock=table.clock.advance((), (), event.at))


def _apply_chatted(table: Table, event: Event) -> Table:
    assert event.player_id is not None  # noqa: S101 - always set for this kind
    message = ChatMessage(event.version, event.player_id, event.seat, event.data["text"], event.at)
    return replace(table, chat=(*table.chat, message)[-MAX_CHAT_MESSAGES:])


def _apply_hinted(table: Table, event: Event) -> Table:
    name = table.game.info.seat_names[event.seat or 0]
    return _add_news(table, event, ("",), (f"{name} asks for a hint.",))


def _apply_rematch(table: Table, event: Event) -> Table:
    return replace(table, rematch=event.data["table"])


_APPLY_BY_KIND: Final[Mapping[str, Callable[[Table, Event], Table]]] = {
    "created": _apply_created,
    "sat": _apply_sat,
    "left": _apply_left,
    "started": _apply_started,
    "stepped": _apply_stepped,
    "drew": _apply_stepped,
    "undone": _apply_undone,
    "taken_back": _apply_taken_back,
    "offered": _apply_offered,
    "declined": _apply_declined,
    "drawn": _apply_drawn,
    "resigned": _apply_resigned,
    "flagged": _apply_flagged,
    "chatted": _apply_chatted,
    "hinted": _apply_hinted,
    "rematch": _apply_rematch,
}
KINDS: Final = tuple(_APPLY_BY_KIND)


def _replace_at(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - of any kind
    return (*values[:index], value, *values[index + 1 :])


# ---- news and the list of moves


def _add_news(table: Table, event: Event, texts: tuple[str, ...], words: tuple[str, ...]) -> Table:
    news = (*table.news, News(event.version, event.kind, event.seat, texts, words))
    latest = _latest_for_each(news, len(table.seats) + 1) if table.secrets else news[-MAX_NEWS:]
    return replace(table, news=latest)


def _latest_for_each(news: tuple[News, ...], viewers: int) -> tuple[News, ...]:
    """Return the latest news of every viewer; secret steps must not push out what others can read."""
    counts = [0] * viewers
    latest: list[News] = []
    for item in reversed(news):
        readers = [index for index in range(viewers) if item.is_known(index)]
        if any(counts[index] < MAX_NEWS for index in readers):
            latest.append(item)
        for index in readers:
            counts[index] += 1
    return tuple(reversed(latest))


def _texts_and_words(table: Table, seat: Seat, move: Move) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a step in notation and in words: one of each, or one for spectators and each seat."""
    game, state = table.game, table.match.state
    name = actor_name(game, seat)
    if game.info.hidden:
        viewers = (None, *range(len(table.seats)))
        texts = tuple(format_move_for(game, state, seat, move, viewer) for viewer in viewers)
        if isinstance(game, HasNews):
            return texts, tuple(game.news(state, seat, move, viewer) for viewer in viewers)
        return texts, tuple(f"{name}: {text}" for text in texts)
    text = game.format_move(state, move)
    words = game.describe_move(state, move) if isinstance(game, HasDescriptions) else text
    return (text,), (f"{name}: {words}",)


def _extend_lines(table: Table, texts: tuple[str, ...]) -> tuple[MoveListEntry, ...]:
    """Return the list of moves with the latest step, which viewers read as `texts`, appended."""
    run = latest_run(table.match)
    if line := _fold_chance_line(table, run):
        return (*table.lines[: -1 if table.lines and table.lines[-1].first == line.first else None], line)
    if table.game.info.hidden:
        return (*table.lines, MoveListEntry(run.turn, run.seat, texts, table.step, table.step))
    return _with_latest_turn(table, run)


def _with_latest_turn(table: Table, run: Run) -> tuple[MoveListEntry, ...]:
    first = table.step - len(run.moves) + 1
    earlier = table.lines[:-1] if table.lines and table.lines[-1].first == first else table.lines
    return (*earlier, MoveListEntry(run.turn, run.seat, (format_run(table.game, run),), first, table.step))


def _fold_chance_line(table: Table, run: Run) -> MoveListEntry | None:
    """Return the line that a step of chance shares with the ones before it, if any."""
    text = fold_label(table.game, run.seat, run.before, run.moves[0])
    if not text:
        return None
    before = table.lines[-1] if table.lines else None
    is_shared = before is not None and before.texts == (text,) and before.last == table.step - 1
    return MoveListEntry(run.turn, run.seat, (text,), before.first if before and is_shared else table.step, table.step)
