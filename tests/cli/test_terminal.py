"""At a real terminal: the prompt with completion, and the record that is saved automatically."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from realmtable.cli.prompt import Prompt
from tests.cli.command_line import COMMAND

LIMIT_S = 40
STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A process with a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        self.screen, inner = pty.openpty()
        # Interpreted: importing the compiler would take longer than the game.
        environment = {**os.environ, "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm", "REALMTABLE_COMPILE": "0"}
        self.running = subprocess.Popen(  # noqa: S603 - our own command
            [*COMMAND, *arguments], stdin=inner, stdout=inner, stderr=inner, env=environment, close_fds=True
        )
        os.close(inner)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def wait_for(self, text: str) -> None:
        """Read until a text appears after everything that was waited for before."""
        limit = time.monotonic() + LIMIT_S
        while text not in self.seen:
            assert time.monotonic() < limit, self.seen
            assert self.read(), self.seen
        self.seen = self.seen.split(text, 1)[1]

    def read(self) -> bool:
        """Read what is there; return False once the process has closed its end."""
        if not select.select([self.screen], [], [], 0.2)[0]:
            return True
        try:
            data = os.read(self.screen, 65536)
        except OSError:  # Linux's way of saying that the other end is closed
            return False
        self.seen = STYLE.sub("", self.seen + data.decode(errors="replace"))
        return bool(data)

    def end(self) -> int:
        while self.read() and self.running.poll() is None:
            pass
        return self.running.wait(LIMIT_S)

    def close(self) -> None:
        if self.running.poll() is None:
            self.running.kill()
            self.running.wait()
        os.close(self.screen)


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """A game of two people, or the one whose flags are given."""
    opened = Terminal("play", "realm", *getattr(request, "param", ("--seats", "human,human")))
    yield opened
    opened.close()


@pytest.mark.long
def test_a_person_types_completes_and_leaves(terminal: Terminal) -> None:
    terminal.wait_for("1. White>")
    terminal.type("Bh11\r")
    terminal.wait_for("1. Black>")
    terminal.type("posi\t")
    terminal.wait_for("position")
    terminal.type("\r")
    terminal.wait_for("move=B")
    terminal.wait_for("1. Black>")
    terminal.type("\x03")
    terminal.wait_for("--resume realm.record")
    assert terminal.end() == 0
    assert "1. Bh11" in Path("realm.record").read_text(encoding="utf-8")


@pytest.mark.long
def test_a_killed_game_is_kept_to_its_latest_turn(terminal: Terminal) -> None:
    terminal.wait_for("1. White>")
    terminal.type("Bh11\r")
    terminal.wait_for("1. Black>")
    terminal.running.kill()
    terminal.end()
    assert "1. Bh11" in Path("realm.record").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_end_of_input_leaves_too(terminal: Terminal) -> None:
    terminal.wait_for("1. White>")
    terminal.type("\x04")
    assert terminal.end() == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "terminal",
    [("--seats", "bot:random,bot:random", "--seed", "4", "--option", "max_turns=20", "--option", "no_progress=10")],
    indirect=True,
)
def test_a_game_that_ends_at_a_terminal_is_kept(terminal: Terminal, folder: Path) -> None:
    terminal.wait_for("The record is in realm.record")
    assert terminal.end() == 0
    assert [path.name for path in folder.iterdir()] == ["realm.record"]


def test_piped_input_is_asked_plainly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("builtins.input", lambda question: f"{question}answer")
    assert Prompt().ask("q> ", ["answer"]) == "q> answer"
    assert capsys.readouterr().out == "q> answer\n"
