"""The statistics of a player's profile: results by game and by opponent, streaks, puzzles and the history of ratings.

Others see only listed games in it; players see all of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.ratings import RatingPoint
from realmtable.server.storage.database import Database
from realmtable.server.storage.player_history import FinishedGame, SolveStore, list_finished_games
from realmtable.server.study.puzzles import count_streak
from realmtable.server.ttl_cache import TtlCache

MAX_OPPONENTS: Final = 6
CACHE_S: Final = 30.0
CACHE_SIZE: Final = 2000
DAY_S: Final = 86_400
SOLO: Final = 1


@dataclass(slots=True)
class Tally:
    """How many games were played, won and drawn; the others were lost."""

    played: int = 0
    won: int = 0
    drawn: int = 0

    @property
    def losses(self) -> int:
        """The number of lost games."""
        return self.played - self.won - self.drawn

    def add(self, score: float) -> None:
        """Count a game: 1 if it was won, 0.5 if it was drawn, 0 if it was lost."""
        self.played += 1
        self.won += score == 1
        self.drawn += score == 0.5  # noqa: PLR2004 - see above


class Streak(NamedTuple):
    """The length of the current streak, and of the longest."""

    current: int
    longest: int


NO_STREAK: Final = Streak(0, 0)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of a player, with ids instead of names."""

    games: Mapping[str, Tally] = field(default_factory=dict)  # most played first
    opponents: Mapping[str, Tally] = field(default_factory=dict)  # by player id, most frequent first
    win_streak: Streak = NO_STREAK
    puzzles_solved: int = 0
    puzzle_streak: Streak = NO_STREAK  # in days
    histories: Mapping[str, Sequence[RatingPoint]] = field(default_factory=dict)  # by game
    is_limited: bool = False  # whether there may be older games that are not counted


class PlayerStatistics:
    """Loads and caches the statistics of players."""

    def __init__(self, database: Database, solves: SolveStore) -> None:
        self._database = database
        self._solves = solves
        self._cache: TtlCache[tuple[str, bool], Statistics] = TtlCache(CACHE_SIZE, CACHE_S)

    async def load(self, player: Player, now: float, *, own: bool) -> Statistics:
        """Return a player's statistics: for the player (`own`) over all games, for others over the listed ones."""
        key = (player.id, own)
        cached = self._cache.get(key)
        if cached is None:
            epoch = self._cache.epoch
            cached = await self._compute(player, int(now // DAY_S), own=own)
            self._cache.put(key, cached, epoch)
        return cached

    async def _compute(self, player: Player, today: int, *, own: bool) -> Statistics:
        rated = await ratings.ratings_by_game(self._database, player.id)
        histories = {game: await ratings.rating_history(self._database, player.id, game) for game in rated}
        if player.kind == "bot":  # they play too many games to count, and solve no puzzles
            return Statistics(histories=histories)
        games, is_limited = await list_finished_games(self._database, player.id, listed_only=not own)
        days = await self._solves.daily_puzzle_days(player.id)
        return Statistics(
            games=tally_games(games),
            opponents=tally_opponents(games, player.id),
            win_streak=win_streak(games),
            puzzles_solved=len(await self._solves.puzzle_ids_of(player.id)),
            puzzle_streak=Streak(count_streak(days, today), longest_run(days)),
            histories=histories,
            is_limited=is_limited,
        )


def score_of(game: FinishedGame) -> float:
    """Return 1 for a win, 0.5 for a shared first place, 0 for a loss; a solo game is won if its goal was reached."""
    if len(game.ranking) == SOLO:
        return float(any(game.reached))
    if game.ranking[game.seat] > 1:
        return 0.0
    return 1.0 if game.ranking.count(1) == 1 else 0.5


def tally_games(games: Iterable[FinishedGame]) -> dict[str, Tally]:
    """Return the results by game, most played first."""
    tallies: dict[str, Tally] = {}
    for game in games:
        tallies.setdefault(game.game, Tally()).add(score_of(game))
    return dict(sorted(tallies.items(), key=lambda item: -item[1].played))


def tally_opponents(games: Iterable[FinishedGame], player_id: str) -> dict[str, Tally]:
    """Return the results against the most frequent opponents; ahead of one in the ranking is a win against them."""
    tallies: dict[str, Tally] = {}
    for game in games:
        best: dict[str, int] = {}  # an opponent on several seats counts once, with their best rank
        for rank, other in zip(game.ranking, game.players, strict=True):
            if other is not None and other != player_id:
                best[other] = min(rank, best.get(other, rank))
        own = game.ranking[game.seat]
        for other, rank in best.items():
            tallies.setdefault(other, Tally()).add(0.5 if own == rank else float(own < rank))
    frequent = sorted(tallies.items(), key=lambda item: -item[1].played)
    return dict(frequent[:MAX_OPPONENTS])


def win_streak(games: Sequence[FinishedGame]) -> Streak:
    """Return the current and the longest run of wins against others; `games` are sorted, newest first."""
    scores = [score_of(game) for game in games if len(game.ranking) > SOLO]
    current = next((count for count, score in enumerate(scores) if score < 1), len(scores))
    longest = run = 0
    for score in scores:
        run = run + 1 if score == 1 else 0
        longest = max(longest, run)
    return Streak(current, longest)


def longest_run(days: Sequence[int]) -> int:
    """Return the length of the longest run of consecutive days; `days` is sorted, latest first.

    >>> longest_run([20, 19, 17, 16, 15, 12]), longest_run([])
    (3, 0)
    """
    longest = run = 0
    for number, day in enumerate(days):
        run = run + 1 if number and days[number - 1] == day + 1 else 1
        longest = max(longest, run)
    return longest
