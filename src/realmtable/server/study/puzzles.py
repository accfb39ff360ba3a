"""Serves puzzles: their public facts, verdicts on answers, and who has solved which.

A turn that was checked when the puzzle was made is judged at once; any other is searched briefly. The solution leaves
the server only when it was found or requested.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from realmtable.analysis.goals import points_of
from realmtable.analysis.puzzles import (
    WINNING_SCORE,
    Puzzle,
    PuzzleProgress,
    judge_answer,
    load_puzzles,
    play_turn,
    puzzle_of_the_day,
    start_match,
)
from realmtable.analysis.reasons import describe_turn, explain_good, percent
from realmtable.analysis.variation import best_variation, build_variation, is_complete
from realmtable.engine import registry
from realmtable.engine.bots import HasProposals
from realmtable.engine.language import translate, translate_count
from realmtable.engine.match import Match
from realmtable.engine.protocol import Seat
from realmtable.server.errors import NotAllowed, NotFound
from realmtable.server.fair_queue import Requester
from realmtable.server.storage.player_history import Solve, SolveStore
from realmtable.server.tables.latest_turn import actor_name
from realmtable.server.tables.replays.replay_tasks import estimate_steps
from realmtable.server.tables.scenes.moment import match_at, moment
from realmtable.server.workers.replay_pool import ReplayPool
from realmtable.server.workers.search_queue import HINT, SearchQueue

DAY_S: Final = 86_400
DIFFICULTIES: Final = ("", "Very easy", "Easy", "Medium", "Hard", "Very hard")
MAX_STEPS: Final = 200

Facts = dict[str, Any]


def find_puzzle(game_id: str, puzzle_id: str) -> Puzzle:
    """Return a puzzle of a game; raise NotFound if the id is unknown."""
    puzzle = load_puzzles(registry.info(game_id).id).get(puzzle_id)
    if puzzle is None:
        raise NotFound("There is no such puzzle; /puzzles lists them all.")
    return puzzle


def games_with_puzzles() -> list[str]:
    """Return the ids of the games that have puzzles."""
    return [info.id for info in registry.infos() if load_puzzles(info.id)]


def day_number(now: float) -> int:
    """Return the UTC day of a time, counted from 1970."""
    return int(now // DAY_S)


def daily_puzzle(game_id: str, day: int) -> Puzzle | None:
    """Return a game's puzzle of the given day; None if it has no puzzles."""
    return puzzle_of_the_day(load_puzzles(game_id).values(), day)


def count_streak(days: Sequence[int], now: int) -> int:
    """Return the length of the streak of days that ends today or yesterday; `days` is sorted, latest first.

    >>> count_streak([20, 19, 17], 20), count_streak([19, 18], 20), count_streak([18], 20)
    (2, 2, 0)
    """
    begin = now if days[:1] == [now] else now - 1
    return next((count for count, day in enumerate(days) if day != begin - count), len(days))


# ---- public facts


def public_facts(puzzle: Puzzle) -> Facts:
    """Return the public facts of a puzzle; of its solution only the length."""
    game = registry.game(puzzle.game)
    return {
        "id": puzzle.id,
        "game": puzzle.game,
        "seat": puzzle.seat,
        "seat_name": game.info.seat_names[puzzle.seat],
        "task": describe_task(puzzle),
        "goal": puzzle.goal,
        "theme": puzzle.theme,
        "difficulty": puzzle.difficulty,
        "difficulty_words": DIFFICULTIES[puzzle.difficulty],
        "number": 1 + list(load_puzzles(puzzle.game)).index(puzzle.id),
        "turns": count_turns(puzzle),
        "url": f"/puzzles/{puzzle.game}/{puzzle.id}",
    }


def describe_task(puzzle: Puzzle) -> str:
    """Return who has to do what."""
    player = registry.game(puzzle.game).info.seat_names[puzzle.seat]
    if puzzle.goal:
        return translate("{player} to move: reach {goal} points this turn", player=player, goal=puzzle.goal)
    return translate("{player} to move and win", player=player)


def count_turns(puzzle: Puzzle) -> int:
    """Return the number of turns that the solver has to find; chance may interrupt one on the way to a goal."""
    return 1 if puzzle.goal else len(puzzle.others)


def puzzle_with_board(puzzle: Puzzle) -> Facts:
    """Return the public facts of a puzzle with its board."""
    return {**public_facts(puzzle), "moment": puzzle_moment(start_match(puzzle), puzzle.seat)}


def puzzle_moment(match: Match, seat: Seat, *, goes_on: bool = True) -> Facts:
    """Return a moment of a puzzle, with choices only if the solver is to act."""
    steps = len(match.log())
    seen = moment(match, seat, step=steps, steps=steps, open_to_all=True)
    if not goes_on or match.game.to_move(match.state) != (seat,):
        return seen | {"choices": [], "labels": {}}
    return seen | {"choices": [choice for choice in seen["choices"] if not _is_proposal(match, choice["move"])]}


def _is_proposal(match: Match, text: str) -> bool:
    """Whether a step only proposes something to the opponent; in a puzzle there is no one to accept it."""
    game = match.game
    return isinstance(game, HasProposals) and game.is_proposal(game.parse_move(match.state, text))


def next_puzzle_url(puzzle: Puzzle, solved: set[str]) -> str:
    """Return the address of the next unsolved puzzle; if all are solved, of the next one."""
    ids = list(load_puzzles(puzzle.game))
    index = ids.index(puzzle.id)
    others = ids[index + 1 :] + ids[:index]
    chosen = next((each for each in others if each not in solved), others[0] if others else puzzle.id)
    return f"/puzzles/{puzzle.game}/{chosen}"


def solution(puzzle: Puzzle) -> Facts:
    """Return the solution turn by turn, with the result of the check."""
    match = start_match(puzzle)
    turns = []
    for text in puzzle.line:
        before, match = match, play_turn(match, text)
        entries = match.log()[len(before.log()) :]
        moves = [match.game.format_move(entry.before, entry.move) for entry in entries]
        actor, words = entries[0].seat, _describe_moves(before, [entry.move for entry in entries])
        name = actor_name(actor, match.game.info.seat_names)
        turns.append({"seat": actor, "name": name, "text": text, "words": words, "moves": moves})
    return {
        "turns": turns,
        "value": puzzle.value,
        "second": puzzle.second,
        "proven": puzzle.proven,
        "nodes": puzzle.nodes,
        "words": _describe_check(puzzle),
    }


def solution_moment(puzzle: Puzzle, step: int) -> Facts:
    """Return the moment after so many steps of the solution."""
    match = start_match(puzzle)
    for text in puzzle.line:
        match = play_turn(match, text)
    return puzzle_moment(match_at(match, len(match.log()), min(step, len(match.log()))), puzzle.seat, goes_on=False)


def _describe_check(puzzle: Puzzle) -> str:
    if puzzle.goal:
        return translate("No other idea brings {goal} points.", goal=puzzle.goal)
    check = "This wins by force." if puzzle.proven else f"Your winning chances: {percent(puzzle.value)}."
    return f"{check} {_describe_alternatives(puzzle)}"


def _describe_alternatives(puzzle: Puzzle) -> str:
    if puzzle.second == 0:
        return "Every other turn loses."
    return f"With the best other turn your winning chances are {percent(puzzle.second)}."


# ---- answers


class UnknownPosition(NamedTuple):
    """A position after an answer that was not checked before, and whether the solver is to act there."""

    position: str
    mine: bool


class TurnVerdict(NamedTuple):
    """The result of searching such a position: the verdict, the best reply, and the solver's chances."""

    kind: Literal["wins", "wrong"]
    reply: tuple[str, ...]
    value: float


def judge_for_player(puzzle: Puzzle, texts: Sequence[str], view: TurnVerdict | None = None) -> Facts | UnknownPosition:
    """Return the facts about an answer for the page or, if it was not checked before, the position to search.

    `view` is the verdict of that search. Runs in a worker process.
    """
    reached = judge_answer(puzzle, texts)
    game, state = reached.match.game, reached.match.state
    if reached.kind == "unknown":
        if view is None:
            mine = game.to_move(state) == game.to_move(reached.begin.state)
            return UnknownPosition(game.encode(state), mine)
        reply = _parse_moves(reached.match, view.reply)
        reached = reached._replace(kind=view.kind, reply=reply, value=view.value)
    return describe_answer(puzzle, reached)


def _parse_moves(match: Match, texts: Sequence[str]) -> tuple[Any, ...]:
    moves = []
    for text in texts:
        moves.append(match.game.parse_move(match.state, text))
        match = _play_moves(match, moves[-1:])
    return tuple(moves)


@dataclass
class PuzzleService:
    """Judges answers and remembers who has solved what."""

    search_queue: SearchQueue
    solves: SolveStore
    pool: ReplayPool
    now: Callable[[], float] = time.time

    async def find_solved(self, player_id: str | None) -> set[str]:
        """Return the ids of the puzzles that a player has solved; empty for an unknown visitor."""
        return set() if player_id is None else await self.solves.puzzle_ids_of(player_id)

    async def streak(self, player_id: str | None) -> int:
        """Return for how many days in a row a player has solved a puzzle of the day."""
        days = [] if player_id is None else await self.solves.daily_puzzle_days(player_id)
        return count_streak(days, day_number(self.now()))

    async def try_answer(self, puzzle: Puzzle, texts: Sequence[str], requester: Requester) -> Facts:
        """Judge a player's steps so far, and note a solved puzzle."""
        if len(texts) > MAX_STEPS:
            raise NotAllowed(f"An answer can have at most {MAX_STEPS} steps.")
        cost = 1 + sum(map(estimate_steps, texts))
        facts = await self.pool.run(requester, cost, judge_for_player, puzzle, texts)
        if isinstance(facts, UnknownPosition):
            verdict = await self._think_about(puzzle, facts, requester)
            facts = await self.pool.run(requester, cost, judge_for_player, puzzle, texts, verdict)
        assert not isinstance(facts, UnknownPosition)  # noqa: S101 - it has a verdict now
        if facts["verdict"] in ("solved", "wins") and requester.person is not None:
            await self._save_solve(puzzle, requester.person)
        return facts

    async def _think_about(self, puzzle: Puzzle, unknown: UnknownPosition, requester: Requester) -> TurnVerdict:
        """Judge a turn that was not checked before."""
        game = registry.game(puzzle.game)
        state = game.decode(unknown.position)
        result = await self.search_queue.think(game, state, urgency=HINT, requester=requester)
        best = best_variation(game, state, result)
        reply = best.turns[0].moves if is_complete(game, state, best) else ()
        value = result.value if unknown.mine else 1 - result.value
        return TurnVerdict("wins" if value >= WINNING_SCORE else "wrong", tuple(reply), value)

    async def _save_solve(self, puzzle: Puzzle, player_id: str) -> None:
        now = self.now()
        day = day_number(now)
        is_daily = daily_puzzle(puzzle.game, day) == puzzle
        await self.solves.add(Solve(player_id, puzzle.id, day if is_daily else 0, puzzle.game, now))


def describe_answer(puzzle: Puzzle, reached: PuzzleProgress) -> Facts:
    """Return the facts about a judged answer: the resulting board, the reply, and a sentence about both."""
    over = reached.kind not in ("open", "right")
    match, after = reached.match, None
    if reached.kind == "right":
        match, after = _before_reply(reached.match, puzzle.seat), reached.match
    elif reached.kind == "wrong" and reached.reply:
        after = _play_moves(match, reached.reply)
    return {
        "verdict": reached.kind,
        "words": _describe_verdict(puzzle, reached),
        "found": reached.found,
        "turns": count_turns(puzzle),
        "moment": puzzle_moment(match, puzzle.seat, goes_on=not over),
        "reply": None if after is None else puzzle_moment(after, puzzle.seat, goes_on=not over),
    }


def _before_reply(match: Match, seat: Seat) -> Match:
    """Return the match before the opponent's last moves."""
    while match.entry is not None and match.entry.seat != seat and match.parent is not None:
        match = match.parent
    return match


def _play_moves(match: Match, moves: Sequence[Any]) -> Match:
    for move in moves:
        match = match.play(match.game.to_move(match.state)[0], move)
    return match


def _describe_verdict(puzzle: Puzzle, reached: PuzzleProgress) -> str:
    game = reached.match.game
    outcome = reached.match.outcome()
    if reached.kind == "open":
        return ""
    if puzzle.goal:
        return _describe_goal(puzzle, reached)
    opponent = game.info.seat_names[1 - puzzle.seat]
    if reached.kind == "right":
        reply = _describe_moves(_before_reply(reached.match, puzzle.seat), reached.match.turns()[-1].moves)
        return translate("Correct! {opponent}'s answer: {turn}. Keep going.", opponent=opponent, turn=reply)
    if outcome is not None:
        return f"{'Correct!' if reached.kind == 'solved' else 'This does not win.'} {outcome.text}"
    if reached.kind == "solved":
        return _describe_solved(puzzle, reached)
    chances = percent(reached.value or 0.0)
    if reached.kind == "wins":
        start = start_match(puzzle)
        turn = _describe_moves(start, game.parse_turn(start.state, puzzle.line[0]).moves)
        return translate(
            "This wins too. Your winning chances: {chances}. The intended solution: {turn}.", chances=chances, turn=turn
        )
    if not reached.reply:
        return translate("This does not win. Your winning chances: {chances}.", chances=chances)
    return translate(
        "This does not win. {opponent}'s answer: {turn}. Your winning chances: {chances}.",
        opponent=opponent,
        turn=_describe_moves(reached.match, reached.reply),
        chances=chances,
    )


def _describe_moves(match: Match, moves: Sequence[Any]) -> str:
    """Return the steps of the seat to move in words, or else in notation."""
    game, state = match.game, match.state
    return describe_turn(game, state, game.to_move(state)[0], moves) or game.format_turn(state, moves)


def _describe_goal(puzzle: Puzzle, reached: PuzzleProgress) -> str:
    points = points_of(reached.match.game, reached.match.state, puzzle.seat)
    if reached.kind == "solved":
        return translate_count("Correct! You have {count} point.", "Correct! You have {count} points.", points)
    return translate("You have {points} of {goal} points when the turn ends.", points=points, goal=puzzle.goal)


def _describe_solved(puzzle: Puzzle, reached: PuzzleProgress) -> str:
    if not puzzle.proven:
        return f"Correct! {_explain_win(reached, puzzle.seat, puzzle.value)}"
    # The alternatives were checked for the first turn.
    return "Correct: this wins by force." + (f" {_describe_alternatives(puzzle)}" if len(puzzle.others) == 1 else "")


def _explain_win(reached: PuzzleProgress, seat: Seat, value: float) -> str:
    """Explain what an unproven winning turn gains, in terms of the game's features."""
    moves = [entry.move for entry in reached.match.log()[len(reached.begin.log()) :]]
    variation = build_variation(reached.match.game, reached.begin.state, moves, value, proven=False)
    return explain_good(reached.match.game, reached.begin.state, seat, variation, None)
