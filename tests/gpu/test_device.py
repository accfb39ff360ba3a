"""Finding a GPU, or saying in one sentence why there is none."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from realmtable.engine.extras import MissingExtra
from realmtable.gpu import device
from realmtable.gpu.device import NoDevice, find_device, has_device


def fake_cuda(monkeypatch: pytest.MonkeyPatch, **parts: object) -> None:
    monkeypatch.setattr("numba.cuda", SimpleNamespace(**parts))


def raise_broken() -> bool:
    raise RuntimeError("libcuda.so.1:\n version mismatch")


def test_a_device_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = SimpleNamespace(driver=SimpleNamespace(driver=SimpleNamespace(get_version=lambda: (13, 0))))
    gpu = SimpleNamespace(name=b"NVIDIA H200", compute_capability=(9, 0))
    fake_cuda(monkeypatch, is_available=lambda: True, get_current_device=lambda: gpu, cudadrv=driver)
    assert find_device().describe() == "NVIDIA H200 (compute capability 9.0, driver for CUDA 13.0)"
    assert has_device()


def test_a_missing_device_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_cuda(monkeypatch, is_available=lambda: False)
    with pytest.raises(
        NoDevice, match=r"^There is no NVIDIA GPU .*; the same games .* run on the CPU \(device='cpu'\)\.$"
    ):
        find_device()
    assert not has_device()


def test_a_broken_driver_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_cuda(monkeypatch, is_available=raise_broken)
    with pytest.raises(NoDevice, match=r"^There is no NVIDIA GPU .*: libcuda.so.1: version mismatch\.$"):
        find_device()


def test_the_simulator_is_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    assert find_device().name == "Numba's simulator"


def test_the_extra_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(extra: str) -> None:
        raise MissingExtra(f"pip install 'realmtable[{extra}]'.")

    monkeypatch.setattr(device, "require_extra", refuse)
    with pytest.raises(MissingExtra, match="gpu"):
        find_device()
