"""A live table as a value, and how each event changes it.

A table is determined by its set-up, its secret seed and its events. `realmtable.server.tables.actions` decides which
actions are allowed and which events they produce; `realmtable.server.tables.rebuild` rebuilds a table from its log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from realmtable.engine.errors import NothingToUndo
from realmtable.engine.match import LogEntry, Match, fold_label, format_move_for, topic_for
from realmtable.engine.protocol import (
    CHANCE,
    CLOCK,
    AnyGame,
    HandlePath,
    HasClock,
    HasDescriptions,
    HasNews,
    HasTopics,
    HasUndo,
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
from realmtable.server.tables.seat_names import names_to_keep, write_names
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.timeouts import LatePlayer, describe_ranking, describe_timeout, rank_last
from realmtable.server.tables.viewer_numbering import Numbering, SecretStep, viewer_index

MAX_NEWS: Final = 20  # for each viewer
MAX_CHAT_MESSAGES: Final = 200
MAX_UNDO_STEPS: Final = 32  # that a seat can undo in a row, in games that decide for each step


class HistoryNeeded(Exception):
    """An event goes back to a step whose state is no longer in memory."""


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
    reached: tuple[bool, ...] = ()  # by seat, whether it reached its own goal; empty if there are no goals

    @classmethod
    def from_outcome(cls, outcome: Outcome, names: Sequence[str]) -> Result:
        """Return the result that the rules give; `names` are those of the seats, or marks for them."""
        goals = f" {describe_goals(outcome.reached, names)}" if outcome.reached else ""
        return cls(outcome.ranking, outcome.scores, outcome.reason, outcome.text + goals, outcome.reached)

    def with_names(self, names: Sequence[str]) -> Result:
        """Return the result with names for the seats in its text."""
        return self._replace(text=write_names(self.text, names))

    def as_data(self) -> dict[str, Any]:
        """Return the result as plain data; `reached` is left out if there are no goals."""
        scores = None if self.scores is None else list(self.scores)
        data = {"ranking": list(self.ranking), "scores": scores, "reason": self.reason, "text": self.text}
        return data | ({"reached": list(self.reached)} if self.reached else {})


def describe_goals(reached: Sequence[bool], names: Sequence[str]) -> str:
    """Say in a sentence which seats reached their own goals.

    >>> describe_goals([True, False, True], ["Ann", "Bob", "Cid"]), describe_goals([False, False], ["Ann", "Bob"])
    ('Ann and Cid reached their goals; Bob fell short.', 'Nobody reached their goal.')
    >>> describe_goals([True], ["Ann"]), describe_goals([False], ["Ann"])
    ('Ann reached their goal.', 'Ann fell short of their goal.')
    """
    if len(reached) == 1:
        return f"{names[0]} {'reached' if reached[0] else 'fell short of'} their goal."
    if not any(reached):
        return "Nobody reached their goal."
    able = [names[seat] for seat, has in enumerate(reached) if has]
    short = [names[seat] for seat, has in enumerate(reached) if not has]
    rest = f"; {join_words(short)} fell short" if short else ""
    return f"{join_words(able)} reached their goal{'s' if len(able) > 1 else ''}{rest}."


class Offer(NamedTuple):
    """What a seat has offered: a "draw", or a "takeback" of its latest turn."""

    what: str
    seat: Seat

    def describe(self, name: str) -> str:
        """Describe the offer to the others at the table."""
        return f"{name} offers a draw." if self.what == "draw" else f"{name} asks to take back their last turn."


class MoveListEntry(NamedTuple):
    """A turn in the list of moves, with one text for all viewers.

    In a game with hidden information an entry is a single step. Viewers who read the same share a text; it is empty
    for viewers who may not know of the step. `move_list.py` joins steps to turns for each viewer.
    """

    turn: int
    seat: Seat
    texts: tuple[str, ...]
    first: int  # the numbers of its first and last step
    last: int
    readers: tuple[int, ...] = ()  # by `viewer_index`, which of the texts a viewer reads; empty if there is one for all
    topics: tuple[str, ...] = ()  # of the texts, in games with topics

    def text_for(self, viewer: Seat | None) -> str:
        """Return the text that a viewer may read."""
        return self.texts[self._index_for(viewer)]

    def topic_for(self, viewer: Seat | None) -> str:
        """Return the topic as far as a viewer may know it."""
        return self.topics[self._index_for(viewer)] if self.topics else ""

    def hidden_from(self) -> tuple[int, ...]:
        """Return the viewers who may not know of it, as numbered by `viewer_index`."""
        return tuple(index for index, reader in enumerate(self.readers) if not self.texts[reader])

    def _index_for(self, viewer: Seat | None) -> int:
        return self.readers[viewer_index(viewer)] if self.readers else 0


def share_texts(texts: Sequence[str], topics: Sequence[str] = ()) -> dict[str, tuple[Any, ...]]:
    """Return the fields of an entry from a text for each viewer: each different text once, and who reads which.

    >>> share_texts(["", "dig", "", ""])
    {'texts': ('', 'dig'), 'readers': (0, 1, 0, 0), 'topics': ()}
    """
    pairs = list(zip(texts, topics, strict=True)) if topics else [(text, "") for text in texts]
    distinct = list(dict.fromkeys(pairs))
    return {
        "texts": tuple(text for text, _ in distinct),
        "readers": tuple(distinct.index(pair) for pair in pairs),
        "topics": tuple(topic for _, topic in distinct) if topics else (),
    }


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
    snapshot_step: int = 0  # number of steps whose states are not in memory
    lines: tuple[MoveListEntry, ...] = ()
    secrets: tuple[SecretStep, ...] = ()  # steps hidden from some viewers
    undo_steps: tuple[tuple[int, ...], ...] = ()  # by seat, the steps it may undo, in games that decide for each step
    news: tuple[News, ...] = ()
    chat: tuple[ChatMessage, ...] = ()
    rematch: str | None = None
    trouble: str = ""  # why the log cannot be replayed further
    changed_at: float = 0.0
    timed_out: tuple[LatePlayer, ...] = ()  # players who ran out of time, in this order
    last_paths: tuple[HandlePath, ...] = field(default=())  # `last_turn_paths` from a snapshot
    viewer_caches: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)  # shared by all versions

    @cached_property
    def game(self) -> AnyGame:
        """The game being played."""
        return self.match.game

    @cached_property
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
    def late_seats(self) -> frozenset[Seat]:
        """The seats whose players ran out of time."""
        return frozenset(late.seat for late in self.timed_out)

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
        return self.game.draw(self.view_to_draw(view))

    def view_to_draw(self, view: View) -> dict[str, Any]:
        """Return a view with the latest turn and, after the end, without a seat to move."""
        last = {"last": [list(path) for path in self.last_turn_paths_in(view)]}
        return {**view, **last, **({"to_move": []} if self.result is not None else {})}

    def numbering(self, seats: Sequence[Seat]) -> Numbering:
        """Return how a viewer on these seats (none: a spectator) counts versions and steps."""
        if self.result is not None:
            return Numbering((), seats)
        key = (Numbering, tuple(seats))
        numbering: Numbering | None = self.viewer_caches.get(key)
        if numbering is None or not numbering.extend(self.secrets):
            numbering = self.viewer_caches[key] = Numbering(self.secrets, seats)
        return numbering

    def seats_of(self, player_id: str | None) -> tuple[Seat, ...]:
        """Return the seats of a player."""
        return tuple(  # of a list, which is faster than a generator; asked for many times per move
            [seat for seat, sitter in enumerate(self.seats) if sitter is not None and sitter.player_id == player_id]
        )


def summarize_result(table: Table) -> dict[str, Any] | None:
    """Return the result for lists, as plain data with the seats' usual names."""
    return None if table.result is None else table.result.with_names(table.game.info.seat_names).as_data()


_CACHED: Final = frozenset(
    name for name, member in vars(Table).items() if isinstance(member, cached_property) and name != "game"
)  # what may differ between versions


def replace(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - the values of any fields
    """Return a table with some fields changed: `dataclasses.replace`, which takes several times as long."""
    changed: Table = object.__new__(Table)
    values = changed.__dict__
    values.update(table.__dict__)
    for name in _CACHED:
        values.pop(name, None)
    values.update(changes)
    return changed


# ---- applying events


def apply_event(table: Table, event: Event, played: Match | None = None) -> Table:
    """Return the table after the next event of its log.

    `played` is the match after the event's step, if the caller has played it. Raises HistoryNeeded if the event goes
    back to a step whose state is not in memory.
    """
    if event.version != table.version + 1:
        raise ValueError(f"event {event.version} does not follow version {table.version}")
    if event.kind in STEP_KINDS:
        changed = _apply_stepped(table, event, played)
    else:
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
    words = f"{names_to_keep(table.game)[event.seat]} left the game; a bot takes over."
    return _add_news(taken, event, ("",), (words,)) if table.started else taken


def _apply_left(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    return replace(table, seats=_replace_at(table.seats, event.seat, None))


def _apply_started(table: Table, event: Event) -> Table:
    begun = replace(table, started=True, choices_since=(event.version,) * len(table.seats))
    acting = begun.game.to_move(begun.match.state)
    clock = Clock.fresh(table.setup.clock, len(table.seats), event.at).run(player_seats(acting), event.at)
    begun = replace(begun, clock=clock, clock_deadline=_next_clock_deadline(table, begun.match, event.at))
    return _add_news(begun, event, ("",), ("The game begins.",))


def _apply_stepped(table: Table, event: Event, played: Match | None = None) -> Table:
    game, before = table.game, table.match
    seat = CHANCE if event.seat is None else event.seat
    if played is not None and _continues(table, seat, played):
        match = played
    else:
        match = before.play(seat, game.parse_move(before.state, event.data["move"]))
    assert match.entry is not None  # noqa: S101 - it has just been played
    move = match.entry.move
    texts, words = _texts_and_words(table, seat, move, event.data["move"] if match is played else None)
    hidden_from = tuple(index for index, text in enumerate(texts) if not text) if len(texts) > 1 else ()
    outcome = match.outcome()
    after = replace(
        table,
        version=event.version,
        changed_at=event.at,
        match=match,
        step=table.step + 1,
        offer=_offer_after_move(table.offer, seat),
        last_paths=(),
        choices_since=_next_choices_since(table, match, seat, event.version),
        result=None if outcome is None else _rank_late_seats(table, Result.from_outcome(outcome, names_to_keep(game))),
        clock=_clock_after_step(table, match, event.at),
        clock_deadline=_next_clock_deadline(table, match, event.at),
    )
    changes: dict[str, Any] = {
        "undo_steps": _next_undo_steps(table, after, seat, hidden_from),
        "lines": _extend_lines(after, texts),
    }
    if hidden_from:  # an offer remains open, since its end would reveal the step
        secret = SecretStep(after.version, after.step, hidden_from)
        changes |= {"secrets": (*after.secrets, secret), "offer": table.offer}
    if isinstance(before.state, ArrayState):
        before.state.drop_caches()  # a table keeps many states, but only the latest needs its legal moves
    return _add_news(after, event, texts, words, **changes)


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


def _seat_before_chance(match: Match) -> Seat | None:
    """Return the seat after whose step chance acts."""
    node: Match | None = match
    while node is not None and node.entry is not None:
        if node.entry.seat != CHANCE:
            return node.entry.seat
        node = node.parent
    return None


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


def _clock_after_step(table: Table, match: Match, now: float) -> Clock:
    """Return the clock after a step, or after undoing one, has led to `match`.

    If it goes on for the same seats, it is left as it is: rounding the remaining times would reveal a secret step.
    """
    turn, acting = table.game.turn(table.match.state), table.game.to_move(match.state)
    turn_over = table.game.turn(match.state) != turn or not acting
    if not turn_over and player_seats(acting) == table.clock.running:
        return table.clock
    return table.clock.after_step(turn.seat, player_seats(acting), now, turn_over=turn_over)


def _apply_undone(table: Table, event: Event) -> Table:
    seat = event.seat or 0
    words = f"{names_to_keep(table.game)[seat]} undid a step."
    if table.game.info.hidden:
        return _undo_among_secrets(table, event, seat, words)
    back = _go_back(table, 1, event.version)
    back = replace(back, clock=_clock_after_step(table, back.match, event.at))
    return _add_news(back, event, ("",), (words,))


def _undo_among_secrets(table: Table, event: Event, seat: Seat, words: str) -> Table:
    """Undo a seat's step, which others may have followed; viewers who did not know of it do not learn of this."""
    step = int(event.data["step"])
    match = match_without(table, step)
    index = next(at for at in range(len(table.lines) - 1, -1, -1) if table.lines[at].first <= step)
    line, later = table.lines[index], table.lines[index + 1 :]
    hidden_from = line.hidden_from()
    secrets = _secrets_without(table.secrets, step)
    back = replace(
        table,
        match=match,
        step=table.step - 1,
        lines=(
            *table.lines[:index],
            *(other._replace(first=other.first - 1, last=other.last - 1) for other in later),
        ),
        secrets=(*secrets, SecretStep(event.version, 0, hidden_from)) if hidden_from else secrets,
        undo_steps=tuple(
            tuple(other - (other > step) for other in steps if other != step) for steps in table.undo_steps
        ),
        choices_since=_choices_since_after_undo(table, match, seat, hidden_from),
        clock=_clock_after_step(table, match, event.at),
        clock_deadline=_next_clock_deadline(table, match, event.at),
    )
    known = ["" if index in hidden_from else "undo" for index in range(len(table.seats) + 1)]
    return _add_news(back, event, tuple(known), tuple(words if text else "" for text in known))


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


def _secrets_without(secrets: tuple[SecretStep, ...], step: int) -> tuple[SecretStep, ...]:
    """Return the secrets after a step was undone: it remains secret as a version, and later steps move up."""
    first = next((index for index, secret in enumerate(secrets) if secret.step >= step), len(secrets))
    moved = [  # all new, so that no viewer's numbering is continued from here on
        secret._replace(step=0 if secret.step in (0, step) else secret.step - 1) for secret in secrets[first:]
    ]
    return (*secrets[:first], *moved)


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


def _apply_taken_back(table: Table, event: Event) -> Table:
    back = _go_back(table, int(event.data["steps"]), event.version)
    acting = player_seats(back.game.to_move(back.match.state))
    clock = table.clock.after_takeback(acting, _seats_in_turn(back.match), event.at)
    return _add_news(replace(back, offer=None, clock=clock), event, ("",), ("A turn was taken back.",))


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
    lines = tuple(line for line in table.lines if line.first <= step)
    undo_steps = tuple(tuple(other for other in known if other <= step) for known in table.undo_steps)
    back = replace(table, match=match, step=step, lines=lines, undo_steps=undo_steps, result=None)
    back = replace(back, choices_since=(version,) * len(table.seats))
    if match.entry is None or not lines or lines[-1].last <= step:
        return back
    return replace(back, lines=_with_latest_turn(replace(back, lines=lines[:-1]), latest_run(match)))


def _apply_offered(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    turn = table.game.turn(table.match.state).number
    offer = Offer(event.data["what"], event.seat)
    offered = replace(table, offer=offer, offer_turns=_replace_at(table.offer_turns, event.seat, turn))
    return _add_news(offered, event, ("",), (offer.describe(names_to_keep(table.game)[event.seat]),))


def _apply_declined(table: Table, event: Event) -> Table:
    return _add_news(replace(table, offer=None), event, ("",), ("The offer was declined.",))


def _apply_drawn(table: Table, event: Event) -> Table:
    text = "Draw by agreement."
    result = Result((1,) * len(table.seats), None, "agreed_draw", text)
    return _add_news(_end_game(table, result, event), event, ("",), (text,))


def _apply_resigned(table: Table, event: Event) -> Table:
    return _end_with_loser(table, event, "resignation", "resigned")


def _apply_flagged(table: Table, event: Event) -> Table:
    return _end_with_loser(_note_late_player(table, event), event, "time", "ran out of time")


def _apply_timed_out(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for this kind
    assert event.player_id is not None  # noqa: S101 - always set for this kind
    bot = Occupant(event.player_id, event.data["bot"])
    clock = table.clock.stop(event.seat, event.at)
    offer = None if table.offer is not None and table.offer.seat == event.seat else table.offer
    late = _note_late_player(table, event)
    late = replace(late, seats=_replace_at(table.seats, event.seat, bot), clock=clock, offer=offer)
    words = describe_timeout(actor_name(event.seat, names_to_keep(table.game)), table.setup.timeout)
    return _add_news(late, event, ("",), (words,))


def _note_late_player(table: Table, event: Event) -> Table:
    assert event.seat is not None  # noqa: S101 - always set for these kinds
    sitter = table.seats[event.seat]
    assert sitter is not None  # noqa: S101 - a game runs only with all seats taken
    return replace(table, timed_out=(*table.timed_out, LatePlayer(event.seat, sitter.player_id)))


def _rank_late_seats(table: Table, result: Result) -> Result:
    """Return a result with the seats that ran out of time in last place, if the set-up says so."""
    late = table.late_seats
    if table.setup.timeout_rule != "last" or not late:
        return result
    text = describe_ranking(result.text, result.ranking, late, names_to_keep(table.game))
    return result._replace(ranking=rank_last(result.ranking, late), text=text)


def _end_with_loser(table: Table, event: Event, reason: str, words: str) -> Table:
    names = names_to_keep(table.game)
    if len(table.seats) == 1:  # nobody wins instead
        text = f"{names[0]} {'gave up' if reason == 'resignation' else words}."
        return _add_news(_end_game(table, Result((1,), None, reason, text), event), event, ("",), (text,))
    ranking = tuple(len(table.seats) if seat == event.seat else 1 for seat in range(len(table.seats)))
    winners = join_words([names[seat] for seat, rank in enumerate(ranking) if rank == 1])
    verb = "wins" if ranking.count(1) == 1 else "share the win"
    text = f"{names[event.seat or 0]} {words}; {winners} {verb}."
    result = _rank_late_seats(table, Result(ranking, None, reason, text))
    return _add_news(_end_game(table, result, event), event, ("",), (result.text,))


def _end_game(table: Table, result: Result, event: Event) -> Table:
    return replace(table, result=result, offer=None, clock=table.clock.run((), event.at))


def _apply_chatted(table: Table, event: Event) -> Table:
    assert event.player_id is not None  # noqa: S101 - always set for this kind
    message = ChatMessage(event.version, event.player_id, event.seat, event.data["text"], event.at)
    return replace(table, chat=(*table.chat, message)[-MAX_CHAT_MESSAGES:])


def _apply_hinted(table: Table, event: Event) -> Table:
    name = names_to_keep(table.game)[event.seat or 0]
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
    "timed_out": _apply_timed_out,
    "chatted": _apply_chatted,
    "hinted": _apply_hinted,
    "rematch": _apply_rematch,
}
KINDS: Final = tuple(_APPLY_BY_KIND)
STEP_KINDS: Final = ("stepped", "drew")


def _replace_at(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - of any kind
    return (*values[:index], value, *values[index + 1 :])


# ---- news and the list of moves


def _add_news(
    table: Table,
    event: Event,
    texts: tuple[str, ...],
    words: tuple[str, ...],
    **changes: Any,  # noqa: ANN401 - as above
) -> Table:
    """Return the table with another piece of news, and other fields changed."""
    news = (*table.news, News(event.version, event.kind, event.seat, texts, words))
    secrets = changes.get("secrets", table.secrets)
    latest = _latest_for_each(news, len(table.seats) + 1) if secrets else news[-MAX_NEWS:]
    return replace(table, news=latest, **changes)


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


def _texts_and_words(table: Table, seat: Seat, move: Move, text: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a step in notation and in words: one of each, or one for spectators and each seat.

    `text` is its notation, if the caller has just formatted it.
    """
    game, state = table.game, table.match.state
    name = actor_name(seat, names_to_keep(game))
    if game.info.hidden:
        viewers = (None, *range(len(table.seats)))
        texts = tuple(format_move_for(game, state, seat, move, viewer) for viewer in viewers)
        if isinstance(game, HasNews):
            return texts, tuple(game.news(state, seat, move, viewer) for viewer in viewers)
        return texts, tuple(f"{name}: {text}" for text in texts)
    text = game.format_move(state, move) if text is None else text
    words = game.describe_move(state, move) if isinstance(game, HasDescriptions) else text
    return (text,), (f"{name}: {words}",)


def _extend_lines(table: Table, texts: tuple[str, ...]) -> tuple[MoveListEntry, ...]:
    """Return the list of moves with the latest step, which viewers read as `texts`, appended."""
    run = latest_run(table.match)
    if line := _fold_chance_line(table, run):
        return (*table.lines[: -1 if table.lines and table.lines[-1].first == line.first else None], line)
    if table.game.info.hidden:
        shared = share_texts(texts, _topics(table, (None, *range(len(table.seats)))))
        return (*table.lines, MoveListEntry(run.turn, run.seat, first=table.step, last=table.step, **shared))
    return _with_latest_turn(table, run)


def _topics(table: Table, viewers: Sequence[Seat | None]) -> tuple[str, ...]:
    """Return the topic of the latest step for each viewer; empty if the game has no topics."""
    entry = table.match.entry
    assert entry is not None  # noqa: S101 - the caller has played a step
    if not isinstance(table.game, HasTopics):
        return ()
    return tuple(topic_for(table.game, entry.before, entry.seat, entry.move, viewer) for viewer in viewers)


def _with_latest_turn(table: Table, run: Run) -> tuple[MoveListEntry, ...]:
    """Return the list of moves with the latest turn, which has the topic of its first step."""
    first = table.step - len(run.moves) + 1
    earlier = table.lines[:-1] if table.lines and table.lines[-1].first == first else table.lines
    game = table.game
    topics = (topic_for(game, run.before, run.seat, run.moves[0], None),) if isinstance(game, HasTopics) else ()
    text = format_run(game, run)
    return (*earlier, MoveListEntry(run.turn, run.seat, (text,), first, table.step, topics=topics))


def _fold_chance_line(table: Table, run: Run) -> MoveListEntry | None:
    """Return the line that a step of chance shares with the ones before it, if any."""
    text = fold_label(table.game, run.seat, run.before, run.moves[0])
    if not text:
        return None
    before = table.lines[-1] if table.lines else None
    is_shared = before is not None and before.texts == (text,) and not before.readers and before.last == table.step - 1
    first = before.first if before and is_shared else table.step
    return MoveListEntry(run.turn, run.seat, (text,), first, table.step, topics=_topics(table, (None,)))
