"""The benchmark of vector environments measures, compares, and leaves out peers that are not installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from bench import rl


def measure_once(work: Callable[[], int]) -> float:
    return float(work())


def refuse(_: rl.Measure) -> float:
    raise ImportError("No module named 'chess'")


def test_a_missing_peer_is_left_out_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rl, "PEERS", {"A peer": refuse, "Another": lambda _: 4.0})
    assert [rl.try_peer(name, measure_once) for name in rl.PEERS] == [None, 4.0]
    assert capsys.readouterr().err == "A peer was skipped: No module named 'chess'.\n"


@pytest.mark.parametrize(("flags", "clock"), [([], "wall"), (["--processor-time"], "processor")])
def test_the_table_compares_sizes_choices_and_peers(
    monkeypatch: pytest.MonkeyPatch, flags: list[str], clock: str
) -> None:
    monkeypatch.setattr(rl, "PEERS", {"A peer": lambda _: 0.5})
    monkeypatch.setattr(rl, "WARM_STEPS", 1)
    monkeypatch.setattr(rl, "STEPS_PER_CALL", 8)
    result = CliRunner().invoke(
        rl.main, ["--seconds", "0.01", "--game", "classic_realm", "--size", "2", "--size", "4", *flags]
    )
    assert result.exit_code == 0, result.output
    assert f"Rates are per second of {clock} time." in result.output
    lines = [line.split(" | ") for line in result.output.splitlines() if line.startswith("| classic")]
    peers = [line[2] for line in lines]
    assert peers == ["1 thread"] * 2 + ["with planes", "with masks", "`play` + `legal_moves` from Python", "A peer"]
    assert all(float(line[1].replace(",", "")) > 0 for line in lines)


def test_openspiel_plays_chess() -> None:
    pytest.importorskip("open_spiel")
    assert rl.measure_openspiel(measure_once) > 1
