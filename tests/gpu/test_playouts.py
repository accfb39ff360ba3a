"""Random games are those of the CPU's playouts, and a missing GPU is a sentence."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.gpu.device import NoDevice, has_device
from realmtable.gpu.playouts import play_random_games


def test_playouts_are_those_of_the_game() -> None:
    game = realmtable.game("classic_realm")
    state = game.initial(2, None)
    assert play_random_games(game, state, range(3), "cpu") == game.playouts(state, range(3))  # type: ignore[attr-defined] # it has them


def test_a_game_without_kernels_is_refused() -> None:
    game = realmtable.game("magic_realm")
    with pytest.raises(BadInput, match="Magic Realm has no kernels; the games with kernels are classic_realm, "):
        play_random_games(game, game.initial(1, None), [1])


@pytest.mark.skipif(has_device(), reason="there is a GPU")
def test_without_a_gpu_there_is_a_sentence() -> None:
    game = realmtable.game("classic_realm")
    state = game.initial(2, None)
    assert play_random_games(game, state, [1]).games == 1
    with pytest.raises(NoDevice, match="There is no NVIDIA GPU with a driver"):
        play_random_games(game, state, [1], "cuda")
