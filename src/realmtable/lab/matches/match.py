"""Matches between bots: `play_match` measures which bot is stronger, by how much, and with what confidence."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import Options
from realmtable.lab.jobs.job_runner import JobRunner
from realmtable.lab.jobs.open_runner import LOCAL, open_runner
from realmtable.lab.match_statistics import PAIR_SCORES, Sprt, SprtVerdict
from realmtable.lab.matches.match_file import MatchFile, open_match_file
from realmtable.lab.matches.match_game import PlayedGame, play_game
from realmtable.lab.matches.match_plan import SEATS, Entrant, GameTask, Plan, make_entrants
from realmtable.lab.matches.match_result import MatchResult, complete_pairs

OnGame = Callable[[PlayedGame, int], None]  # the finished game, and the number of games so far


def play_match(  # noqa: PLR0913 - one argument for each setting
    game_id: str,
    bots: Sequence[str | Entrant],
    *,
    games: int = 100,
    seed: int = 1,
    options: Options = None,
    opening_turns: int | None = None,
    starts: Sequence[str] = (),
    workers: int | None = None,
    cluster: str = LOCAL,
    sprt: Sprt | None = None,
    keep: Path | None = None,
    on_game: OnGame = lambda _game, _done: None,
) -> MatchResult:
    """Play `games` games between every two bots, in pairs that share an opening with the seats swapped.

    Bots are specs for `make_bot`, or `Entrant`s. An opening is a random set-up if the game has a set-up
    phase, otherwise a few random turns. `opening_turns` sets their number, 0 for none; `starts` are positions to start
    from instead of the game's initial one. `workers` defaults to one process per core; 1 plays in this process.
    `cluster` is where games are played, as for `open_runner`.

    `keep` is a file for finished games: repeating the call resumes the match. `sprt` ends a match of two bots as soon
    as the test is decided. `on_game` is called for every game, including those from the file. An interrupt returns the
    result so far. Raises `BadInput`, `BotFailed` or `WorkersLost`.
    """
    plan = Plan(game_id, make_entrants(bots), games, seed, options, opening_turns, tuple(starts))
    if sprt is not None and len(plan.entrants) != SEATS:
        raise BadInput(f"A sequential test needs exactly two bots, not {len(plan.entrants)}.")
    with open_runner(cluster, workers) as runner, open_match_file(plan, keep) as match_file:
        progress = _Progress(plan, match_file, sprt, on_game)
        interrupted = progress.play(runner)
    return MatchResult(plan, complete_pairs(match_file.games, progress.pairs), sprt, interrupted)


def play_games(plan: Plan, tasks: Iterable[GameTask], runner: JobRunner) -> Generator[PlayedGame, None, None]:
    """Yield games as they finish, in any order."""
    with closing(runner.run(partial(play_game, plan), tasks)) as results:
        for _, game in results:
            yield game


class _Progress:
    """Plays the missing games of a match and watches the sequential test."""

    def __init__(self, plan: Plan, match_file: MatchFile, sprt: Sprt | None, on_game: OnGame) -> None:
        self.plan = plan
        self.pairs = plan.pairs  # pairs that count: fewer once the test is decided
        self._file = match_file
        self._sprt = sprt
        self._on_game = on_game
        self._points: dict[GameTask, float] = {}  # the first entrant's points
        self._counts = [0] * len(PAIR_SCORES)
        self._tested_pairs = 0  # pairs that the test has seen, in order

    def play(self, runner: JobRunner) -> bool:
        """Play until all games are done or the test is decided; return whether it was interrupted."""
        for game in self._file.games:
            self._count_game(game)
        missing = [task for task in self.plan.tasks() if task not in self._points]
        if self._is_decided() or not missing:
            return False
        try:
            with closing(play_games(self.plan, missing, runner)) as games:
                for game in games:
                    self._file.add(game)
                    self._count_game(game)
                    if self._is_decided():
                        break
        except KeyboardInterrupt:
            return True
        return False

    def _count_game(self, game: PlayedGame) -> None:
        if game.pair < self.plan.pairs:
            self._points[GameTask(game.pair, game.bots)] = game.points[game.bots.index(0)] if 0 in game.bots else 0.0
            self._on_game(game, len(self._points))

    def _is_decided(self) -> bool:
        """Whether the test ends the match. It considers pairs in order, even if they finished in another order."""
        while self._sprt is not None and self._tested_pairs < self.pairs:
            both = [self._points.get(GameTask(self._tested_pairs, bots)) for bots in ((0, 1), (1, 0))]
            if None in both:
                return False
            self._counts[PAIR_SCORES.index(sum(points or 0.0 for points in both) / 2)] += 1
            self._tested_pairs += 1
            if self._sprt.verdict(self._counts) is not SprtVerdict.OPEN:
                self.pairs = self._tested_pairs
        return self.pairs < self.plan.pairs
