"""A test module that cannot be imported is an error, although it is imported before pytest collects it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("source", ["import nothing_is_called_so", "raise RuntimeError('nothing_is_called_so')"])
def test_a_module_that_cannot_be_imported_is_reported(tmp_path: Path, source: str) -> None:
    (tmp_path / "test_broken.py").write_text(f"{source}\n\ndef test_nothing() -> None: ...\n", encoding="utf-8")
    run = subprocess.run(  # noqa: S603 - our own file
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-p", "tests.conftest", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, "nothing_is_called_so" in run.stdout) == (pytest.ExitCode.INTERRUPTED, True), run.stdout
