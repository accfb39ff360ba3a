"""The table of attacks shows their effects, and an attack that fails or exceeds its bound is not held."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench import abuse
from bench.abuse import ATTACKS, Attack, Figures, Server
from bench.http_client import RequestFailed

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def fake_server(folder: Path, streams: int, **settings: str) -> AsyncIterator[tuple[int, int]]:
        assert folder.name.startswith("realmtable-abuse-")
        assert streams
        assert settings["limits_factor"] == "1"
        yield 1, 1

    monkeypatch.setattr(abuse, "run_server", fake_server)


def make_attack(felt_s: float | None) -> Attack:
    async def run(server: Server) -> Figures:
        assert server.url.startswith("http://127.0.0.1:")
        if felt_s is None:
            raise RequestFailed("the server has gone")
        return {"felt_s": felt_s}

    def holds(got: Figures) -> bool:
        return bool(got["felt_s"] <= 1)

    return Attack("a push", run, holds, lambda got: f"{got['felt_s']} s", "9 s", "1 s")


@pytest.mark.parametrize(
    ("felt_s", "line"),
    [
        (0.5, "| a push | 9 s | 0.5 s | 1 s | held |"),
        (1.5, "| a push | 9 s | 1.5 s | 1 s | NOT HELD |"),
        (None, "| a push | 9 s | failed: RequestFailed the server has gone | 1 s | NOT HELD |"),
    ],
)
async def test_an_attack_is_held_only_within_its_bound(felt_s: float | None, line: str) -> None:
    result = await abuse.run_attack(make_attack(felt_s))
    assert abuse.format_row(result) == line
    assert line in abuse.page([result])


@pytest.mark.parametrize(("felt_s", "status"), [(0.5, 0), (1.5, 1)])
def test_the_command_fails_if_an_attack_is_not_held(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, felt_s: float, status: int
) -> None:
    monkeypatch.setattr(abuse, "ATTACKS", (make_attack(felt_s),))
    monkeypatch.setattr(abuse, "PAGE", tmp_path / "abuse.md")
    assert CliRunner().invoke(abuse.main, []).exit_code == status
    assert "a push" in (tmp_path / "abuse.md").read_text(encoding="utf-8")


def test_a_part_of_the_attacks_is_chosen_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "abuse.md"
    monkeypatch.setattr(abuse, "ATTACKS", (make_attack(0.5),))
    monkeypatch.setattr(abuse, "PAGE", page)
    assert CliRunner().invoke(abuse.main, ["--only", "push"]).exit_code == 0
    none: Any = CliRunner().invoke(abuse.main, ["--only", "nothing like it"])
    assert (none.exit_code, none.output) == (2, "a push\n")
    assert not page.exists()


def test_attacks_have_names_of_their_own() -> None:
    assert len({each.name for each in ATTACKS}) == len(ATTACKS) > 20
