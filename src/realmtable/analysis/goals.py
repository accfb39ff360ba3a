"""Goals of a turn in games for several seats: so many points, whatever becomes of the game.

Nobody can be forced to anything in such a game, so that hardly any turn wins for certain. How many points a turn brings
is certain, though: the likeliest result stands for chance, and a turn counts no further than another seat decides.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, CountsGains, Move, Seat, State

POINT: Final = "point"  # the gain that goals count


def points_of(game: AnyGame, state: State, seat: Seat) -> int:
    """Return the points of a seat."""
    assert isinstance(game, CountsGains)  # noqa: S101 - as every game whose puzzles have goals
    return game.gains(state)[POINT][seat]


def likeliest_result(game: AnyGame, state: State) -> Move:
    """Return the likeliest result of chance, the first of equally likely ones."""
    return max(game.chance(state), key=lambda outcome: outcome.weight).move


def play_chance(match: Match) -> Match:
    """Return the match after the likeliest results, once chance no longer acts."""
    while match.game.to_move(match.state) == (CHANCE,):
        match = match.play(CHANCE, likeliest_result(match.game, match.state))
    return match
