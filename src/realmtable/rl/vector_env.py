"""Thousands of games of one kind in arrays, stepped together by compiled code on the CPU or on a GPU.

It is a vector environment of Gymnasium.

>>> from realmtable.rl import vector
>>> env = vector("classic_realm", 64, seed=1)
>>> observations, rewards, terminated, truncated, info = env.step(env.sample())
>>> observations.planes.shape, rewards.shape, env.seat[:3].tolist()
((64, 5, 4, 4), (64,), [1, 1, 1])

docs/study/vector-environments.md describes the arrays.
"""

from __future__ import annotations

import importlib.util
import operator
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.extras import require_extra
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import AnyGame
from realmtable.gpu.array_games import find_planes
from realmtable.gpu.backends import Backend, choose_backend, make_batch, make_step_outputs
from realmtable.gpu.cpu_backend import CpuBackend
from realmtable.gpu.device import DeviceName
from realmtable.gpu.kernel_runner import make_streams
from realmtable.kit.array_state import ArrayState
from realmtable.kit.rules import HasArrayRules, Position, Rules
from realmtable.kit.vector_batch import NOTHING, REFUSED
from realmtable.rl.observations import Observations

require_extra("rl")

import gymnasium  # noqa: E402 - after the check whether it is installed
from gymnasium import spaces  # noqa: E402 - as above
from gymnasium.vector import AutoresetMode  # noqa: E402 - as above
from gymnasium.vector.utils import batch_space  # noqa: E402 - as above

MAX_SEED: Final = 2**63
GIGABYTE: Final = 10**9
LEGAL_SAMPLE: Final = 8  # legal actions that an error lists
FINAL_FACTS: Final = ("reason", "length", "rewards")  # of the info, which are about the game that has just ended

Array = Any  # of NumPy, or on a GPU a DeviceArray
Info = dict[str, Array]


class Transition(NamedTuple):
    """The result of one step of every game."""

    observations: Observations  # of the games as they go on, after a reset where one was needed
    rewards: Array  # [games], float32: of the seat that has just acted
    terminated: Array  # [games], bool
    truncated: Array  # [games], bool
    info: Info


class IllegalAction(BadInput, ValueError):
    """An action is not legal in its game, which has not changed."""


class VectorEnv(gymnasium.vector.VectorEnv[Observations, Array, Array]):
    """Many games of one kind, with the options of a preset and `options` overriding it.

    The device is "cpu", "cuda" or "auto": a GPU if there is one. `observations` and `masks` say whether planes and
    masks are written; lists of legal actions always are. Games are truncated after `max_steps` actions; without it
    they only end by their own rules. `seats` defaults to the smallest number of players.

    A game that ends is replaced by a new one in the same step (`AutoresetMode.SAME_STEP`). The arrays are allocated
    once and overwritten by every step; `copy=True` returns copies instead. Results depend on the seed and the actions
    only, not on the device or the number of threads.
    """

    def __init__(  # noqa: PLR0913 - each is one plain choice
        self,
        game: str,
        count: int,
        *,
        device: DeviceName = "cpu",
        seed: int = 0,
        threads: int = 1,
        seats: int | None = None,
        preset: str | None = None,
        options: Mapping[str, OptionValue] | None = None,
        observations: bool = True,
        masks: bool = False,
        max_steps: int | None = None,
        copy: bool = False,
    ) -> None:
        self.game = registry.game(game)
        rules = _find_rules(self.game)
        _check_number("The number of games", count)
        _check_number("The number of threads", threads)
        if max_steps is not None:
            _check_number("max_steps", max_steps)
        planes = find_planes(rules)
        self.seats = min(self.game.info.seats) if seats is None else seats
        start = self.game.initial(self.seats, self.game.options(preset, **(options or {})))
        self.num_envs = count
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.options = self.game.options_of(start)
        self.action_count = rules.step_codes  # actions are the numbers below it
        self.reason_names = rules.reasons  # by the number in `info["reason"]`
        self.plane_names: tuple[str, ...] = planes.PLANES
        self.number_names: tuple[str, ...] = planes.NUMBERS
        self._rules = rules
        self._copy = copy
        self._has_drawn = False  # whether the drawn actions have not been returned by `sample` yet
        self._backend: Backend = choose_backend(rules, device, threads)
        self._plane_shape = (len(self.plane_names), *planes.SHAPE)
        columns = (
            self.action_count if masks else 0,
            int(np.prod(self._plane_shape)) if observations else 0,
            len(self.number_names) if observations else 0,
        )
        self._allocate(start.position, columns, max_steps or 0)
        bounds = np.iinfo(np.int16)
        self.single_observation_space = spaces.Tuple(
            (
                spaces.Box(0, np.iinfo(np.uint8).max, self._observations.planes.shape[1:], np.uint8),
                spaces.Box(bounds.min, bounds.max, self._observations.numbers.shape[1:], np.int16),
            )
        )
        self.single_action_space = spaces.Discrete(self.action_count)
        self.action_space = batch_space(self.single_action_space, count)
        self.reset(seed=seed)

    def _allocate(self, start: NDArray[np.int64], columns: tuple[int, int, int], max_steps: int) -> None:
        facts = {"size": start.size, "capacity": self._rules.step_capacity, "seats": self.seats, "seed": 0}
        content = self._rules.content(start).copy()
        games, free = f"{self.num_envs:,} games of {self.game.info.title}", self._backend.find_free_memory()
        needed = self.num_envs * _count_bytes(self._rules, content, facts, columns)
        if free is not None and needed > free:
            raise BadInput(
                f"{games} need {needed / GIGABYTE:,.1f} GB of memory, but only {free / GIGABYTE:,.1f} GB are free; "
                "create fewer."
            )
        try:
            self._resets, self._batch = make_batch(self._backend, self.num_envs, content, facts, max_steps)
            self._outputs = make_step_outputs(self._backend, self.num_envs, columns)
        except MemoryError as error:  # it is not always known how much is free
            raise BadInput(f"There is not enough memory for {games}; create fewer.") from error
        planes = self._outputs.planes
        if columns[1]:
            planes = planes.reshape(self.num_envs, *self._plane_shape)
        self._observations = Observations(planes, self._outputs.numbers)

    @property
    def device(self) -> str:
        """Where the games are: "cpu" or "cuda"."""
        return self._backend.name

    @cached_property
    def observation_space(self) -> spaces.Space[Any]:  # type: ignore[override] # its bounds take more memory than the games
        """The space of the observations of all games."""
        return batch_space(self.single_observation_space, self.num_envs)

    # ---- playing

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Info]:
        """Start new games everywhere. With a seed, the random streams start again too; otherwise they continue."""
        if options:
            raise BadInput("reset takes no options: games that end start again by themselves.")
        if seed is not None:
            if not (hasattr(seed, "__index__") and 0 <= operator.index(seed) < MAX_SEED):
                raise BadInput(f"A seed is a whole number from 0 to {MAX_SEED - 1}, not {seed!r}.")
            super().reset(seed=operator.index(seed))
            streams = make_streams(seed, 2 * self.num_envs)
            self._batch = self._batch._replace(
                chance_streams=self._backend.put(streams[0::2].copy()),
                sample_streams=self._backend.put(streams[1::2].copy()),
            )
        self._play(self._resets)
        return self._return_observations(), self._make_info()

    def step(self, actions: Array) -> Transition:
        """Play one action in each game.

        On the CPU, an illegal action raises `IllegalAction` before any game has changed. On a GPU, noticing it would
        mean waiting for the device, so its game stays as it was, and `check` raises the error later.
        """
        codes = self._backend.take(actions, self.num_envs)
        if codes is None:
            codes = self._backend.put(self._read_actions(actions))
        illegal = self._backend.find_illegal(self._batch, codes)
        if illegal != NOTHING:
            raise self._refuse(codes, illegal)
        self._play(codes)
        batch, info = self._batch, self._make_info()
        self._add_ends(info)
        return Transition(
            self._return_observations(),
            self._return_array(batch.actor_rewards),
            self._return_array(batch.terminated),
            self._return_array(batch.truncated),
            info,
        )

    def sample(self) -> Array:
        """Return a uniformly random legal action for each game, from streams of their own.

        On the CPU the array is yours; on a GPU the next step overwrites it, unless `copy=True`.
        """
        if not self._has_drawn:
            # The caller already has the previous array.
            self._batch = self._batch._replace(drawn=self._backend.copy(self._batch.drawn))
            self._backend.draw(self._batch)
        self._has_drawn = False
        drawn = self._batch.drawn
        return self._backend.copy(drawn) if self._copy or self._backend.copies_samples else drawn

    def check(self) -> None:
        """Raise `IllegalAction` for the first game whose latest action was refused; waits for the device."""
        refused = np.flatnonzero(np.asarray(self._batch.reasons) == REFUSED)
        if refused.size:
            raise self._refuse(np.asarray(self._latest), int(refused[0]))

    # ---- what can be seen between steps

    @property
    def seat(self) -> Array:
        """The acting seat of each game."""
        return self._return_array(self._batch.seats)

    @property
    def legal_list(self) -> Array:
        """The legal actions of each game in ascending order, followed by -1: [games, capacity]."""
        return self._return_array(self._batch.legal_list)

    @property
    def legal_count(self) -> Array:
        """The number of legal actions of each game."""
        return self._return_array(self._batch.legal_count)

    @property
    def legal_mask(self) -> Array:
        """Whether each action is legal in each game: [games, actions]."""
        if self._outputs.masks.shape[1] == 0:
            raise BadInput("This environment keeps no masks; create it with masks=True.")
        return self._return_array(self._outputs.masks)

    @property
    def observations(self) -> Observations:
        """What the acting seat of each game sees; without columns if `observations` is off."""
        return self._return_observations()

    @property
    def positions(self) -> Array:
        """The positions of all games: [games, entries]; the game's `layout.py` names the entries."""
        return self._return_array(self._batch.positions)

    def state(self, index: int) -> ArrayState[Any]:
        """Return one game's state, to draw it or to play on from it."""
        return ArrayState(self._rules, np.asarray(self._batch.positions)[index].copy(), self.options)

    def close_extras(self, **_kwargs: object) -> None:
        """Stop the threads, when `close` is called."""
        self._backend.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- inside

    def _play(self, codes: Array) -> None:
        self._latest = codes
        self._backend.step(self._batch, codes, self._outputs)
        self._has_drawn = True  # every step also draws an action from the new list

    def _read_actions(self, actions: Any) -> NDArray[np.int32]:  # noqa: ANN401 - of any library
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise BadInput(
                f"step needs one whole number for each of {self.num_envs} games, "
                f"not an array of {array.dtype} with the shape {array.shape}."
            )
        codes = np.ascontiguousarray(array, dtype=np.int32)
        if array.dtype.itemsize > codes.dtype.itemsize or array.dtype.kind == "u":
            wrong = np.flatnonzero(codes != array)  # cut off by the conversion
            if wrong.size:
                raise self._refuse(array, int(wrong[0]))
        return codes

    def _refuse(self, actions: NDArray[Any], index: int) -> IllegalAction:
        count = int(np.asarray(self._batch.legal_count)[index])
        legal = np.asarray(self._batch.legal_list)[index, : min(count, LEGAL_SAMPLE)].tolist()
        dots = ", …" if count > LEGAL_SAMPLE else ""
        return IllegalAction(
            f"Action {actions[index]} is not legal in game {index}, which has {count} legal "
            f"action{'' if count == 1 else 's'}: {', '.join(map(str, legal))}{dots}."
        )

    def _return_array(self, array: Array) -> Array:
        return self._backend.copy(array) if self._copy else array

    def _return_observations(self) -> Observations:
        if not (self._copy and self._observations.numbers.shape[1]):
            return self._observations
        return Observations(*map(self._backend.copy, self._observations))

    def _make_info(self) -> Info:
        batch = self._batch
        info: Info = {
            "seat": self._return_array(batch.seats),
            "legal_list": self._return_array(batch.legal_list),
            "legal_count": self._return_array(batch.legal_count),
            "reason": self._return_array(batch.reasons),
            "length": self._return_array(batch.lengths),
            "rewards": self._return_array(batch.rewards),
        }
        if self._outputs.masks.shape[1]:
            info["legal_mask"] = self._return_array(self._outputs.masks)
        return info

    def _add_ends(self, info: Info) -> None:
        """Add what Gymnasium wants to know about games that have just ended. On a GPU, finding them means waiting."""
        ended = self._backend.observe_ended(self._batch, self._outputs)
        if ended is None:
            return
        planes = ended.planes.reshape(-1, *self._plane_shape)
        final_obs = np.full(self.num_envs, None, dtype=object)
        for game, one_planes, numbers in zip(ended.games.tolist(), planes, ended.numbers, strict=True):
            final_obs[game] = Observations(one_planes, numbers)
        info["final_obs"], info["final_info"] = final_obs, {name: info[name] for name in FINAL_FACTS}
        info["_final_obs"] = info["_final_info"] = ended.mask


def _find_rules(game: AnyGame) -> Rules:
    if isinstance(game, HasArrayRules):
        package = game.rules.module.rpartition(".")[0]
        if importlib.util.find_spec(f"{package}.planes") is not None:
            return game.rules
    known = [info.id for info in registry.infos() if info.compiled]
    raise BadInput(f"{game.info.title} has no vector environment; the games that have one are {', '.join(known)}.")


def _count_bytes(rules: Rules, start: Position, facts: dict[str, Any], columns: tuple[int, int, int]) -> int:
    """Return the memory that the arrays of one game take."""
    backend = CpuBackend(rules)
    actions, batch = make_batch(backend, 1, start, facts)
    arrays = [actions, *batch[:-1], *make_step_outputs(backend, 1, columns)]
    return int(sum(np.asarray(array).nbytes for array in arrays) - start.nbytes)


def _check_number(name: str, number: int) -> None:
    try:
        operator.index(number)
    except TypeError:
        raise BadInput(f"{name} must be a whole number, not {number!r}.") from None
    if number < 1:
        raise BadInput(f"{name} must be at least 1, not {number}.")
