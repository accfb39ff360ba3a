"""Plays one game of an experiment and records the facts that its measures need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from random import Random
from time import perf_counter
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.options import parse_pairs
from realmtable.engine.protocol import (
    AnyGame,
    CountsGains,
    HasPieceSymbols,
    HasStandings,
    Move,
    NamesUses,
    Outcome,
    Seat,
    State,
    player_seats,
)
from realmtable.lab.balance.experiment import BalanceTask
from realmtable.lab.matches.match_game import BotFailed, play_planned_steps, play_random_opening
from realmtable.search.baselines import HasEvaluate
from realmtable.search.bot_levels import make_bot

FIRST_LEAD: Final = "lead"  # what the first seat to lead has gained
MAX_WORDS: Final = 3  # of a step that say what was used
WARMED_UP: Final[set[tuple[str, str]]] = set()  # games and bots that have acted in this process


@dataclass(frozen=True)
class LeadFacts:
    """Who led when, by the game's standings or evaluation after each turn."""

    behind: float  # the share of turns in which a seat other than the winner led
    changes: int  # how often the lead went to another seat
    comeback: bool  # whether a seat other than the winner led in the middle of the game
    settled: float  # when the winner took the lead for good, as a share of the game


@dataclass(frozen=True)
class GameFacts:
    """What is known about a finished game; tuples are indexed by seat."""

    shares: tuple[float, ...]  # of the win: 1 for the only winner, ½ if two share the first place
    scores: tuple[float, ...]
    reason: str
    first: Seat  # the first to act after the opening
    turns: int
    steps: int  # without those of chance
    lead: LeadFacts | None  # None: nobody won, or the game does not say who leads
    firsts: Mapping[str, Seat]  # the first seat to gain something, by the words of the game
    used: Mapping[str, tuple[int, ...]]  # how often each seat used a piece, a card or an action
    seconds: float  # how long it took after the opening, without compiling and loading

    @property
    def is_decided(self) -> bool:
        """Whether one seat has won."""
        return max(self.shares) == 1

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def facts_from_dict(data: Mapping[str, Any]) -> GameFacts:
    """Restore facts from plain data; raises `KeyError` or `TypeError` if it is malformed."""
    lead = data["lead"]
    return GameFacts(
        shares=tuple(map(float, data["shares"])),
        scores=tuple(map(float, data["scores"])),
        reason=str(data["reason"]),
        first=int(data["first"]),
        turns=int(data["turns"]),
        steps=int(data["steps"]),
        lead=None if lead is None else LeadFacts(**lead),
        firsts={str(word): int(seat) for word, seat in data["firsts"].items()},
        used={str(word): tuple(map(int, counts)) for word, counts in data["used"].items()},
        seconds=float(data["seconds"]),
    )


def play_balance_game(task: BalanceTask) -> dict[str, Any]:
    """Play a game and return its `GameFacts` as plain data; raises `BotFailed`."""
    game = registry.game(task.game_id)
    options = game.options(None, **parse_pairs(game.info.options_type, list(task.options)))
    first_state = game.initial(task.seats, options)
    opening = play_random_opening(game, first_state, task.opening_turns, partial(derive_seed, task.seed))
    _warm_up(task, opening)
    start = perf_counter()
    facts = _play_on(task, opening, _Observer(game, task.seats, opening))
    return {**facts.as_dict(), "seconds": round(perf_counter() - start, 4)}


def derive_seed(seed: int, attempt: int) -> int:
    """Return the seed of an opening, which is drawn again if it ends the game."""
    return Random(f"{seed} opening {attempt}").getrandbits(64)  # noqa: S311 - a game, not a secret


def _warm_up(task: BalanceTask, opening: Match) -> None:
    """Let a bot act once in this process before it is timed, so that compiling and loading do not count."""
    if (task.game_id, task.bot) not in WARMED_UP:
        WARMED_UP.add((task.game_id, task.bot))
        played = _let_bot_act(task, make_bot(task.bot), opening, _make_rngs(task))
        _Observer(opening.game, task.seats, opening).watch(opening, played)


def _make_rngs(task: BalanceTask) -> list[Random]:
    return [Random(f"{task.seed} seat {seat}") for seat in range(task.seats)]  # noqa: S311 - a game, not a secret


def _let_bot_act(task: BalanceTask, bot: Bot, match: Match, rngs: Sequence[Random]) -> Match:
    """Return the match after the bot's next steps, for the first seat that acts."""
    game = match.game
    seat = player_seats(game.to_move(match.state))[0]  # there is no clock here that could act
    known = game.resample(match.state, seat, rngs[seat])
    try:
        return play_planned_steps(match, seat, plan_steps(bot, game, known, seat, rngs[seat]))
    except RealmtableError as error:
        raise BotFailed(f"The bot {task.bot} failed: {error}") from None


def _play_on(task: BalanceTask, match: Match, observer: _Observer) -> GameFacts:
    game, bot, rngs = match.game, make_bot(task.bot), _make_rngs(task)
    while game.to_move(match.state):
        played = _let_bot_act(task, bot, match, rngs)
        observer.watch(match, played)
        match = played
    outcome = match.outcome()
    assert outcome is not None  # noqa: S101 - no seat is to act
    return observer.finish(outcome, match.state)


class _Observer:
    """Watches a game and notes its facts."""

    def __init__(self, game: AnyGame, seats: int, opening: Match) -> None:
        self.game = game
        self.seats = seats
        self.first: Seat = player_seats(game.to_move(opening.state))[0]
        self.turns = 0
        self.steps = 0
        self.leaders: list[Seat | None] = []  # after each turn
        self.firsts: dict[str, Seat] = {}
        self.used: defaultdict[str, list[int]] = defaultdict(lambda: [0] * seats)
        self.symbols: Mapping[str, str] = game.piece_symbols() if isinstance(game, HasPieceSymbols) else {}
        self._gains = self._count_gains(opening.state)
        self._worths = rate_seats(game, opening.state, seats)

    def watch(self, before: Match, after: Match) -> None:
        """Note the steps from one match to a later one."""
        node = after
        while node is not before and node.entry is not None and node.parent is not None:
            if node.entry.seat >= 0:
                self.steps += 1
                self._note_uses(node.entry.before, node.entry.seat, node.entry.move)
            node = node.parent
        self._note_gains(after.state)
        if not self.game.to_move(after.state) or self.game.turn(after.state) != self.game.turn(before.state):
            self.turns += 1
            self._note_leader(after.state)
        elif self.game.turn(after.state).seat < 0:
            self._note_leader(after.state, only_changes=True)

    def finish(self, outcome: Outcome, last: State) -> GameFacts:
        if isinstance(self.game, NamesUses):
            for seat, words in enumerate(self.game.name_holdings(last)):
                self._count_uses(seat, words)
        places = outcome.ranking.count(1)
        shares = tuple(float(rank == 1) / places for rank in outcome.ranking)
        leaders = self.leaders[:-1]  # the last one is the outcome itself
        return GameFacts(
            shares=shares,
            scores=tuple(map(float, outcome.scores)),
            reason=outcome.reason,
            first=self.first,
            turns=self.turns,
            steps=self.steps,
            lead=None if outcome.winner is None or not leaders else describe_lead(leaders, outcome.winner),
            firsts=self.firsts,
            used={word: tuple(counts) for word, counts in sorted(self.used.items())},
            seconds=0.0,
        )

    def _count_gains(self, state: State) -> Mapping[str, Sequence[int]]:
        return self.game.gains(state) if isinstance(self.game, CountsGains) else {}

    def _note_gains(self, state: State) -> None:
        now = self._count_gains(state)
        for word, counts in now.items():
            higher = [seat for seat in range(self.seats) if counts[seat] > self._gains[word][seat]]
            if len(higher) == 1:  # if two seats gain at once, neither is first
                self.firsts.setdefault(word, higher[0])
        self._gains = now

    def _note_uses(self, state: State, seat: Seat, move: Move) -> None:
        if isinstance(self.game, NamesUses):
            self._count_uses(seat, self.game.name_uses(state, seat, move))
        else:
            self._count_uses(seat, [name_use(self.game, state, move, self.symbols)])

    def _count_uses(self, seat: Seat, words: Sequence[str]) -> None:
        for word in words:
            self.used[word][seat] += 1

    def _note_leader(self, state: State, *, only_changes: bool = False) -> None:
        """Note who leads. While all seats act at once, only changes count: the number of steps means nothing then."""
        worths = rate_seats(self.game, state, self.seats)
        if not worths or (only_changes and worths == self._worths):
            return
        self._worths = worths
        best = [seat for seat in range(self.seats) if worths[seat] == max(worths)]
        leader = best[0] if len(best) == 1 else None
        self.leaders.append(leader)
        if leader is not None and self.game.to_move(state):
            self.firsts.setdefault(FIRST_LEAD, leader)


def rate_seats(game: AnyGame, state: State, seats: int) -> list[float]:
    """Return a number for each seat, of which the highest leads; empty if the game has no such numbers or one seat.

    A game's own standings take precedence over its evaluation, which is made for searches.
    """
    if seats == 1:
        return []
    if isinstance(game, HasStandings):
        return [*map(float, game.standings(state))]
    return [game.evaluate(state, seat) for seat in range(seats)] if isinstance(game, HasEvaluate) else []


def describe_lead(leaders: Sequence[Seat | None], winner: Seat) -> LeadFacts:
    """Return the facts of the lead in a game with a winner; `leaders` are those after each turn but the last.

    >>> describe_lead([0, 0, 1, None, 1, 0, 1, 1], winner=1)
    LeadFacts(behind=0.375, changes=3, comeback=False, settled=0.75)
    """
    held = [leader for leader in leaders if leader is not None]
    last_other = max((place for place, leader in enumerate(leaders) if leader != winner), default=-1)
    middle = leaders[len(leaders) // 2]
    return LeadFacts(
        behind=sum(leader != winner for leader in held) / len(leaders),
        changes=sum(one != other for one, other in pairwise(held)),
        comeback=middle is not None and middle != winner,
        settled=(last_other + 1) / len(leaders),
    )


def name_use(game: AnyGame, state: State, move: Move, symbols: Mapping[str, str]) -> str:
    """Return what a step uses: the letter of a piece, or the words of the step without places and numbers."""
    text = game.format_move(state, move)
    if text[:1] in symbols:
        return text[0]
    words = text.replace("(", " ").split()
    plain = [word for word in words if not any(sign.isdigit() for sign in word)]
    return " ".join(plain[:MAX_WORDS]) or words[0][:1] if words else "step"
