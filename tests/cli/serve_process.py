"""Run `realmtable serve` as a real process, on a free port and with a new database."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command_line import COMMAND

START_TIMEOUT_S = 120  # on a busy machine; else at once
STOP_TIMEOUT_S = 60


class ServeProcess:
    """A running server: its address, its output, and how to stop it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.stdout = ""
        self.stderr = ""
        self._reading = [
            threading.Thread(target=self._read, args=(name,), daemon=True) for name in ("stdout", "stderr")
        ]
        self._answers = threading.Event()
        for thread in self._reading:
            thread.start()

    def _read(self, name: str) -> None:
        with getattr(self.process, name) as pipe:
            for line in pipe:
                if name == "stdout":
                    self.stdout += line
                else:
                    self.stderr += line
                if "Realmtable is running at" in line:
                    self._answers.set()
        self._answers.set()

    @property
    def url(self) -> str:
        """The address that it has printed; waits for it."""
        self._answers.wait(START_TIMEOUT_S)
        found = re.search(r"Realmtable is running at (\S+)", self.stdout)
        assert found, self.stdout + self.stderr
        return found.group(1)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to stop, wait until it has, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(STOP_TIMEOUT_S)
        for thread in self._reading:
            thread.join(STOP_TIMEOUT_S)
        return code


@contextmanager
def run_serve(folder: Path, *arguments: str, **environment: str) -> Iterator[ServeProcess]:
    """Run a server with a database in a folder; stop it at the end if it is still running."""
    variables = {**os.environ, "REALMTABLE_DATABASE_URL": f"sqlite:///{folder / 'tables.sqlite3'}", **environment}
    process = subprocess.Popen(  # noqa: S603 - our own command
        [*COMMAND, "serve", "--port", "0", *arguments],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that a Ctrl-C for the tests is not one for it
    )
    server = ServeProcess(process)
    try:
        yield server
    finally:
        try:
            server.stop()
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
