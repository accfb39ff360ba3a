"""The plan of a match between bots: the entrants, the openings, and the seed that determines all randomness."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from realmtable.engine import registry
from realmtable.engine.bots import Bot
from realmtable.engine.errors import BadInput
from realmtable.search.bot_levels import make_bot

MAX_GAMES = 1_000_000
MAX_OPENING = 1000
SEATS = 2


@dataclass(frozen=True)
class Entrant:
    """A bot in a match, created again for every game. `make` is sent to other processes, so it must be picklable."""

    name: str
    make: Callable[[], Bot]


def make_entrants(bots: Sequence[str | Entrant]) -> tuple[Entrant, ...]:
    """Return the bots of a match. Specs for `search.bot_levels.make_bot` are checked; repeated names get a number.

    >>> [entrant.name for entrant in make_entrants(["random", "greedy", "random"])]
    ['random', 'greedy', 'random#2']
    """
    seen: Counter[str] = Counter()
    found = []
    for source in bots:
        one = _entrant_from_spec(source) if isinstance(source, str) else source
        seen[one.name] += 1
        found.append(Entrant(f"{one.name}#{seen[one.name]}", one.make) if seen[one.name] > 1 else one)
    return tuple(found)


def _entrant_from_spec(spec: str) -> Entrant:
    make_bot(spec)
    return Entrant(spec, partial(make_bot, spec))


class GameTask(NamedTuple):
    """One game to play: the number of its pair, and the entrant on each seat."""

    pair: int
    bots: tuple[int, int]  # per seat

    def __str__(self) -> str:
        """Name the game for people.

        >>> str(GameTask(0, (1, 0)))
        'pair 1 of bot 2 against bot 1'
        """
        return f"pair {self.pair + 1} of bot {self.bots[0] + 1} against bot {self.bots[1] + 1}"


@dataclass(frozen=True)
class Plan:
    """A match in which every two entrants play each other; raises `BadInput` if it cannot be played."""

    game_id: str
    entrants: tuple[Entrant, ...]
    games: int  # per pairing
    seed: int = 1
    options: Any = None  # the game's options; None for the defaults
    opening_turns: int | None = None  # random turns before the bots take over; None for the game's default
    starts: tuple[str, ...] = ()  # positions to start from, used in turn, instead of the game's initial one

    def __post_init__(self) -> None:
        info = registry.info(self.game_id)
        if SEATS not in info.seats:
            raise BadInput(f"A match needs a two-player game, and {info.title} is not one.")
        if len(self.entrants) < SEATS:
            raise BadInput("A match needs at least two bots, such as greedy,random.")
        if self.games % 2 or not SEATS <= self.games <= MAX_GAMES:
            raise BadInput(f"Games come in pairs: choose an even number from 2 to {MAX_GAMES:,}, not {self.games}.")
        if self.opening_turns is not None and not 0 <= self.opening_turns <= MAX_OPENING:
            raise BadInput(f"An opening may have 0 to {MAX_OPENING:,} turns, not {self.opening_turns}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names, which are all different."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def pairs(self) -> int:
        """The number of pairs of games per pairing."""
        return self.games // 2

    @property
    def total(self) -> int:
        return len(self.pairings()) * self.games

    def pairings(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.entrants)), 2))

    def tasks(self) -> Iterator[GameTask]:
        """Yield every game in the order of play."""
        for pair in range(self.pairs):
            for one, other in self.pairings():
                yield GameTask(pair, (one, other))
                yield GameTask(pair, (other, one))

    def derive_seed(self, pair: int, *more: object) -> int:
        """Return the seed of a pair's opening or, with more words, of something else in the pair.

        It is the first 8 bytes of the SHA-256 of ``realmtable match SEED pair PAIR …``.
        """
        words = " ".join(map(str, ("realmtable match", self.seed, "pair", pair, *more)))
        return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
