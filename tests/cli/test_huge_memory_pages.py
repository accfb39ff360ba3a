"""Large memory pages: when the server starts itself again and asks for them, and when not."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from realmtable.cli import huge_memory_pages
from realmtable.cli.huge_memory_pages import (
    MAKE_LARGE_PAGE,
    MAX_TRIES,
    REQUEST,
    USE_LARGE_PAGES,
    VARIABLE,
    MemoryAdvice,
    restart_with_huge_pages,
    start_advising,
)

Restart = tuple[str, list[str], dict[str, str]]

PROGRAM = ["python", "-c", "code", "serve", "--port", "0"]
ON_REQUEST, ALWAYS = "always [madvise] never\n", "[always] madvise never\n"


@pytest.fixture
def restarts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Restart]:
    """A program that was started to serve, on a system with huge pages on request; what it is restarted as."""
    found: list[Restart] = []
    monkeypatch.setattr(os, "execve", lambda *restart: found.append(restart))
    monkeypatch.setattr(sys, "executable", "/bin/python")
    monkeypatch.setattr(sys, "orig_argv", PROGRAM)
    monkeypatch.setattr(sys, "argv", ["-c", *PROGRAM[3:]])
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(huge_memory_pages, "LINUX_SETTING", tmp_path / "enabled")
    (tmp_path / "enabled").write_text(ON_REQUEST)
    return found


def test_the_program_starts_again_as_it_was_started(restarts: list[Restart]) -> None:
    restart_with_huge_pages()
    [(path, arguments, environment)] = restarts
    assert (path, arguments) == ("/bin/python", ["/bin/python", *PROGRAM[1:]])
    assert environment == {**os.environ, VARIABLE: REQUEST}


@pytest.mark.parametrize("value", ["", REQUEST, "glibc.malloc.check=3"])
def test_whoever_sets_the_variable_decides(
    restarts: list[Restart], monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv(VARIABLE, value)  # as after the restart, too
    restart_with_huge_pages()
    assert restarts == []


@pytest.mark.parametrize("setting", [ALWAYS, "always madvise [never]\n", "", None])
def test_systems_that_give_them_without_asking_or_never_need_no_restart(
    restarts: list[Restart], setting: str | None
) -> None:
    huge_memory_pages.LINUX_SETTING.unlink()
    if setting is not None:
        huge_memory_pages.LINUX_SETTING.write_text(setting)
    restart_with_huge_pages()
    assert restarts == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("argv", ["realmtable", "serve"]), ("argv", ["realmtable"]), ("orig_argv", ["pytest"]), ("executable", "")],
)
def test_a_program_that_was_started_as_something_else_goes_on(
    restarts: list[Restart], monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(sys, name, value)
    restart_with_huge_pages()
    assert restarts == []


def test_if_it_cannot_start_again_it_goes_on(restarts: list[Restart], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no such file")

    monkeypatch.setattr(os, "execve", fail)
    restart_with_huge_pages()
    assert restarts == []


def test_a_real_process_has_the_same_arguments_afterwards(tmp_path: Path) -> None:
    (tmp_path / "enabled").write_text(ON_REQUEST)
    code = (
        "import os, pathlib, sys; from realmtable.cli import huge_memory_pages as pages; "
        f"pages.LINUX_SETTING = pathlib.Path({str(tmp_path / 'enabled')!r}); pages.restart_with_huge_pages(); "
        "print(os.environ['GLIBC_TUNABLES'], sys.argv[1:])"
    )
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(  # noqa: S603 - this interpreter
        [sys.executable, "-c", code, "serve", "a b"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[0] == f"{REQUEST} ['serve', 'a b']"


AREAS = """\
00400000-00500000 r-xp 00000000 08:01 100 /usr/bin/python3
00500000-00a00000 rw-p 00000000 08:01 100 /usr/lib/a library.so
01000000-01300000 rw-p 00000000 00:00 0 [heap]
01300000-01340000 rw-p 00000000 00:00 0
01500000-01a00000 rw-p 00000000 00:00 0
01a00000-02000000 r--p 00000000 00:00 0
03000000-04000000 rw-p 00000000 00:00 0 [stack]
"""
LARGE = 0x200000


class Advised:
    """Takes advice as Linux does."""

    def __init__(self, *refused: tuple[int, int]) -> None:
        self.refused = set(refused)  # an address and an advice
        self.given: list[tuple[int, int, int]] = []

    def advise(self, start: int, length: int, advice: int) -> int:
        self.given.append((start, length, advice))
        return -1 if (start, advice) in self.refused else 0


def test_only_memory_for_objects_is_advised_and_each_block_once() -> None:
    advised = Advised()
    advice = MemoryAdvice(advised.advise, LARGE)
    areas = [
        (0x1000000, 0x300000, USE_LARGE_PAGES),
        (0x1300000, 0x40000, USE_LARGE_PAGES),
        (0x1500000, 0x500000, USE_LARGE_PAGES),
    ]
    blocks = [(start, LARGE, MAKE_LARGE_PAGE) for start in (0x1000000, 0x1600000, 0x1800000)]
    assert advice.give(AREAS) == 3
    assert sorted(advised.given) == sorted([*areas, *blocks])
    advised.given.clear()
    assert advice.give(AREAS) == 0
    assert advised.given == areas


def test_a_block_that_cannot_have_a_large_page_is_tried_a_few_times() -> None:
    advised = Advised((0x1600000, MAKE_LARGE_PAGE), (0x1000000, USE_LARGE_PAGES))
    advice = MemoryAdvice(advised.advise, LARGE)
    assert [advice.give(AREAS) for _ in range(MAX_TRIES + 2)] == [1, 0, 0, 0, 0]
    tries = [start for start, _, kind in advised.given if kind == MAKE_LARGE_PAGE]
    assert tries.count(0x1600000) == MAX_TRIES
    assert 0x1000000 not in tries  # in an area that takes no advice


@pytest.mark.skipif(not huge_memory_pages.PAGE_SIZE_FILE.exists(), reason="needs Linux with huge pages")
def test_a_server_advises_its_memory_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given, twice = [], threading.Event()

    def give(_: MemoryAdvice, memory: str) -> int:
        given.append(memory)
        if len(given) > 1:
            twice.set()
            raise OSError  # ends the thread
        return 0

    monkeypatch.setattr(MemoryAdvice, "give", give)
    monkeypatch.setattr(huge_memory_pages, "ADVISE_EVERY_S", 0.01)
    monkeypatch.setattr(huge_memory_pages, "are_given_on_request", lambda: False)
    start_advising()
    monkeypatch.setattr(huge_memory_pages, "are_given_on_request", lambda: True)
    start_advising()
    assert twice.wait(30)
    assert len(given) == 2  # by one thread
    assert "[heap]" in given[0]


@pytest.mark.parametrize("text", [None, "many"])
def test_where_the_size_of_huge_pages_is_unknown_nothing_is_advised(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str | None
) -> None:
    if text is not None:
        (tmp_path / "size").write_text(text)
    monkeypatch.setattr(huge_memory_pages, "PAGE_SIZE_FILE", tmp_path / "size")
    monkeypatch.setattr(huge_memory_pages, "are_given_on_request", lambda: True)
    before = threading.active_count()
    start_advising()
    assert threading.active_count() == before
