"""Thousands of games of one kind in arrays on the GPU, or on the CPU with the same results for each seed.

>>> from realmtable.gpu.vector_env import make_vector
>>> env = make_vector("classic_realm", 64, seed=1, device="cpu")
>>> env.step(env.sample())
>>> env.rewards.shape, env.seat[:3].tolist()
((64, 2), [1, 1, 1])

docs/gpu.md describes the arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadOptions
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import AnyGame
from realmtable.gpu.actions import REFUSED, RESET
from realmtable.gpu.array_games import find_layout, find_planes, find_position, find_rules
from realmtable.gpu.backends import Backend, choose_backend
from realmtable.gpu.device import DeviceName
from realmtable.gpu.kernel_runner import make_arrays, make_streams

Array = Any  # of NumPy, or a DeviceArray
MAX_SEED: Final = 2**63


class Observations(NamedTuple):
    """What the acting seat of each game sees."""

    planes: Array  # [games, planes, rows, columns], uint8
    numbers: Array  # [games, numbers], int16


class VectorEnv:
    """Many games of one kind. A game that ends is replaced by a new one in the same step.

    The arrays are allocated once and overwritten by every step. Actions are the codes of legal steps. An action that
    is not legal leaves its game as it was and marks it as REFUSED in `reasons`; `check` raises for it.
    """

    def __init__(  # noqa: PLR0913 - each is one plain choice
        self,
        game: AnyGame,
        count: int,
        *,
        seed: int = 0,
        device: DeviceName = "auto",
        seats: int = 2,
        options: Any = None,  # noqa: ANN401 - the game's own options
        observations: bool = False,
        masks: bool = False,
        max_steps: int | None = None,
    ) -> None:
        rules = find_rules(game)
        _check_number("The number of games", count)
        if max_steps is not None:
            _check_number("max_steps", max_steps)
        position = find_position(game, game.initial(seats, options))
        self._backend: Backend = choose_backend(rules, device)
        facts = {
            "size": position.size,
            "capacity": rules.step_capacity,
            "seats": seats,
            "layout": self._backend.layout,
            "seed": 0,
        }
        self.count = count
        self.action_count: int = find_layout(rules).STEP_CODES  # actions are the numbers below it
        self.reason_names: tuple[str, ...] = tuple(find_layout(rules).REASONS)  # by the number in `reasons`
        self.plane_names: tuple[str, ...] = find_planes(rules).PLANES
        self.number_names: tuple[str, ...] = find_planes(rules).NUMBERS
        self._max_steps = max_steps or 0
        put = self._backend.put
        self._arrays: dict[str, Array] = {
            name: put(array) for name, array in make_arrays(np, count, rules.content(position).copy(), facts).items()
        }
        self._resets = self._arrays["actions"]
        self._masks: Array = put(np.zeros((count, self.action_count), dtype=np.bool_)) if masks else None
        self._observations: Observations | None = None
        if observations:
            shape = len(self.plane_names), *find_planes(rules).SHAPE
            self._flat_planes: Array = put(np.zeros((count, int(np.prod(shape))), dtype=np.uint8))
            numbers = put(np.zeros((count, len(self.number_names)), dtype=np.int16))
            self._observations = Observations(self._flat_planes.reshape(count, *shape), numbers)
        self.reset(seed=seed)

    @property
    def device(self) -> str:
        """Where the games are: "gpu" or "cpu"."""
        return self._backend.name

    def reset(self, *, seed: int | None = None) -> None:
        """Start new games everywhere. With a seed, the random streams start again too; otherwise they continue."""
        if seed is not None:
            if not 0 <= seed < MAX_SEED:
                raise BadInput(f"A seed is a number from 0 to {MAX_SEED - 1}, not {seed}.")
            streams = make_streams(seed, 2 * self.count)
            self._arrays["chance_streams"] = self._backend.put(streams[0::2].copy())
            self._arrays["sample_streams"] = self._backend.put(streams[1::2].copy())
        self._step(self._resets)

    def step(self, actions: Array) -> None:
        """Play one action in each game: an array of `int32` where the games are, or one of NumPy."""
        shape, dtype = getattr(actions, "shape", None), str(getattr(actions, "dtype", "")).removeprefix("torch.")
        if shape is None or tuple(shape) != (self.count,) or dtype != "int32":
            raise BadInput(f"step needs an array of {self.count} numbers of the type int32.")
        if isinstance(actions, np.ndarray) and (actions == RESET).any():
            raise BadInput(f"{RESET} is no action; call reset to start again.")
        self._step(self._backend.take(actions))

    def sample(self) -> Array:
        """Return a uniformly random legal action for each game, from streams of their own."""
        return self._arrays["drawn"]

    def check(self) -> None:
        """Raise for the first game whose latest action was refused; on a GPU this waits for the step to end."""
        refused = np.flatnonzero(np.asarray(self._arrays["reasons"]) == REFUSED)
        if refused.size:
            game = int(refused[0])
            action = int(np.asarray(self._arrays["actions"])[game])
            raise BadInput(f"Action {action} is not legal in game {game}.")

    @property
    def seat(self) -> Array:
        """The acting seat of each game."""
        return self._arrays["seats"]

    @property
    def legal_list(self) -> Array:
        """The legal actions of each game in ascending order: [games, capacity]; only the first `legal_count` count."""
        return self._arrays["legal_list"]

    @property
    def legal_count(self) -> Array:
        """The number of legal actions of each game."""
        return self._arrays["legal_count"]

    @property
    def legal_mask(self) -> Array:
        """Whether each action is legal in each game: [games, actions]."""
        if self._masks is None:
            raise BadInput("This environment keeps no masks; create it with masks=True.")
        return self._masks

    @property
    def observations(self) -> Observations:
        """What the acting seat of each game sees, with the names in `plane_names` and `number_names`."""
        if self._observations is None:
            raise BadInput("This environment keeps no observations; create it with observations=True.")
        return self._observations

    @property
    def rewards(self) -> Array:
        """What each seat got by the latest step: [games, seats]."""
        return self._arrays["rewards"]

    @property
    def reasons(self) -> Array:
        """Why each game has just ended, by number; 0 if it goes on, CUT after `max_steps`, REFUSED after no action."""
        return self._arrays["reasons"]

    @property
    def lengths(self) -> Array:
        """The number of actions in each game, or in the one that has just ended."""
        return self._arrays["lengths"]

    @property
    def positions(self) -> Array:
        """The positions of all games: [games, entries]; each game's `layout.py` names the entries."""
        return self._arrays["positions"]

    def _step(self, actions: Array) -> None:
        self._arrays["actions"] = actions
        self._backend.step(self._arrays, self._max_steps)
        if self._masks is not None:
            self._backend.mask(self._arrays, self._masks)
        if self._observations is not None:
            self._backend.observe(self._arrays, self._flat_planes, self._observations.numbers)


def make_vector(  # noqa: PLR0913 - each is one plain choice
    game: str,
    count: int,
    *,
    seed: int = 0,
    device: DeviceName = "auto",
    seats: int | None = None,
    preset: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    observations: bool = False,
    masks: bool = False,
    max_steps: int | None = None,
) -> VectorEnv:
    """Create `count` games of one kind, with the options of a preset and `options` overriding it.

    `observations` and `masks` say whether planes and masks are written; lists of legal actions always are. Games are
    cut off after `max_steps` actions; without it they only end by their own rules. `seats` defaults to the
    smallest number of players.
    """
    found = registry.game(game)
    find_rules(found)
    if seats is None:
        seats = min(found.info.seats)
    elif seats not in found.info.seats:
        raise BadOptions(f"{found.info.title} is for {found.info.players}, not {seats}.")
    chosen = found.options(preset, **(options or {}))
    return VectorEnv(
        found,
        count,
        seed=seed,
        device=device,
        seats=seats,
        options=chosen,
        observations=observations,
        masks=masks,
        max_steps=max_steps,
    )


def _check_number(name: str, number: int) -> None:
    if number < 1:
        raise BadInput(f"{name} must be at least 1, not {number}.")
