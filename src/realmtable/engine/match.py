"""A match: the current state of a game and the steps that led to it. Like a state, a match is an immutable value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from realmtable.engine import chance
from realmtable.engine.errors import NothingToUndo
from realmtable.engine.protocol import (
    CHANCE,
    AnyGame,
    HasFoldedMoves,
    HasSecretSteps,
    HasTopics,
    HasUndo,
    Move,
    Outcome,
    Seat,
    State,
    Turn,
)

NO_STEP: Final = "You have no step to undo."


class LogEntry(NamedTuple):
    """One step of the log: the seat that took it, and the state and turn it was taken in."""

    seat: Seat
    move: Any
    before: Any
    turn: Turn


class PlayedTurn(NamedTuple):
    """A run of steps by one seat in one turn."""

    turn: Turn
    seat: Seat
    before: Any  # the state the run started from
    moves: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Match:
    """A match. Start one with `Match.start`; `play` returns the next one.

    >>> import realmtable
    >>> match = Match.start(realmtable.game("realm"))
    >>> match = match.play(0, match.game.parse_move(match.state, "Bh11"))
    >>> match.game.to_move(match.state), len(match.log())
    ((1,), 1)
    """

    game: AnyGame
    state: Any
    seed: str | None = None
    draws: int = 0  # how often chance has acted
    entry: LogEntry | None = None  # the latest step
    parent: Match | None = None  # the match before it

    @classmethod
    def start(cls, game: AnyGame, state: State = None, seed: str | None = None) -> Match:
        """Start a match from `state`, by default the game's initial one; with a seed, chance plays automatically."""
        first = game.initial(game.info.seats[0]) if state is None else state
        return cls(game, first, seed).resolve_chance()

    def play(self, seat: Seat, move: Move) -> Match:
        """Return the match after a seat's step and any chance steps that follow."""
        return self._play_step(seat, move).resolve_chance()

    def resolve_chance(self) -> Match:
        """Play chance steps, if there is a seed to draw from, until a seat is to act or the game is over."""
        match = self
        while match.seed is not None and match.game.to_move(match.state) == (CHANCE,):
            outcomes = match.game.chance(match.state)
            pick = chance.draw(match.seed, match.draws, [outcome.weight for outcome in outcomes])
            match = match._play_step(CHANCE, outcomes[pick].move)
        return match

    def _play_step(self, seat: Seat, move: Move) -> Match:
        entry = LogEntry(seat, move, self.state, self.game.turn(self.state))
        after = self.game.play(self.state, seat, move)
        return Match(self.game, after, self.seed, self.draws + (seat == CHANCE), entry, self)

    def undo(self, seat: Seat) -> Match:
        """Return the match before the latest step. A seat may undo only its own steps of the current turn.

        A game that `HasUndo` decides for each step instead.
        """
        reason = self.why_not_undo(seat)
        if reason is not None or self.parent is None:
            raise NothingToUndo(reason or NO_STEP)
        return self.parent

    def why_not_undo(self, seat: Seat) -> str | None:
        """Return why a seat may not undo the latest step, or None if it may."""
        entry = self.entry
        if entry is None or self.parent is None or entry.seat != seat:
            return NO_STEP
        if isinstance(self.game, HasUndo):
            may_undo = self.game.to_move(self.state) and self.game.can_undo(entry.before, seat, entry.move)
            return None if may_undo else "This step cannot be undone."
        if self.game.turn(self.state) != entry.turn or not self.game.to_move(self.state):
            return "The turn is over; its steps cannot be undone."
        return "Steps cannot be undone in games with hidden information." if self.game.info.hidden else None

    def forget_before(self, steps: int) -> Match:
        """Return the same match without the history before its latest `steps` steps, to save memory."""
        kept: list[Match] = []
        node: Match | None = self
        while node is not None and node.entry is not None and len(kept) < steps:
            kept.append(node)
            node = node.parent
        if node is None or node.entry is None:
            return self  # there is nothing before them
        match = replace(node, entry=None, parent=None)
        for each in reversed(kept):
            match = replace(each, parent=match)
        return match

    def is_turn_running(self) -> bool:
        """Whether the turn of the latest step is still in progress."""
        entry, acting = self.entry, self.game.to_move(self.state)
        return entry is not None and entry.seat in acting and self.game.turn(self.state) == entry.turn

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is running."""
        return self.game.outcome(self.state)

    def log(self) -> list[LogEntry]:
        """Return every step from the start."""
        entries = []
        match: Match | None = self
        while match is not None and match.entry is not None:
            entries.append(match.entry)
            match = match.parent
        return entries[::-1]

    def turns(self) -> list[PlayedTurn]:
        """Return the log grouped into turns; the last one may be incomplete."""
        return list(group_into_turns(self.log()))

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """Return what a seat may see, plus the handles of the latest turn's steps unless the game hides information."""
        view = self.game.view(self.state, seat)
        turns = [] if self.game.info.hidden else self.turns()[-1:]
        last = [list(self.game.handles(view, move)) for turn in turns for move in turn.moves]
        return {**view, "last": last}


def format_move_for(game: AnyGame, state: State, seat: Seat, move: Move, viewer: Seat | None) -> str:
    """Return the text of a seat's step in `state`, as far as the viewer (None for a spectator) may see it."""
    if isinstance(game, HasSecretSteps):
        return game.format_move_for(state, seat, move, viewer)
    return game.format_move(state, move) if viewer == seat or not game.info.hidden else "…"


def topic_for(game: AnyGame, state: State, seat: Seat, move: Move, viewer: Seat | None) -> str:
    """Return the topic of a seat's step in `state`, as far as the viewer may know it; empty if it has none."""
    return game.topic(state, seat, move, viewer) if isinstance(game, HasTopics) else ""


def fold_label(game: AnyGame, seat: Seat, state: State, move: Move) -> str:
    """Return the line that a step shares with its neighbours in the move list, or "" if it gets a separate line."""
    return game.fold_label(state, move) if seat == CHANCE and isinstance(game, HasFoldedMoves) else ""


def group_into_turns(entries: list[LogEntry]) -> Iterator[PlayedTurn]:
    """Group steps by seat and turn; each step of chance or the clock forms a separate group."""
    run: list[LogEntry] = []
    for entry in entries:
        if run and (entry.seat < 0 or (entry.turn, entry.seat) != (run[0].turn, run[0].seat)):
            yield _make_played_turn(run)
            run = []
        run.append(entry)
    if run:
        yield _make_played_turn(run)


def _make_played_turn(run: list[LogEntry]) -> PlayedTurn:
    return PlayedTurn(run[0].turn, run[0].seat, run[0].before, tuple(entry.move for entry in run))
