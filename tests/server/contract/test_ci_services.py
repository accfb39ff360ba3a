"""The private services of the contract tests are stored under TMPDIR."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import realmtable
from tests.server.contract.conftest import address

SERVICES = os.fspath(Path(realmtable.__file__).parents[2] / ".ci" / "services")
LONGER_THAN_A_SOCKET_PATH = "x" * 120


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of any name that PostgreSQL's user can reach; the tests' own folders are closed to it."""
    folder = tmp_path_factory.mktemp("services") / f"two words {LONGER_THAN_A_SOCKET_PATH}"
    folder.mkdir()
    for place in (folder, *folder.parents):
        if not place.stat().st_mode & 0o001 and place.owner() == Path.home().owner():
            place.chmod(place.stat().st_mode | 0o011)
    return folder


def test_the_services_are_kept_under_tmpdir_and_gone_after_stop(folder: Path) -> None:
    address("REALMTABLE_TEST_SERVICES")  # skips where there are no such programs
    environment = {**os.environ, "TMPDIR": os.fspath(folder)}
    bash = shutil.which("bash") or "bash"
    started = subprocess.run(  # noqa: S603 - ours
        [bash, SERVICES], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert started.returncode == 0, started.stderr
    exported = dict(word.split("=", 1) for word in shlex.split(started.stdout) if "=" in word)
    kept = Path(exported["REALMTABLE_TEST_SERVICES"])
    subprocess.run(  # noqa: S603 - as above
        [bash, SERVICES, "stop", os.fspath(kept)], env=environment, check=True, timeout=120
    )
    assert kept.parent == folder, started.stderr
    assert not kept.exists()
