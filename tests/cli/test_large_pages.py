"""Large memory pages: when the server starts itself again, and when not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from realmtable.cli import large_pages
from realmtable.cli.large_pages import REQUEST, VARIABLE, restart_with_large_pages

Restart = tuple[str, list[str], dict[str, str]]

PROGRAM = ["python", "-c", "code", "serve", "--port", "0"]
ON_REQUEST, ALWAYS = "always [madvise] never\n", "[always] madvise never\n"


@pytest.fixture
def restarts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Restart]:
    """A program that was started to serve, on a system with large pages on request; what it is restarted as."""
    found: list[Restart] = []
    monkeypatch.setattr(os, "execve", lambda *restart: found.append(restart))
    monkeypatch.setattr(sys, "executable", "/bin/python")
    monkeypatch.setattr(sys, "orig_argv", PROGRAM)
    monkeypatch.setattr(sys, "argv", ["-c", *PROGRAM[3:]])
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(large_pages, "LINUX_SETTING", tmp_path / "enabled")
    (tmp_path / "enabled").write_text(ON_REQUEST)
    return found


def test_the_program_starts_again_as_it_was_started(restarts: list[Restart]) -> None:
    restart_with_large_pages()
    [(path, arguments, environment)] = restarts
    assert (path, arguments) == ("/bin/python", ["/bin/python", *PROGRAM[1:]])
    assert environment == {**os.environ, VARIABLE: REQUEST}


@pytest.mark.parametrize("value", ["", REQUEST, "glibc.malloc.check=3"])
def test_whoever_sets_the_variable_decides(
    restarts: list[Restart], monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv(VARIABLE, value)  # as after the restart, too
    restart_with_large_pages()
    assert restarts == []


@pytest.mark.parametrize("setting", [ALWAYS, "always madvise [never]\n", "", None])
def test_systems_that_give_them_without_asking_or_never_need_no_restart(
    restarts: list[Restart], setting: str | None
) -> None:
    large_pages.LINUX_SETTING.unlink()
    if setting is not None:
        large_pages.LINUX_SETTING.write_text(setting)
    restart_with_large_pages()
    assert restarts == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("argv", ["realmtable", "serve"]), ("argv", ["realmtable"]), ("orig_argv", ["pytest"]), ("executable", "")],
)
def test_a_program_that_was_started_as_something_else_goes_on(
    restarts: list[Restart], monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(sys, name, value)
    restart_with_large_pages()
    assert restarts == []


def test_if_it_cannot_start_again_it_goes_on(restarts: list[Restart], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no such file")

    monkeypatch.setattr(os, "execve", fail)
    restart_with_large_pages()
    assert restarts == []


def test_a_real_process_has_the_same_arguments_afterwards(tmp_path: Path) -> None:
    (tmp_path / "enabled").write_text(ON_REQUEST)
    code = (
        "import os, pathlib, sys; from realmtable.cli import large_pages as pages; "
        f"pages.LINUX_SETTING = pathlib.Path({str(tmp_path / 'enabled')!r}); pages.restart_with_large_pages(); "
        "print(os.environ['GLIBC_TUNABLES'], sys.argv[1:])"
    )
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(  # noqa: S603 - this interpreter
        [sys.executable, "-c", code, "serve", "a b"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[0] == f"{REQUEST} ['serve', 'a b']"
