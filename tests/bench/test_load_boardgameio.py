import json
import subprocess
from pathlib import Path

import pytest

from bench import load_boardgameio
from bench.server_process import describe_machine, free_port, raise_file_limit, read_usage


def test_the_peer_is_left_out_where_there_is_no_npm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(load_boardgameio.Skipped, match="node and npm are not installed"):
        load_boardgameio.install(tmp_path)


def test_the_peer_is_left_out_where_it_cannot_be_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("npm", 1)

    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(load_boardgameio.Skipped, match="npm could not install it"):
        load_boardgameio.install(tmp_path)


def test_a_peer_that_is_there_is_not_installed_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    there = tmp_path / "node_modules" / load_boardgameio.NAME
    there.mkdir(parents=True)
    (there / "package.json").write_text('{"version": "1.2.3"}', encoding="utf-8")
    monkeypatch.setattr("shutil.which", lambda name: name)
    assert load_boardgameio.install(tmp_path) == "1.2.3"
    assert (tmp_path / "client.js").exists()


def test_the_peer_has_a_fixed_version() -> None:
    package = json.loads((load_boardgameio.SCRIPTS / "package.json").read_text(encoding="utf-8"))
    assert package["dependencies"][load_boardgameio.NAME][0].isdigit()
    assert package["private"] is True


def test_enough_matches_stand_ready() -> None:
    assert load_boardgameio.spare_matches([70.0], 10.0, 12) == 10
    assert load_boardgameio.spare_matches([300.0, None], 20.0, 1000) == 7


def test_usage_of_this_process_is_known_where_the_system_reports_it() -> None:
    found = read_usage(1)
    assert found is None or found.memory > 0
    assert read_usage(2**30) is None


def test_the_machine_is_described_in_general_words() -> None:
    assert describe_machine().startswith("a ")
    assert "-core " in describe_machine()


def test_more_files_than_the_system_allows_are_refused() -> None:
    raise_file_limit(1)
    with pytest.raises(BlockingIOError, match="open files are needed"):
        raise_file_limit(10**9)


def test_a_free_port_is_free() -> None:
    assert free_port() > 0
