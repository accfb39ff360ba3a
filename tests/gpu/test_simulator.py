"""The kernels for GPUs, run by Numba's simulator with the compiler off, play like the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numba import cuda
from numba.cuda import simulator

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.gpu import array_games, backends, ptx
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.backends import GpuBackend, choose_backend
from realmtable.gpu.dlpack import DeviceArray
from realmtable.gpu.golden import Size, find_differences
from realmtable.gpu.vector_env import make_vector
from realmtable.kit.compile import is_compiling
from realmtable.kit.specialise import specialise
from tests.gpu.test_golden import GAMES

pytestmark = pytest.mark.skipif(is_compiling(), reason="the simulator runs Python, not machine code")

SIZE = Size(games=1, at_once=10, steps=2)
QUICK = {"classic_realm", "medieval_realm"}


@pytest.fixture(autouse=True)
def simulated_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use the simulator instead of the device; kernels made for one of them are not used with the other."""
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    for name in ("jit", "to_device", "device_array"):
        monkeypatch.setattr(cuda, name, getattr(simulator, name))
    caches = specialise.cache_clear, backends._compile_entry.cache_clear
    for clear in caches:
        clear()
    yield
    for clear in caches:
        clear()


SOME = [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in GAMES]


@pytest.mark.parametrize("name", SOME)
def test_the_simulator_plays_like_the_cpu(name: str) -> None:
    game = realmtable.game(name)
    assert find_differences(game, choose_backend(find_rules(game), "gpu"), SIZE) == []


def test_sorting_by_phase_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_games, "MANY_PHASES", 0)
    game = realmtable.game("medieval_realm")
    assert find_differences(game, GpuBackend(find_rules(game)), SIZE) == []


def test_the_environment_is_the_same_everywhere() -> None:
    choices: dict[str, Any] = {"observations": True, "masks": True, "max_steps": 2}
    envs = [make_vector("classic_realm", 10, device=device, **choices) for device in ("gpu", "cpu")]
    assert [env.device for env in envs] == ["gpu", "cpu"]
    for _ in range(3):
        for env in envs:
            env.step(env.sample())
        for part in ("legal_mask", "reasons", "lengths", "seat"):
            on_gpu, on_cpu = (np.asarray(getattr(env, part)) for env in envs)
            assert np.array_equal(on_gpu, on_cpu), part
        for on_gpu, on_cpu in zip(*(env.observations for env in envs), strict=True):
            assert on_gpu.shape == on_cpu.shape
            assert np.array_equal(np.asarray(on_gpu), on_cpu)
    envs[0].step(np.asarray(envs[1].sample()))
    envs[0].check()


def test_arrays_on_the_device_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    class Foreign:
        """An array of another library."""

        __cuda_array_interface__ = {"version": 3}  # noqa: RUF012 - as libraries have it

    inner = np.arange(3, dtype=np.int32)
    monkeypatch.setattr(cuda, "as_cuda_array", lambda _: inner)
    backend = GpuBackend(find_rules(realmtable.game("classic_realm")))
    taken = backend.take(Foreign())
    assert isinstance(taken, DeviceArray)
    assert taken.array is inner
    monkeypatch.setattr(cuda, "as_cuda_array", lambda _: np.arange(6, dtype=np.int32)[::2])
    with pytest.raises(BadInput, match="step needs an array whose numbers follow each other in memory"):
        backend.take(Foreign())


def test_a_device_gets_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM")
    given: list[object] = []

    def jit(signature: object, **_: object) -> Callable[..., str]:
        given.append(signature)
        return lambda entry: str(entry.__name__)

    monkeypatch.setattr(cuda, "jit", jit)
    compiled = backends._compile_entry(find_rules(realmtable.game("classic_realm")), "mask_games")
    assert compiled == "mask_games"
    assert given[-1] == ptx.entry_types()["mask_games"]
