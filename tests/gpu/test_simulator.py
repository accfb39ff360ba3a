"""The kernels for GPUs, run by Numba's simulator with the compiler off, play like the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba import cuda
from numba.cuda import simulator

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.gpu import array_games, cuda_backend, ptx
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.backends import choose_backend
from realmtable.gpu.cuda_backend import SIMULATED_THREADS, CudaBackend
from realmtable.gpu.dlpack import DeviceArray
from realmtable.gpu.golden import Size, find_differences
from realmtable.gpu.kernel_runner import OrderBuffers, make_order_buffers, plan_ordered_step
from realmtable.kit.compile import is_compiling
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import REFUSED
from realmtable.rl import vector
from realmtable.rl.vector_env import IllegalAction, Transition, VectorEnv
from tests.gpu.test_golden import GAMES

pytestmark = pytest.mark.skipif(is_compiling(), reason="the simulator runs Python, not machine code")

SIZE = Size(games=1, at_once=10, steps=2)
QUICK = {"classic_realm", "medieval_realm"}


@pytest.fixture(autouse=True)
def simulated_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use the simulator instead of the device; kernels made for one of them are not used with the other."""
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    for name in ("jit", "to_device", "device_array", "current_context"):
        monkeypatch.setattr(cuda, name, getattr(simulator, name))
    caches = specialise.cache_clear, cuda_backend._compile_entry.cache_clear
    for clear in caches:
        clear()
    yield
    for clear in caches:
        clear()


SOME = [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in GAMES]


@pytest.mark.parametrize("name", SOME)
def test_the_simulator_plays_like_the_cpu(name: str) -> None:
    game = realmtable.game(name)
    assert find_differences(game, choose_backend(find_rules(game), "cuda"), SIZE) == []


@pytest.mark.long
def test_ordering_games_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_games, "MANY_PHASES", 0)
    game = realmtable.game("medieval_realm")
    assert find_differences(game, CudaBackend(find_rules(game)), SIZE) == []


@pytest.mark.long
def test_games_of_one_group_are_listed_side_by_side() -> None:
    rules = find_rules(realmtable.game("classic_realm"))
    backend = CudaBackend(rules)
    count = 20
    phase = rules.seat_entry if rules.phase_entry is None else rules.phase_entry
    positions = np.zeros((count, 200), dtype=np.int64)
    positions[:, phase] = np.arange(count) % 3
    lists = np.array([0, 1, 5, 6, 40] * 4, dtype=np.int32)
    buffers = OrderBuffers(*(backend.put(array) for array in make_order_buffers(np, count)))
    games = [backend.put(positions), *(backend.put(lists) for _ in range(5))]
    _, *ordering, _ = plan_ordered_step(backend.put(lists), games, buffers, SIMULATED_THREADS, SIMULATED_THREADS)
    for _ in range(2):  # the second time, nothing of the first must be left
        for launch in ordering:
            backend._repeat(*launch)
        order = np.asarray(buffers.order)
        assert sorted(order.tolist()) == list(range(count))
        groups = [(positions[game, phase], int(lists[game]).bit_length()) for game in order]
        assert groups == sorted(groups)
        assert not np.asarray(buffers.sizes).any()


def make_both(count: int = 10, **choices: Any) -> list[VectorEnv]:  # noqa: ANN401 - arguments of `vector`
    """Return the same environment on the simulated device and on the CPU."""
    return [vector("classic_realm", count, device=device, **choices) for device in ("cuda", "cpu")]


def find_parts(env: VectorEnv, transition: Transition) -> dict[str, Any]:
    """Return all arrays that a step gives, as NumPy's."""
    info = {name: array for name, array in transition.info.items() if "final" not in name}  # of the CPU alone
    named = {
        "own rewards": transition.rewards,
        "terminated": transition.terminated,
        "truncated": transition.truncated,
        **transition.observations._asdict(),
        **info,
        "property seat": env.seat,
        "property mask": env.legal_mask,
    }
    return {name: np.asarray(array) for name, array in named.items()}


@pytest.mark.long
def test_the_environment_is_the_same_everywhere() -> None:
    envs = make_both(masks=True, max_steps=3, options={"max_plies": 20})
    assert [env.device for env in envs] == ["cuda", "cpu"]
    for number in range(5):
        drawn = [env.sample() for env in envs]
        if number == 3:  # a second sample is another one, and leaves the first as it is
            first = [np.asarray(actions).copy() for actions in drawn]
            again = [np.asarray(env.sample()) for env in envs]
            assert np.array_equal(again[0], again[1])
            assert not np.array_equal(first[0], again[0])
            assert all(np.array_equal(one, other) for one, other in zip(drawn, first, strict=True))
        on_gpu, on_cpu = (find_parts(env, env.step(actions)) for env, actions in zip(envs, drawn, strict=True))
        for name, expected in on_cpu.items():
            assert (on_gpu[name].shape, on_gpu[name].dtype) == (expected.shape, expected.dtype), name
            assert np.array_equal(on_gpu[name], expected), name
    assert envs[0].state(2) == envs[1].state(2)
    assert np.array_equal(envs[0].positions, envs[1].positions)
    envs[0].step(np.asarray(envs[1].sample()).astype(np.int64))  # actions of NumPy are copied to the device
    envs[0].check()
    envs[0].close()


def test_an_illegal_action_is_found_by_a_check() -> None:
    on_gpu, on_cpu = make_both(2)
    actions = np.array([on_cpu.legal_list[0, 0], -1], dtype=np.int32)
    with pytest.raises(IllegalAction) as expected:
        on_cpu.step(actions)
    before = on_cpu.state(1)
    _, _, terminated, _, info = on_gpu.step(actions)
    assert np.asarray(info["reason"]).tolist() == [0, REFUSED]
    assert np.asarray(info["length"]).tolist() == [1, 0]
    assert not np.asarray(terminated).any()
    assert on_gpu.state(1) == before
    with pytest.raises(IllegalAction) as found:
        on_gpu.check()
    assert str(found.value) == str(expected.value)


def test_copies_are_made_on_the_device() -> None:
    env, _ = make_both(2, copy=True)
    actions = env.sample()
    kept = np.asarray(actions)
    length = env.step(actions).info["length"]
    env.step(env.sample())
    assert isinstance(length, DeviceArray)
    assert np.asarray(length).tolist() == [1, 1]
    assert np.array_equal(np.asarray(actions), kept)


def test_more_games_than_the_device_has_memory_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = SimpleNamespace(get_memory_info=lambda: SimpleNamespace(free=10_000))
    monkeypatch.setattr(cuda, "current_context", lambda: memory)
    with pytest.raises(
        BadInput, match=r"^1,000 games of Classic Realm need 0\.\d GB .* 0\.0 GB are free; create fewer"
    ):
        make_both(1_000)


def test_arrays_on_the_device_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    class Foreign:
        """An array of another library."""

        __cuda_array_interface__ = {"version": 3}  # noqa: RUF012 - as libraries have it

    inner = np.arange(3, dtype=np.int32)
    monkeypatch.setattr(cuda, "as_cuda_array", lambda _: inner)
    backend = CudaBackend(find_rules(realmtable.game("classic_realm")))
    taken = backend.take(Foreign(), 3)
    assert isinstance(taken, DeviceArray)
    assert taken.array is inner
    assert backend.take(taken, 3) is taken
    assert backend.take(inner, 3) is None
    with pytest.raises(
        BadInput, match=r"^step needs 4 numbers of the type int32 on the device, not an array of int32 with"
    ):
        backend.take(taken, 4)
    with pytest.raises(BadInput, match=r"^step needs 3 numbers .*, not an array of int64 with the shape \(3,\)\.$"):
        backend.take(DeviceArray(np.arange(3)), 3)
    monkeypatch.setattr(cuda, "as_cuda_array", lambda _: np.arange(6, dtype=np.int32)[::2])
    with pytest.raises(BadInput, match="step needs an array whose numbers follow each other in memory"):
        backend.take(Foreign(), 3)


def test_a_device_gets_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM")
    given: list[object] = []

    def jit(signature: object, **_: object) -> Callable[..., str]:
        given.append(signature)
        return lambda entry: str(entry.__name__)

    monkeypatch.setattr(cuda, "jit", jit)
    compiled = cuda_backend._compile_entry(find_rules(realmtable.game("classic_realm")), "mask_games")
    assert compiled == "mask_games"
    assert given[-1] == ptx.entry_types()["mask_games"]
