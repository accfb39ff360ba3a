"""The attacks on disk and memory, against a server in this process with limits that they reach at once."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from bench.attacks.disk_fill import connect_to, fill_disk
from bench.attacks.memory import fill_memory
from bench.http_client import RequestFailed
from realmtable.server.accounts.rate_limits import DEFAULTS
from tests.server.support.live_server import ServerThread, make_settings


def test_one_address_stores_no_more_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DEFAULTS, "address_stored", (2 << 20, 86_400))
    with ServerThread(make_settings(tmp_path, limits_factor=1.0)) as server:
        figures = asyncio.run(fill_disk(server.url, guests=3, lasts_s=60))
    assert figures["kept"] == 2
    assert figures["refused"] == 3
    assert figures["stored_mib"] < 2


def test_tables_that_left_memory_are_intact(tmp_path: Path) -> None:
    with ServerThread(make_settings(tmp_path)) as server:
        figures = asyncio.run(fill_memory(server.url, os.getpid(), tables=3, steps=2))
    assert figures["intact"] == figures["tables"] == 3
    assert figures["tables_in_memory"] == 3 + 4
    assert figures["estimated_mib"] > 0


def test_other_machines_are_not_attacked() -> None:
    with pytest.raises(RequestFailed, match="this machine"):
        connect_to("http://192.0.2.1:80")
