"""Mines puzzles with a goal from bot games: the most points that a turn can bring, if only one idea brings them.

Every turn of a position is looked at, so the solution is certain. Turns in which another seat decides do not count.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from realmtable.analysis.goals import likeliest_result, points_of
from realmtable.analysis.puzzles import FAILING_SCORE, MAX_DIFFICULTY, Puzzle, is_same_turn, puzzle_id
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.errors import GameOver, IllegalMove, NotYourTurn
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, NamesUses, Seat, State
from realmtable.kit.wording import join_words
from realmtable.search.baselines import GreedyBot
from realmtable.search.bot_levels import make_bot
from realmtable.search.mcts_policies import sample_chance

BOT: Final = "level5:nodes=60"  # without a clock, so that a seed always gives the same game
PUZZLES_PER_GAME: Final = 2
MAX_STATES: Final = 6_000  # positions with larger turns are left out
MAX_SOLUTIONS: Final = 40
MIN_GAIN: Final = 2  # points
MIN_STEPS: Final = 3  # of the shortest solution
STEPS_PER_POINT: Final = 2  # further steps that make a puzzle harder by one
RARE_SHARE: Final = 0.01  # of all positions of the turn that reach the goal: such a puzzle is harder
MIN_DISTANCE: Final = 12  # turns between two puzzles, so that they come from different positions
MAX_USES: Final = 2  # named in a theme
PREPARING: Final = frozenset({"to", "take", "draw", "with", "put"})  # steps that only prepare or complete others

Path = tuple[tuple[Seat, Any], ...]


@dataclass(frozen=True)
class Reached:
    """A position within a turn, or at its end, and the shortest path to it."""

    path: Path
    state: Any
    points: int


def mine_goals(game: AnyGame, seed: int) -> Iterator[Puzzle]:
    """Play one game and yield its puzzles, up to a limit."""
    rng = Random(f"{game.info.id} {seed}")  # noqa: S311 - a game, not a secret
    found = cooldown = 0
    for state in play_turns(game, game.initial(game.info.seats[seed % len(game.info.seats)]), rng):
        cooldown -= 1
        if cooldown >= 0 or found == PUZZLES_PER_GAME:
            continue
        puzzle = make_puzzle(game, state, seed)
        if puzzle is not None:
            found, cooldown = found + 1, MIN_DISTANCE
            yield puzzle


def play_turns(game: AnyGame, state: State, rng: Random) -> Iterator[State]:
    """Play a game between bots and yield the state at the start of each turn."""
    bot, begin = make_bot(BOT), None
    while acting := game.to_move(state):
        if acting == (CHANCE,):
            state = game.play(state, CHANCE, sample_chance(game, state, rng))
            continue
        if begin is None or not is_same_turn(game, begin, state):
            begin = state
            yield state
        for move in plan_steps(bot, game, state, acting[0], rng):
            state = game.play(state, acting[0], move)


# ---- one position


def make_puzzle(game: AnyGame, state: State, seed: int) -> Puzzle | None:
    """Return the puzzle of a position, or None if it has none that is worth solving."""
    (seat,) = game.to_move(state)
    reached = explore_turn(game, state)
    now, goal = reached[0].points, max(each.points for each in reached)
    solutions = [each for each in reached if each.points == goal]
    best = solutions[0]
    steps = sum(actor == seat for actor, _ in best.path)
    if goal - now < MIN_GAIN or steps < MIN_STEPS or len(reached) > MAX_STATES or len(solutions) > MAX_SOLUTIONS:
        return None
    second = (max(each.points for each in reached if each.points < goal) - now) / (goal - now)
    ideas = {holdings(game, each.state, seat) for each in solutions}
    if second > FAILING_SCORE or len(ideas) > 1 or any(needs_luck(game, state, each.path, goal) for each in solutions):
        return None
    position, line = game.encode(state), format_path(game, state, best.path)
    rare = len(solutions) <= RARE_SHARE * len(reached)
    points = (steps - MIN_STEPS) // STEPS_PER_POINT + rare + misses(GreedyBot(), game, state, goal)
    return Puzzle(
        id=puzzle_id(game.info.id, position),
        game=game.info.id,
        position=position,
        seat=seat,
        theme=name_uses(game, state, best.path),
        difficulty=min(MAX_DIFFICULTY, 1 + points),
        line=line,
        others=((),) * sum(actor == seat for actor in actors(game, state, line)),
        value=1.0,
        second=round(second, 3),
        proven=True,
        nodes=len(reached),
        seed=seed,
        goal=goal,
    )


def explore_turn(game: AnyGame, state: State, most: int = MAX_STATES) -> list[Reached]:
    """Return every position that the acting seat can reach in its turn, nearest first, beginning with this one.

    Beyond a position in which another seat decides, nothing counts. If there are more than `most`, some are missing.
    """
    (seat,) = game.to_move(state)
    found = [Reached((), state, points_of(game, state, seat))]
    seen, open_states = {state}, deque(found)
    while open_states and len(found) <= most:
        start = open_states.popleft()
        for move in game.legal_moves(start.state, seat):
            path, after = (*start.path, (seat, move)), game.play(start.state, seat, move)
            while game.to_move(after) == (CHANCE,):
                path, after = (*path, (CHANCE, drawn := likeliest_result(game, after))), game.play(after, CHANCE, drawn)
            if after in seen:
                continue
            seen.add(after)
            found.append(Reached(path, after, points_of(game, after, seat)))
            if game.to_move(after) == (seat,) and is_same_turn(game, state, after):
                open_states.append(found[-1])
    return found


def needs_luck(game: AnyGame, state: State, path: Path, goal: int) -> bool:
    """Whether another result of chance spoils a path to a goal."""
    (seat,) = game.to_move(state)
    for number, (actor, move) in enumerate(path):
        if actor == CHANCE:
            others = [game.play(state, CHANCE, other.move) for other in game.chance(state) if other.move != move]
            if any(points_after(game, other, path[number + 1 :], seat) < goal for other in others):
                return True
        state = game.play(state, actor, move)
    return False


def points_after(game: AnyGame, state: State, path: Path, seat: Seat) -> int:
    """Return a seat's points after a path, or as far as it is possible."""
    for actor, move in path:
        if game.to_move(state) == (CHANCE,):
            state = game.play(state, CHANCE, likeliest_result(game, state))
        if actor != CHANCE:
            try:
                state = game.play(state, actor, move)
            except (IllegalMove, NotYourTurn, GameOver):
                break
    return points_of(game, state, seat)


def holdings(game: AnyGame, state: State, seat: Seat) -> tuple[str, ...]:
    """Return what a seat holds: turns that lead to the same are one idea."""
    assert isinstance(game, NamesUses)  # noqa: S101 - as every game whose puzzles have goals
    return tuple(game.name_holdings(state)[seat])


def misses(bot: Bot, game: AnyGame, state: State, goal: int) -> bool:
    """Whether a bot does not reach the goal in its turn."""
    (seat,), now = game.to_move(state), state
    while game.to_move(now) and is_same_turn(game, state, now) and points_of(game, now, seat) < goal:
        actor = game.to_move(now)[0]
        if actor == CHANCE:
            now = game.play(now, actor, likeliest_result(game, now))
        else:
            now = game.play(now, actor, bot.choose(game, now, actor, Random(1)))  # noqa: S311 - a game, not a secret
    return points_of(game, now, seat) < goal


def format_path(game: AnyGame, state: State, path: Path) -> tuple[str, ...]:
    """Return a path as turns in notation."""
    match = Match.start(game, state)
    for seat, move in path:
        match = match.play(seat, move)
    return tuple(game.format_turn(run.before, run.moves) for run in match.turns())


def actors(game: AnyGame, state: State, line: Sequence[str]) -> list[Seat]:
    """Return the seat of each turn of a line."""
    found = []
    for text in line:
        (actor,) = game.to_move(state)
        found.append(actor)
        for move in game.parse_turn(state, text).moves:
            state = game.play(state, actor, move)
    return found


def name_uses(game: AnyGame, state: State, path: Path) -> str:
    """Name what a path uses last, by the first words of the uses."""
    assert isinstance(game, NamesUses)  # noqa: S101 - as every game whose puzzles have goals
    used: list[str] = []
    for seat, move in path:
        used += [use.split()[0] for use in game.name_uses(state, seat, move) if seat != CHANCE]
        state = game.play(state, seat, move)
    return join_words([use for use in dict.fromkeys(used) if use not in PREPARING][-MAX_USES:])
