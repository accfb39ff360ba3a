"""A test module that cannot be imported is an error, although it is imported before pytest collects it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_modules_that_cannot_be_imported_are_reported(tmp_path: Path) -> None:
    sources = {"missing": "import nothing_is_called_so", "failing": "raise RuntimeError('nothing_can_be_tested')"}
    for name, source in sources.items():
        (tmp_path / f"test_{name}.py").write_text(f"{source}\n\ndef test_nothing() -> None: ...\n", encoding="utf-8")
    run = subprocess.run(  # noqa: S603 - our own files
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-p", "tests.conftest", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == pytest.ExitCode.INTERRUPTED, run.stdout
    for part in ("No module named 'nothing_is_called_so'", "RuntimeError: nothing_can_be_tested", "2 errors"):
        assert part in run.stdout
