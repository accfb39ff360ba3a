"""The result of a match: scores for each pairing, ratings, how the games ended, and confidence intervals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, NamedTuple

from realmtable.lab.match_statistics import (
    Interval,
    Sprt,
    SprtVerdict,
    count_pair_scores,
    effective_games,
    elo,
    score_interval,
)
from realmtable.lab.matches.match_file import match_header
from realmtable.lab.matches.match_game import PlayedGame
from realmtable.lab.matches.match_plan import SEATS, Plan
from realmtable.lab.matches.ratings import Meeting, Rating, bradley_terry

MIN_RATED_BOTS = 3  # with two bots, the score is enough


class Tally(NamedTuple):
    """Wins, draws and losses of one side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """One point for a win, half a point for a draw."""
        return self.won + self.drawn / 2

    @property
    def score(self) -> float:
        """The share of points; ½ if no games were played."""
        return self.points / self.games if self.games else 0.5


def make_tally(points: Iterable[float]) -> Tally:
    """Count the wins, draws and losses in a list of points per game."""
    seen = Counter(points)
    return Tally(seen[1.0], seen[0.5], seen[0.0])


@dataclass(frozen=True)
class Versus:
    """One bot against another, from the first bot's point of view; all pairs are complete."""

    one: int
    other: int
    games: tuple[PlayedGame, ...]

    @cached_property
    def tally(self) -> Tally:
        return make_tally(_points_of(self.games, self.one))

    @cached_property
    def by_seat(self) -> tuple[Tally, Tally]:
        """The first bot's tally on each seat."""
        return make_tally(_points_of(self.games, self.one, 0)), make_tally(_points_of(self.games, self.one, 1))

    @cached_property
    def pairs(self) -> tuple[int, ...]:
        """The number of pairs that scored 0, ½, 1, 1½ and 2 points."""
        return count_pair_scores(pair_scores(self.games, lambda game: game.points[game.bots.index(self.one)]))

    @cached_property
    def interval(self) -> Interval:
        """The 95% interval of the score."""
        return score_interval(self.pairs)

    @property
    def elo(self) -> float:
        """The Elo difference; infinite if one bot won every game."""
        return elo(self.tally.score)

    @property
    def elo_interval(self) -> Interval:
        return Interval(elo(self.interval.low), elo(self.interval.high))


class ThinkingTime(NamedTuple):
    """A bot's thinking time over all its games."""

    turns: int
    seconds: float

    @property
    def per_turn(self) -> float:
        return self.seconds / max(1, self.turns)


class SprtStatus(NamedTuple):
    """The status of a sequential test."""

    sprt: Sprt
    ratio: float
    verdict: SprtVerdict
    pairs: int


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, complete or not.

    Games of incomplete pairs, and games after a test was decided, do not count.
    """

    plan: Plan
    games: tuple[PlayedGame, ...]
    sprt: Sprt | None = None
    interrupted: bool = False

    @cached_property
    def versus(self) -> list[Versus]:
        """Each pairing of bots that have played."""
        found: dict[tuple[int, int], list[PlayedGame]] = defaultdict(list)
        for game in self.games:
            found[min(game.bots), max(game.bots)].append(game)
        return [Versus(*bots, tuple(games)) for bots, games in sorted(found.items())]

    @cached_property
    def tallies(self) -> list[Tally]:
        return [make_tally(_points_of(self.games, bot)) for bot in range(len(self.plan.entrants))]

    @cached_property
    def by_seat(self) -> list[tuple[Tally, Tally]]:
        return [
            (make_tally(_points_of(self.games, bot, 0)), make_tally(_points_of(self.games, bot, 1)))
            for bot in range(len(self.plan.entrants))
        ]

    @cached_property
    def ratings(self) -> list[Rating]:
        """Each bot's Elo relative to the average; empty for two bots."""
        if len(self.plan.entrants) < MIN_RATED_BOTS or not self.games:
            return []
        meetings = [
            Meeting(versus.one, versus.other, versus.tally.points, versus.tally.games, effective_games(versus.pairs))
            for versus in self.versus
        ]
        return bradley_terry(meetings, len(self.plan.entrants))

    @cached_property
    def sprt_status(self) -> SprtStatus | None:
        """The status of the sequential test, if there is one."""
        if self.sprt is None:
            return None
        counts = self.versus[0].pairs if self.versus else (0,) * 5
        return SprtStatus(self.sprt, self.sprt.ratio(counts), self.sprt.verdict(counts), sum(counts))

    @cached_property
    def first_mover(self) -> Tally:
        """The tally of the side that moved first when the bots took over."""
        return make_tally(game.points[game.first] for game in self.games)

    @cached_property
    def first_mover_interval(self) -> Interval:
        return score_interval(count_pair_scores(pair_scores(self.games, lambda game: game.points[game.first])))

    @property
    def end_reasons(self) -> Counter[str]:
        """The number of games per end reason."""
        return Counter(game.reason for game in self.games)

    @property
    def mean_turns(self) -> float:
        """The average number of turns per game, including the opening."""
        return sum(game.turns for game in self.games) / max(1, len(self.games))

    @cached_property
    def thinking(self) -> list[ThinkingTime]:
        return [_thinking_time(self.games, bot) for bot in range(len(self.plan.entrants))]

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data; an infinite Elo becomes None."""
        return {
            **match_header(self.plan),
            "games": len(self.games),
            "interrupted": self.interrupted,
            "results": [self._versus_data(versus) for versus in self.versus],
            "ratings": [
                {"bot": name, "elo": _round_elo(rating.elo), "interval": _round_interval(rating.interval)}
                for name, rating in zip(self.plan.names, self.ratings, strict=False)
            ],
            "sprt": self._test_data(),
            "first_mover": self._first_data(),
            "ends": dict(self.end_reasons.most_common()),
            "turns": round(self.mean_turns, 2),
            "seconds_per_turn": {
                name: round(thinking.per_turn, 6) for name, thinking in zip(self.plan.names, self.thinking, strict=True)
            },
        }

    def _versus_data(self, versus: Versus) -> dict[str, Any]:
        return {
            "bots": [self.plan.names[versus.one], self.plan.names[versus.other]],
            **versus.tally._asdict(),
            "score": round(versus.tally.score, 4),
            "score_interval": [round(end, 4) for end in versus.interval],
            "elo": _round_elo(versus.elo),
            "elo_interval": _round_interval(versus.elo_interval),
            "pairs": list(versus.pairs),
            "by_seat": [seat._asdict() for seat in versus.by_seat],
        }

    def _test_data(self) -> dict[str, Any] | None:
        if self.sprt_status is None:
            return None
        sprt, ratio, verdict, pairs = self.sprt_status
        status = {"llr": round(ratio, 4), "bound": round(sprt.bound, 4), "verdict": verdict.value, "pairs": pairs}
        return {"elo0": sprt.elo0, "elo1": sprt.elo1, "error": sprt.error, **status}

    def _first_data(self) -> dict[str, Any] | None:
        if not self.games:
            return None
        interval = [round(end, 4) for end in self.first_mover_interval]
        return {**self.first_mover._asdict(), "score": round(self.first_mover.score, 4), "score_interval": interval}


def complete_pairs(games: Iterable[PlayedGame], pairs: int) -> tuple[PlayedGame, ...]:
    """Return the games of complete pairs among the first `pairs`, in the order of play."""
    found: dict[tuple[int, int, int], dict[tuple[int, int], PlayedGame]] = defaultdict(dict)
    for game in games:
        if game.pair < pairs:
            found[game.pair, min(game.bots), max(game.bots)][game.bots] = game
    return tuple(game for _, both in sorted(found.items()) if len(both) == SEATS for _, game in sorted(both.items()))


def pair_scores(games: Sequence[PlayedGame], points: Callable[[PlayedGame], float]) -> list[float]:
    """Return one side's share of the points in each pair; the games of a pair must be adjacent."""
    return [(points(one) + points(other)) / 2 for one, other in zip(games[::2], games[1::2], strict=True)]


def _points_of(games: Iterable[PlayedGame], bot: int, *seats: int) -> list[float]:
    """Return a bot's points per game on these seats, or on any seat if none is given."""
    return [game.points[seat] for game in games for seat in seats or (0, 1) if game.bots[seat] == bot]


def _thinking_time(games: Iterable[PlayedGame], bot: int) -> ThinkingTime:
    places = [(game, game.bots.index(bot)) for game in games if bot in game.bots]
    turns = sum(game.bot_turns[seat] for game, seat in places)
    return ThinkingTime(turns, sum(game.seconds[seat] for game, seat in places))


def _round_elo(number: float) -> float | None:
    return round(number, 1) if isfinite(number) else None


def _round_interval(interval: Interval) -> list[float | None]:
    return [_round_elo(end) for end in interval]
