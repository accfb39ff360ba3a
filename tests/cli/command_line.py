"""Run the command line: in this process for speed, or as a real process where that matters."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from typing import NamedTuple
from unittest import mock

from click.testing import CliRunner

from realmtable.cli.main import main

COMMAND = [sys.executable, "-c", "from realmtable.cli.main import main; main()"]
SETUP = "Bh11 Bh2 Be8 Be5 Bb5 Bb8 Pi10 Pg3 Pf7 Pd6 Pc4 Pc9"


class CommandResult(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def run_cli(*arguments: str, text: str | bytes = "") -> CommandResult:
    """Run `main` with arguments and standard input; any exception other than an exit reaches the test."""
    code = 0
    with CliRunner().isolation(input=text) as (out, err, _), mock.patch.object(sys, "argv", ["realmtable", *arguments]):
        try:
            main()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1 if left.code else 0
        sys.stdout.flush()
        sys.stderr.flush()
        return CommandResult(code, out.getvalue().decode(errors="replace"), err.getvalue().decode(errors="replace"))


def expect_refusal(*arguments: str, text: str | bytes = "") -> str:
    """Run a command that must be refused, and return the one sentence that says why."""
    done = run_cli(*arguments, text=text)
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1, done.err
    assert done.err.strip().endswith((".", ")")), done.err  # a clause may follow the sentence
    return done.err.strip()


def run_process(*arguments: str, text: str = "") -> CommandResult:
    """Run the command as a separate process."""
    done = subprocess.run([*COMMAND, *arguments], input=text, capture_output=True, text=True, check=False, timeout=180)  # noqa: S603 - our own command
    return CommandResult(done.returncode, done.stdout, done.stderr)


def interrupt_command(*arguments: str, seen: str) -> CommandResult:
    """Run the command with a real terminal for its errors and press Ctrl-C once it shows a text."""
    main, terminal = pty.openpty()
    with subprocess.Popen(  # noqa: S603 - our own command
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=terminal, text=True, start_new_session=True
    ) as running:
        os.close(terminal)
        shown = ""
        while seen not in shown:
            shown += os.read(main, 4096).decode(errors="replace")
        os.killpg(running.pid, signal.SIGINT)
        try:
            out, _ = running.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            raise
    os.close(main)
    return CommandResult(running.returncode, out, shown)


def input_lines(*texts: str) -> str:
    """Return the input of a session."""
    return "".join(f"{text}\n" for text in texts)


def input_after_setup(*texts: str) -> str:
    """Return the set-up of the magazine's game, followed by more input."""
    return input_lines(*SETUP.split(), *texts)
