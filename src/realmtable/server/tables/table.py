"""A live table as a value.

A table is determined by its set-up, its secret seed and its events. `realmtable.server.tables.actions` decides which
actions are allowed and which events they produce, `realmtable.server.tables.events.apply` applies the events, and
`realmtable.server.tables.replay_log` rebuilds a table from its log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, HandlePath, HasSeatNames, Outcome, Seat, View
from realmtable.kit.wording import join_words
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.events.timeout import TimedOutPlayer
from realmtable.server.tables.latest_turn import Run, latest_run
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.viewer_knowledge import COUNTS_ALL, Numbering, SecretStep, viewer_index, write_names

MAX_NEWS: Final = 20  # for each viewer


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

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Result:
        """Return the result that `as_data` has written."""
        scores, reached = data["scores"], data.get("reached", ())
        ranking = tuple(data["ranking"])
        return cls(ranking, None if scores is None else tuple(scores), data["reason"], data["text"], tuple(reached))

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


OFFERS: Final = ("draw", "takeback")


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
    for viewers who may not know of the step, or for whom a game that tells its moves has nothing to tell.
    `move_list.py` joins steps to turns for each viewer.
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
    cards: tuple[dict[str, Any] | None, ...] = ()  # as plain data: none, one for all viewers, or one for each

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
    decision_deadline: float | None = None  # when the table answers for a seat that is asked out of turn, if it may
    answered_for: tuple[Seat, ...] = ()  # seats that the table has answered for since they last acted themselves
    version: int = 0
    started: bool = False
    begun: frozenset[Seat] = frozenset()  # seats that have made a step of their own, even if it was undone
    result: Result | None = None
    offer: Offer | None = None
    offer_turns: Mapping[tuple[str, Seat], int] = field(default_factory=dict)  # of the latest offer: one per turn
    choices_since: tuple[int, ...] = ()  # by seat, the version since which its choices are unchanged
    step: int = 0  # number of steps so far, including chance
    snapshot_step: int = 0  # number of steps whose states are not in memory
    move_list: tuple[MoveListEntry, ...] = ()
    hidden_steps: tuple[SecretStep, ...] = ()  # steps hidden from some viewers
    undo_steps: tuple[tuple[int, ...], ...] = ()  # by seat, the steps it may undo, in games that decide for each step
    news: tuple[News, ...] = ()
    chat: tuple[ChatMessage, ...] = ()
    is_uncounted: bool = False  # whether enough rated games of two of the players have counted that day
    rematch: str | None = None
    rematch_by: str | None = None  # the player who asked for it
    trouble: str = ""  # why the log cannot be replayed further
    changed_at: float = 0.0
    timed_out: tuple[TimedOutPlayer, ...] = ()  # players who ran out of time, in this order
    last_paths: tuple[HandlePath, ...] = field(default=())  # `last_turn_paths` from a snapshot
    viewer_caches: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)  # shared by all versions

    @cached_property
    def game(self) -> AnyGame:
        """The game being played."""
        return self.match.game

    @cached_property
    def is_alike_for_all(self) -> bool:
        """Whether all viewers know the same, and know the seats by the same names."""
        return not self.game.info.hidden and not isinstance(self.game, HasSeatNames)

    @cached_property
    def status(self) -> str:
        """The status in lists: open, running, over or halted."""
        if self.result is not None:
            return "over"
        if self.trouble:
            return "halted"
        return "running" if self.started else "open"

    @cached_property
    def acting(self) -> tuple[Seat, ...]:
        """The seats to move while the table runs."""
        return self.game.to_move(self.match.state) if self.status == "running" else ()

    @property
    def timed_out_seats(self) -> frozenset[Seat]:
        """The seats whose players ran out of time."""
        return frozenset(late.seat for late in self.timed_out)

    @property
    def is_timed(self) -> bool:
        """Whether time can run out: a seat's, that of the game's own clock, or that for an answer out of turn."""
        return self.clock.rule.kind != "none" or self.clock_deadline is not None or self.decision_deadline is not None

    @cached_property
    def people(self) -> dict[Seat, str]:
        """The ids of the people at the table, by seat."""
        return {seat: sitter.player_id for seat, sitter in enumerate(self.seats) if sitter and sitter.bot is None}

    @cached_property
    def bots(self) -> dict[Seat, str]:
        """The names of the bots at the table, by seat."""
        return {seat: sitter.bot for seat, sitter in enumerate(self.seats) if sitter and sitter.bot is not None}

    @cached_property
    def latest_run(self) -> Run:
        """The latest run of steps by one seat; there must be at least one step."""
        return latest_run(self.match)

    @cached_property
    def last_turn_paths(self) -> tuple[HandlePath, ...]:
        """The click paths of the latest turn's steps, for games without hidden information."""
        return self.last_turn_paths_in(self.game.view(self.match.state, None))

    def last_turn_paths_in(self, view: View) -> tuple[HandlePath, ...]:
        """Return the same for a view that the caller already has."""
        if self.game.info.hidden or self.match.entry is None:
            return self.last_paths
        return tuple(self.game.handles(view, move) for move in self.latest_run.moves)

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
        if self.result is not None or not self.hidden_steps:
            return COUNTS_ALL
        key = (Numbering, tuple(seats))
        numbering: Numbering | None = self.viewer_caches.get(key)
        if numbering is None or not numbering.extend(self.hidden_steps):
            numbering = self.viewer_caches[key] = Numbering(self.hidden_steps, seats)
        return numbering

    def seats_of(self, player_id: str | None) -> tuple[Seat, ...]:
        """Return the seats of a player."""
        return tuple(  # of a list, which is faster than a generator; asked for many times per move
            [seat for seat, sitter in enumerate(self.seats) if sitter is not None and sitter.player_id == player_id]
        )


def visible_version(table: Table, seats: Sequence[Seat]) -> int:
    """Return the number of the table's version as a viewer on these seats counts."""
    return table.numbering(seats).visible_version(table.version) if table.hidden_steps else table.version


def summarize_result(table: Table) -> dict[str, Any] | None:
    """Return the result for lists, as plain data with the seats' usual names."""
    return None if table.result is None else table.result.with_names(table.game.info.seat_names).as_data()


_LASTING: Final = ("game", "is_alike_for_all")
_CACHED: Final = frozenset(
    name for name, member in vars(Table).items() if isinstance(member, cached_property) and name not in _LASTING
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


def replace_at(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - of any kind
    """Return the values with another one at an index."""
    return (*values[:index], value, *values[index + 1 :])
