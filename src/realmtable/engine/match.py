"""One playing of a game: the present state and how it came about. A match is a value, as states are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from realmtable.engine import chance
from realmtable.engine.errors import NothingToUndo
from realmtable.engine.protocol import CHANCE, AnyGame, HasFoldedMoves, HasSecretSteps, Outcome, Seat, Turn


class LogEntry(NamedTuple):
    """One step of the log: who took it, and in which state and turn."""

    seat: Seat
    move: Any
    before: Any
    turn: Turn


class PlayedTurn(NamedTuple):
    """A run of steps by one seat in one turn."""

    turn: Turn
    seat: Seat
    before: Any  # the state it began in
    moves: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Match:
    """A match; `play` returns the next one. Start one with `Match.start`.

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
    def start(cls, game: AnyGame, state: Any = None, seed: str | None = None) -> Match:  # noqa: ANN401 - the game's own
        """A match from a state, by default the game's first; with a seed chance acts by itself."""
        first = game.initial(game.info.seats[0]) if state is None else state
        return cls(game, first, seed).resolve_chance()

    def play(self, seat: Seat, move: Any) -> Match:  # noqa: ANN401 - the game's own
        """The match after a step of a seat and whatever chance does then."""
        return self._play_step(seat, move).resolve_chance()

    def resolve_chance(self) -> Match:
        """The match after chance has acted, if there is a seed to draw from, until a seat acts or the game is over."""
        match = self
        while match.seed is not None and match.game.to_move(match.state) == (CHANCE,):
            outcomes = match.game.chance(match.state)
            pick = chance.draw(match.seed, match.draws, [outcome.weight for outcome in outcomes])
            match = match._play_step(CHANCE, outcomes[pick].move)
        return match

    def _play_step(self, seat: Seat, move: Any) -> Match:  # noqa: ANN401 - the game's own
        entry = LogEntry(seat, move, self.state, self.game.turn(self.state))
        after = self.game.play(self.state, seat, move)
        return Match(self.game, after, self.seed, self.draws + (seat == CHANCE), entry, self)

    def undo(self, seat: Seat) -> Match:
        """The match before a seat's latest step: only its own, in the turn that still runs, never past a secret."""
        entry = self.entry
        if entry is None or self.parent is None or entry.seat != seat:
            raise NothingToUndo("There is no step of yours to take back.")
        if self.game.turn(self.state) != entry.turn or not self.game.to_move(self.state):
            raise NothingToUndo("The turn is over; its steps stand.")
        if self.game.info.hidden:
            raise NothingToUndo("In a game with secrets a step may have shown one, so it stands.")
        return self.parent

    def is_turn_running(self) -> bool:
        """Whether the latest step's turn goes on."""
        entry, acting = self.entry, self.game.to_move(self.state)
        return entry is not None and entry.seat in acting and self.game.turn(self.state) == entry.turn

    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.game.outcome(self.state)

    def log(self) -> list[LogEntry]:
        """Every step from the start."""
        entries = []
        match: Match | None = self
        while match is not None and match.entry is not None:
            entries.append(match.entry)
            match = match.parent
        return entries[::-1]

    def turns(self) -> list[PlayedTurn]:
        """The log in turns, the running one last."""
        return list(group_into_turns(self.log()))

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat may know, with the handle paths of the latest turn's steps where nothing is secret."""
        view = self.game.view(self.state, seat)
        turns = [] if self.game.info.hidden else self.turns()[-1:]
        last = [list(self.game.handles(view, move)) for turn in turns for move in turn.moves]
        return {**view, "last": last}


def format_move_for(game: AnyGame, state: Any, seat: Seat, move: Any, viewer: Seat | None) -> str:  # noqa: ANN401 - the game's own
    """The text of a step that a seat takes in `state`, as far as a viewer (None: a spectator) may know it."""
    if isinstance(game, HasSecretSteps):
        return game.format_move_for(state, seat, move, viewer)
    return game.format_move(state, move) if viewer == seat or not game.info.hidden else "…"


def fold_label(game: AnyGame, seat: Seat, state: Any, move: Any) -> str:  # noqa: ANN401 - the game's own
    """The line that a step shares with those around it in a list of moves; nothing where it has a line of its own."""
    return game.fold_label(state, move) if seat == CHANCE and isinstance(game, HasFoldedMoves) else ""


def group_into_turns(entries: list[LogEntry]) -> Iterator[PlayedTurn]:
    """Steps in runs of one seat and turn; everything that chance or the clock does by itself."""
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
