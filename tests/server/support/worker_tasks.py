"""Functions that tests run in worker processes. A new process imports this module and nothing that only tests need."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from realmtable.engine.errors import BadRecord, IllegalMove
from realmtable.kit.compile import is_compiling
from realmtable.server.workers.bot_workers import choose_moves

# ---- instead of bots


def pid_of_worker(*_: object) -> list[str]:
    return [str(os.getpid())]


def describe_worker(*_: object) -> list[str]:
    return [f"{os.nice(0)} {signal.getsignal(signal.SIGINT) == signal.SIG_IGN}"]


def think_forever(_game: str, note: str, *_: object) -> list[str]:
    """Write the process id to a file, then never return."""
    Path(note).write_text(str(os.getpid()), encoding="utf-8")
    while True:
        time.sleep(0.05)


def think_forever_at_first(game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
    while bot == "greedy":
        time.sleep(0.05)
    return choose_moves(game_id, position, seat, bot, seed)


def crash_once(_game: str, note: str, *_: object) -> list[str]:
    if not Path(note).exists():
        Path(note).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return ["answered"]


def crash_while_greedy(game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
    if bot == "greedy":
        os._exit(3)
    return choose_moves(game_id, position, seat, bot, seed)


def fail(*_: object) -> list[str]:
    raise ZeroDivisionError


# ---- instead of compiling


def describe_compile_switch(_game: str) -> str:
    """Return the compile switch of this process, and whether kernels are compiled."""
    return f"{os.environ['REALMTABLE_COMPILE']} {is_compiling()}"


def compile_all_but_two(game_id: str) -> bool:
    """Fail for one game, and find nothing to compile in another."""
    if game_id == "classic_realm":
        raise ZeroDivisionError
    return game_id != "modern_realm"


def note_and_wait(folder: Path, game_id: str) -> bool:
    with (folder / "started").open("a", encoding="utf-8") as file:
        file.write(f"{game_id}\n")
    while not (folder / "finish").exists():
        time.sleep(0.01)
    return True


# ---- instead of replaying


def process_id() -> int:
    return os.getpid()


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def end() -> None:
    os._exit(1)


def refuse_move() -> None:
    raise IllegalMove("R10", "One event a piece.")


def refuse_record() -> None:
    raise BadRecord("No such turn.", 7)


def end_by_signal(_game: str) -> bool:
    """End the process as a service manager does when it stops the server."""
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
    return True


def die_at(fatal: str, game: str) -> bool:
    """Kill the process if it gets one of the games."""
    if game == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    return True
