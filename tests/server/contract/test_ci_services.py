"""The private services of the contract tests are stored under TMPDIR."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import realmtable
from tests.server.contract.conftest import address

SERVICES = os.fspath(Path(realmtable.__file__).parents[2] / ".ci" / "services")
LONGER_THAN_A_SOCKET_PATH = "x" * 120


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of any name that PostgreSQL's user can reach.

    It is not among the folders of pytest: any other run that starts closes those to everyone else.
    """
    with TemporaryDirectory() as outer:
        folder = Path(outer) / f"two words {LONGER_THAN_A_SOCKET_PATH}"
        folder.mkdir()
        for place in (folder, folder.parent):
            place.chmod(0o711)
        yield folder


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
