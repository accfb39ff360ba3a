"""Helpers that several commands share: rule options, reading and writing files, and running without Numba."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.options import (
    OptionValue,
    can_come_from_file,
    convert_file,
    make_options,
    parse_options_file,
    parse_pairs,
)
from realmtable.engine.protocol import AnyGame, Options, State
from realmtable.engine.record import ParsedRecord, Record, parse_record

if TYPE_CHECKING:
    from realmtable.lab.jobs.job_runner import JobRunner

MAX_FILE = 2_000_000
PNG_WIDTH = 1200
Command = TypeVar("Command", bound=Callable[..., Any])


def disable_compiling() -> None:
    """Run the rules interpreted: a command that plays a few hundred steps finishes before Numba is even imported."""
    os.environ.setdefault("REALMTABLE_COMPILE", "0")


game_argument = click.argument("game_id", metavar="GAME")
cluster_option = click.option(
    "--cluster", default="local", show_default=True, help="local, tcp://HOST:PORT, slurm or kubernetes."
)


def game_options(command: Command) -> Command:
    """Add the flags that set a game's rule options."""
    file = click.option("--options-file", type=click.Path(path_type=Path), help="TOML file with options and a preset.")
    preset = click.option("--preset", metavar="NAME", help="Named set of options; see `realmtable games`.")
    pairs = click.option("--option", "pairs", multiple=True, metavar="KEY=VALUE", help="Rule option; may be repeated.")
    return pairs(preset(file(command)))


def measuring_flags(command: Command) -> Command:
    """Add the flags of commands that count or measure: players, output format and rule options."""
    players = click.option("--players", type=int, help="Number of players. [default: the fewest]")
    as_json = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
    return players(as_json(game_options(command)))


def options_from_flags(game_id: str, pairs: tuple[str, ...], preset: str | None, options_file: Path | None) -> Options:
    """Return the rule options from the flags; single options override the file."""
    info = registry.info(game_id)
    values: dict[str, Any] = {}
    if options_file is not None:
        file_preset, values = parse_options_file(info.options_type, read_text(options_file))
        preset = preset or file_preset
    values |= parse_pairs(info.options_type, list(pairs))
    values = {name: read_option_value(info.options_type, name, value) for name, value in values.items()}
    return make_options(info.options_type, info.presets, preset, values)


def read_option_value(options_type: type, name: str, value: OptionValue) -> OptionValue:
    """Return the value of an option, made from a file if it names one, such as ``manifest=mine.toml``."""
    if isinstance(value, str) and value.endswith(".toml") and can_come_from_file(options_type, name):
        return convert_file(options_type, name, read_text(Path(value)))
    return value


def read_text(path: Path, most: int = MAX_FILE) -> str:
    """Read a text file, or standard input for ``-``; raise `BadInput` if it cannot be read."""
    try:
        data = sys.stdin.buffer.read(most + 1) if str(path) == "-" else _read_bytes(path, most)
    except (OSError, ValueError) as error:
        raise BadInput(f"{str(path)[:80]} cannot be read: {describe_os_error(error)}.") from None
    if len(data) > most:
        raise BadInput(f"{path} is larger than {most:,} bytes.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a UTF-8 text file.") from None


def _read_bytes(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        return file.read(most + 1)


def write_text(path: Path, text: str) -> None:
    """Write a text file as `write_bytes` does."""
    write_bytes(path, text.encode())


def write_png(path: Path, picture: str, theme: str) -> None:
    """Write a picture of a game as PNG; the theme "auto" is light."""
    from realmtable.engine.extras import require_extra  # noqa: PLC0415 - only this needs it

    require_extra("server")
    from realmtable.server.images.render import render_picture  # noqa: PLC0415 - its libraries are an extra

    write_bytes(path, render_picture(picture, "dark" if theme == "dark" else "light", PNG_WIDTH))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically: to a temporary file in the same folder, then renamed."""
    try:
        draft = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            draft.write_bytes(data)
            draft.replace(path)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be written: {describe_os_error(error)}.") from None


def make_folder(path: Path) -> None:
    """Make a folder, and those around it, if it does not exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadInput(f"The folder {str(path)[:80]} cannot be made: {describe_os_error(error)}.") from None


def path_exists(path: Path) -> bool:
    """Whether a path exists; raise `BadInput` if it is not a valid path."""
    try:
        return path.exists()
    except (OSError, ValueError) as error:
        raise BadInput(f"{str(path)[:80]} cannot be a file: {describe_os_error(error)}.") from None


def describe_os_error(error: OSError | ValueError) -> str:
    """Return why the system refused something, such as a file, for the end of a sentence."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text.lower()


def read_record(path: Path) -> ParsedRecord:
    """Read a record file up to its first fault."""
    return parse_record(read_text(path), registry.game)


def read_valid_record(path: Path) -> Record:
    """Read a record file; print its warnings on stderr and raise its fault as `BadRecord`."""
    reading = read_record(path)
    for warning in reading.warnings:
        click.echo(f"{path}:{warning.line}: {warning.text}", err=True)
    return reading.require_record()


@contextmanager
def open_small_runner(cluster: str, workers: int | None) -> Iterator[JobRunner]:
    """Open the runner of a command that by default uses one process."""
    from realmtable.lab.jobs.open_runner import LOCAL, open_runner  # noqa: PLC0415 - keeps --help fast

    with open_runner(cluster, 1 if workers is None and cluster == LOCAL else workers) as runner:
        yield runner


def start_state(game: AnyGame, options: Options, position: str | None, players: int | None = None) -> State:
    """Return the state to start from: a given position, else the game's initial one."""
    if position is not None:
        return game.decode(position)
    return game.initial(players or game.info.seats[0], options)
