"""Random games on the GPU: the sums that the CPU's playouts return, for the same seeds."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.protocol import AnyGame, State
from realmtable.gpu.array_games import find_position, find_rules
from realmtable.gpu.backends import choose_backend
from realmtable.gpu.device import DeviceName
from realmtable.kit.playouts import PlayoutNumbers, run_kernel


def play_random_games(
    game: AnyGame, state: State, seeds: Sequence[int], device: DeviceName = "auto"
) -> PlayoutNumbers:  # fmt: skip
    """Play one random game per seed from a state and return the sums."""
    rules = find_rules(game)
    backend = choose_backend(rules, device)
    return run_kernel(backend.play, find_position(game, state), seeds, rules.reasons)
