"""One game of a match: its opening, and the bots that play it to the end."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import TypeVar

from realmtable.engine import registry
from realmtable.engine.bots import Bot, non_proposal_moves, plan_steps
from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import CLOCK, AnyGame, HasSetup, Move, Outcome, Seat, State, Turn
from realmtable.lab.matches.match_plan import SEATS, Entrant, GameTask, Plan

OPENING_TURNS = 4  # for games without a set-up; even, so that both seats have had equally many turns
MAX_REDRAWS = 100
ResultT = TypeVar("ResultT")
WARMED_UP: set[tuple[str, str]] = set()  # pairs of game and bot that have acted in this process


class BotFailed(RealmtableError):
    """A bot raised an error or chose a step that is not legal."""


@dataclass(frozen=True)
class PlayedGame:
    """A finished game of a match; tuples are indexed by seat."""

    pair: int
    bots: tuple[int, int]
    seed: int  # of the pair's opening
    first: Seat  # the first to act after the opening
    points: tuple[float, float]  # 1 for a win, ½ for a draw
    reason: str
    turns: int
    bot_turns: tuple[int, int]  # turns that each bot started
    seconds: tuple[float, float]  # total thinking time of each bot
    opening: int  # the number of steps in the opening
    steps: tuple[str, ...]  # in notation


def play_game(plan: Plan, task: GameTask) -> PlayedGame:
    """Play a game. The same plan and task give the same game, unless a bot is limited by time."""
    opening = play_opening(plan, task.pair)
    first = opening.game.to_move(opening.state)[0]
    for bot in task.bots:
        _warm_up(plan, bot, opening)
    sides = [_BotSide(plan.entrants[task.bots[seat]], _rng(plan, task, seat)) for seat in range(SEATS)]
    match = opening
    while acting := match.game.to_move(match.state):
        match = sides[acting[0]].play_turn(match, acting[0])
    outcome = match.outcome()
    assert outcome is not None  # noqa: S101 - no seat is to act
    log = match.log()
    return PlayedGame(
        pair=task.pair,
        bots=task.bots,
        seed=plan.derive_seed(task.pair),
        first=first,
        points=points_of(outcome),
        reason=outcome.reason,
        turns=len(match.turns()),
        bot_turns=(sides[0].turns, sides[1].turns),
        seconds=(sides[0].seconds, sides[1].seconds),
        opening=len(opening.log()),
        steps=tuple(match.game.format_move(entry.before, entry.move) for entry in log),
    )


def _warm_up(plan: Plan, bot: int, match: Match) -> None:
    """Let a bot act once in this process before it is timed, so that compiling and loading do not count."""
    key = (plan.game_id, plan.names[bot])
    if key not in WARMED_UP:
        WARMED_UP.add(key)
        rng = Random(0)  # noqa: S311 - a game, not a secret
        _BotSide(plan.entrants[bot], rng).play_turn(match, match.game.to_move(match.state)[0])


def points_of(outcome: Outcome) -> tuple[float, float]:
    """Return the points of both seats."""
    if outcome.winner is None:
        return (0.5, 0.5)
    return (1.0, 0.0) if outcome.winner == 0 else (0.0, 1.0)


def _rng(plan: Plan, task: GameTask, seat: Seat) -> Random:
    """Return the random number generator of a seat, different in each game.

    The seed includes the bots' names, so that games of equal bots in a round robin are not copies of each other.
    """
    names = (plan.names[bot] for bot in task.bots)
    return Random(plan.derive_seed(task.pair, "bots", *names, "seat", seat))  # noqa: S311 - a game, not a secret


@dataclass
class _BotSide:
    """A bot playing one game, and its thinking time."""

    entrant: Entrant
    rng: Random
    turns: int = 0
    seconds: float = 0.0
    _bot: Bot = field(init=False)
    _turn: Turn | None = None

    def __post_init__(self) -> None:
        self._bot = self._guard(self.entrant.make)

    def play_turn(self, match: Match, seat: Seat) -> Match:
        """Play the steps that the bot chooses, up to a whole turn, and return the match."""
        turn = match.game.turn(match.state)
        self.turns += turn != self._turn
        self._turn = turn
        return self._guard(lambda: self._play_steps(match, seat))

    def _play_steps(self, match: Match, seat: Seat) -> Match:
        game = match.game
        known = game.resample(match.state, seat, self.rng)
        start = perf_counter()
        moves = plan_steps(self._bot, game, known, seat, self.rng)
        self.seconds += perf_counter() - start
        return play_planned_steps(match, seat, moves)

    def _guard(self, work: Callable[[], ResultT]) -> ResultT:
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - a bot may fail in any way
            reason = str(error) if isinstance(error, RealmtableError) else repr(error)
            failed = BotFailed(f"The bot {self.entrant.name} failed: {reason}")
            failed.add_note(traceback.format_exc())
            raise failed from None


def play_planned_steps(match: Match, seat: Seat, moves: Sequence[Move]) -> Match:
    """Play the steps that a bot has planned for its turn, and return the match.

    With hidden information or chance, a step may reveal something, so only the first is played: the bot chooses again.
    """
    game, turn = match.game, match.game.turn(match.state)
    match = match.play(seat, moves[0])
    for move in [] if game.info.hidden or game.info.chance else moves[1:]:
        if game.turn(match.state) != turn or seat not in game.to_move(match.state):
            break
        match = match.play(seat, move)
    return match


def play_opening(plan: Plan, pair: int) -> Match:
    """Return the match of a pair after its opening: the same for both games, and never finished."""
    game = registry.game(plan.game_id)
    first = game.decode(plan.starts[pair % len(plan.starts)]) if plan.starts else game.initial(SEATS, plan.options)
    turns = 0 if plan.starts and plan.opening_turns is None else plan.opening_turns
    return play_random_opening(game, first, turns, lambda attempt: plan.derive_seed(pair, "opening", attempt))


def play_random_opening(game: AnyGame, first: State, turns: int | None, derive_seed: Callable[[int], int]) -> Match:
    """Return a match after some random turns, which never end it; None for the game's default number.

    By default, games with a set-up get a random one, and others four random turns; chance varies games by itself.
    """
    if turns is None:
        turns = 0 if game.info.chance else None if is_in_setup(game, first) else OPENING_TURNS
    for attempt in range(MAX_REDRAWS):
        seed = derive_seed(attempt)
        rng = Random(seed)  # noqa: S311 - a game, not a secret
        match = _play_random_turns(Match.start(game, first, str(seed)), turns, rng)
        if game.to_move(match.state):
            return match
    raise BadInput(f"All of {MAX_REDRAWS} random openings ended the game; choose fewer opening turns.")


def is_in_setup(game: AnyGame, state: State) -> bool:
    """Whether pieces are still being placed or seats chosen."""
    return isinstance(game, HasSetup) and game.is_in_setup(state)


def _play_random_turns(match: Match, turns: int | None, rng: Random) -> Match:
    """Play some turns, or the whole set-up if `turns` is None, at random and return the match."""
    game, done, turn = match.game, 0, match.game.turn(match.state)
    while acting := game.to_move(match.state):
        done += game.turn(match.state) != turn
        turn = game.turn(match.state)
        if (not is_in_setup(game, match.state)) if turns is None else done >= turns:
            break
        seat = rng.choice([seat for seat in acting if seat != CLOCK])
        match = match.play(seat, rng.choice(non_proposal_moves(game, match.state, seat)))
    return match
