"""Thousands of games of one kind in arrays, played by compiled code in threads, without Python for single games.

>>> from realmtable.rl import vector
>>> env = vector("classic_realm", 64, seed=1)
>>> observations, rewards, terminated, truncated, info = env.step(env.sample())
>>> observations.planes.shape, rewards.shape, env.seat[:3].tolist()
((64, 5, 4, 4), (64, 2), [1, 1, 1])

docs/vector-environments.md describes the arrays.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadOptions
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import AnyGame
from realmtable.kit.array_state import ArrayState
from realmtable.kit.evaluation import HasArrayRules
from realmtable.kit.rules import Rules
from realmtable.kit.specialise import specialise
from realmtable.rl.vector_batch import NOTHING, Batch

VECTOR_SOURCE: Final = Path(__file__).with_name("vector_kernels.py")
CHUNKS_PER_THREAD: Final = 2  # so that a thread on a busy core leaves work to the others
SMALLEST_CHUNK: Final = 128  # games; handing work to a thread takes as long as some dozens of steps
MAX_SEED: Final = 2**63
LEGAL_SAMPLE: Final = 8  # legal actions that an error lists

Info = dict[str, NDArray[Any]]


class Observations(NamedTuple):
    """What the acting seat of each game sees."""

    planes: NDArray[np.uint8]  # [games, planes, rows, columns]
    numbers: NDArray[np.int16]  # [games, numbers]


class Transition(NamedTuple):
    """The result of one step of every game."""

    observations: Observations | None  # of the games as they go on, after a reset where one was needed
    rewards: NDArray[np.float32]  # [games, seats]
    terminated: NDArray[np.bool_]  # [games]
    truncated: NDArray[np.bool_]  # [games]
    info: Info


class IllegalAction(BadInput, ValueError):
    """An action is not legal in its game; no game has changed."""


class VectorEnv:
    """Many games of one kind. A game that ends is replaced by a new one in the same step.

    The arrays are allocated once and overwritten by every step; `copy=True` returns copies instead. Results depend on
    the seed and the actions only, not on the number of threads.
    """

    def __init__(  # noqa: PLR0913 - each is one plain choice
        self,
        game: AnyGame,
        count: int,
        *,
        seed: int = 0,
        threads: int = 1,
        seats: int = 2,
        options: Any = None,  # noqa: ANN401 - the game's own options
        observations: bool = True,
        masks: bool = False,
        max_steps: int | None = None,
        copy: bool = False,
    ) -> None:
        rules = _find_rules(game)
        _check_number("The number of games", count)
        _check_number("The number of threads", threads)
        if max_steps is not None:
            _check_number("max_steps", max_steps)
        package = rules.module.rpartition(".")[0]
        layout = importlib.import_module(f"{package}.layout")
        planes = importlib.import_module(f"{package}.planes")
        start = game.initial(seats, options)
        self.game = game
        self.count = count
        self.seats = seats
        self.options = game.options_of(start)
        self.threads = threads
        self.action_count: int = layout.STEP_CODES  # actions are the numbers below it
        self.reason_names: tuple[str, ...] = tuple(layout.REASONS)  # by the number in `info["reason"]`
        self.plane_names: tuple[str, ...] = planes.PLANES
        self.number_names: tuple[str, ...] = planes.NUMBERS
        self._rules = rules
        self._copy = copy
        self._has_drawn = False  # whether an action of each game is drawn that nobody has asked for yet
        self._kernels = specialise(VECTOR_SOURCE, __package__, rules)
        shape = (len(self.plane_names), *planes.SHAPE)
        flat = int(np.prod(shape)) if observations else 0
        self._batch = Batch(
            start=rules.content(start.position).copy(),
            positions=np.empty((count, start.position.size), dtype=np.int64),
            chance_streams=np.empty(count, dtype=np.uint64),
            sample_streams=np.empty(count, dtype=np.uint64),
            seats=np.zeros(count, dtype=np.int8),
            legal_list=np.full((count, rules.step_capacity), NOTHING, dtype=np.int32),
            legal_count=np.zeros(count, dtype=np.int32),
            legal_mask=np.zeros((count, self.action_count if masks else 0), dtype=np.bool_),
            planes=np.zeros((count, flat), dtype=np.uint8),
            numbers=np.zeros((count, len(self.number_names) if observations else 0), dtype=np.int16),
            rewards=np.zeros((count, seats), dtype=np.float32),
            terminated=np.zeros(count, dtype=np.bool_),
            truncated=np.zeros(count, dtype=np.bool_),
            reasons=np.zeros(count, dtype=np.int8),
            lengths=np.zeros(count, dtype=np.int32),
            drawn=np.zeros(count, dtype=np.int32),
            max_steps=max_steps or 0,
        )
        self._observations = (
            Observations(self._batch.planes.reshape(count, *shape), self._batch.numbers) if observations else None
        )
        self._chunks = _make_chunks(count, threads)
        self.reset(seed=seed)

    # ---- playing

    def reset(self, *, seed: int | None = None) -> tuple[Observations | None, Info]:
        """Start new games everywhere. With a seed, the random streams start again too; otherwise they continue."""
        if seed is not None:
            streams = make_streams(seed, 2 * self.count)
            self._batch.chance_streams[:], self._batch.sample_streams[:] = streams[0::2], streams[1::2]
        self._play(np.full(self.count, NOTHING, dtype=np.int32))
        return self._give_observations(), self._give_info()

    def step(self, actions: ArrayLike) -> Transition:
        """Play one action in each game; raise `IllegalAction` before anything changes if one of them is not legal."""
        codes = self._read_actions(actions)
        illegal = self._kernels.find_illegal(self._batch, codes, 0, self.count)
        if illegal != NOTHING:
            raise self._refuse(codes, illegal)
        self._play(codes)
        batch = self._batch
        return Transition(
            self._give_observations(),
            self._give(batch.rewards),
            self._give(batch.terminated),
            self._give(batch.truncated),
            self._give_info(),
        )

    def sample(self) -> NDArray[np.int32]:
        """Return a uniformly random legal action for each game, from streams of their own; the array is yours."""
        if not self._has_drawn:
            self._kernels.draw_actions(self._batch, 0, self.count)
        self._has_drawn = False
        return self._batch.drawn.copy()

    # ---- what can be seen between steps

    @property
    def seat(self) -> NDArray[np.int8]:
        """The acting seat of each game."""
        return self._give(self._batch.seats)

    @property
    def legal_list(self) -> NDArray[np.int32]:
        """The legal actions of each game in ascending order, followed by -1: [games, capacity]."""
        return self._give(self._batch.legal_list)

    @property
    def legal_count(self) -> NDArray[np.int32]:
        """The number of legal actions of each game."""
        return self._give(self._batch.legal_count)

    @property
    def legal_mask(self) -> NDArray[np.bool_]:
        """Whether each action is legal in each game: [games, actions]."""
        if self._batch.legal_mask.shape[1] == 0:
            raise BadInput("This environment keeps no masks; create it with masks=True.")
        return self._give(self._batch.legal_mask)

    @property
    def observations(self) -> Observations | None:
        """What the acting seat of each game sees; None if the environment was created without observations."""
        return self._give_observations()

    def state(self, index: int) -> ArrayState[Any]:
        """Return one game's state, to draw it or to play on from it."""
        return ArrayState(self._rules, self._batch.positions[index].copy(), self.options)

    def close(self) -> None:
        """Stop the threads; a later step starts new ones."""
        pool = self.__dict__.pop("_pool", None)
        if pool is not None:
            pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- inside

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads - 1, thread_name_prefix="vector")

    def _play(self, codes: NDArray[np.int32]) -> None:
        """Play all games, in this thread and the others."""
        waiting = deque(self._chunks)

        def work() -> None:
            while True:
                try:
                    first, last = waiting.popleft()
                except IndexError:
                    return
                self._kernels.step_games(self._batch, codes, first, last)

        helpers = min(self.threads, len(self._chunks)) - 1
        others = [self._pool.submit(work) for _ in range(helpers)]
        work()
        for other in others:
            other.result()
        self._has_drawn = True  # every step draws an action too, while the list is at hand

    def _read_actions(self, actions: ArrayLike) -> NDArray[np.int32]:
        array = np.asarray(actions)
        if array.shape != (self.count,) or array.dtype.kind not in "iu":
            raise BadInput(
                f"step needs one whole number for each of {self.count} games, "
                f"not an array of {array.dtype} with the shape {array.shape}."
            )
        codes = np.ascontiguousarray(array, dtype=np.int32)
        if array.dtype.itemsize > codes.dtype.itemsize or array.dtype.kind == "u":
            wrong = np.flatnonzero(codes != array)  # cut off by the conversion
            if wrong.size:
                raise self._refuse(array, int(wrong[0]))
        return codes

    def _refuse(self, actions: NDArray[Any], index: int) -> IllegalAction:
        count = int(self._batch.legal_count[index])
        legal = self._batch.legal_list[index, : min(count, LEGAL_SAMPLE)].tolist()
        dots = ", …" if count > LEGAL_SAMPLE else ""
        return IllegalAction(
            f"Action {actions[index]} is not legal in game {index}, which has {count} legal "
            f"action{'' if count == 1 else 's'}: {', '.join(map(str, legal))}{dots}."
        )

    def _give(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _give_observations(self) -> Observations | None:
        if self._observations is None or not self._copy:
            return self._observations
        planes, numbers = self._observations
        return Observations(planes.copy(), numbers.copy())

    def _give_info(self) -> Info:
        batch = self._batch
        info: Info = {
            "seat": self._give(batch.seats),
            "legal_list": self._give(batch.legal_list),
            "legal_count": self._give(batch.legal_count),
            "reason": self._give(batch.reasons),
            "length": self._give(batch.lengths),
        }
        if batch.legal_mask.shape[1]:
            info["legal_mask"] = self._give(batch.legal_mask)
        return info


def make_vector(  # noqa: PLR0913 - each is one plain choice
    game: str,
    count: int,
    *,
    seed: int = 0,
    threads: int = 1,
    seats: int | None = None,
    preset: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    observations: bool = True,
    masks: bool = False,
    max_steps: int | None = None,
    copy: bool = False,
) -> VectorEnv:
    """Create `count` games of one kind, with the options of a preset and `options` overriding it.

    `observations` and `masks` say whether planes and masks are written; lists of legal actions always are. Games are
    truncated after `max_steps` actions; without it they only end by their own rules. `seats` defaults to the smallest
    number of players.
    """
    found = registry.game(game)
    _find_rules(found)
    if seats is None:
        seats = min(found.info.seats)
    elif seats not in found.info.seats:
        raise BadOptions(f"{found.info.title} is for {found.info.players}, not {seats}.")
    return VectorEnv(
        found,
        count,
        seed=seed,
        threads=threads,
        seats=seats,
        options=found.options(preset, **(options or {})),
        observations=observations,
        masks=masks,
        max_steps=max_steps,
        copy=copy,
    )


def _find_rules(game: AnyGame) -> Rules:
    if isinstance(game, HasArrayRules):
        package = game.rules.module.rpartition(".")[0]
        if importlib.util.find_spec(f"{package}.planes") is not None:
            return game.rules
    known = [info.id for info in registry.infos() if info.compiled]
    raise BadInput(f"{game.info.title} has no vector environment; the games that have one are {', '.join(known)}.")


def _check_number(name: str, number: int) -> None:
    if number < 1:
        raise BadInput(f"{name} must be at least 1, not {number}.")


def _make_chunks(count: int, threads: int) -> list[tuple[int, int]]:
    """Divide the games among calls: one call for a single thread, several for each of several threads."""
    size = count if threads == 1 else max(SMALLEST_CHUNK, -(-count // (threads * CHUNKS_PER_THREAD)))
    return [(first, min(first + size, count)) for first in range(0, count, size)]


def make_streams(seed: int, count: int) -> NDArray[np.uint64]:
    """Return the first numbers of random streams, none of them 0, by the mixing function of SplitMix64."""
    if not 0 <= seed < MAX_SEED:
        raise BadInput(f"A seed is a number from 0 to {MAX_SEED - 1}, not {seed}.")
    weyl = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = _mix(weyl + _mix(np.array([seed], dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)))
    mixed[mixed == 0] = 1
    return mixed


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)
