"""`realmtable gpu`: check, compile and measure the rules on NVIDIA GPUs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from realmtable.cli.command_helpers import make_folder
from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.extras import require_extra

if TYPE_CHECKING:
    from realmtable.engine.protocol import AnyGame
    from realmtable.gpu.device import DeviceName


@click.group("gpu")
def command() -> None:
    """Run the rules on NVIDIA GPUs: check, compile, measure. Needs the extra `gpu`; see docs/study/gpu.md."""


@command.command("check")
@click.argument("game_ids", metavar="[GAME]...", nargs=-1)
@click.option("--games", type=click.IntRange(1, 10**7), default=2_000, show_default=True, help="Random games per game.")
def check(game_ids: tuple[str, ...], games: int) -> None:
    """Check that this machine's GPU gives the same results as its CPU for the same seeds; exit with 1 if not."""
    from realmtable.gpu.array_games import find_rules  # noqa: PLC0415 - keeps --help fast
    from realmtable.gpu.backends import choose_backend  # noqa: PLC0415
    from realmtable.gpu.device import find_device  # noqa: PLC0415
    from realmtable.gpu.golden import Size, find_differences  # noqa: PLC0415

    chosen = _find_games(game_ids)
    click.echo(find_device().describe())
    failed = False
    for game in chosen:
        size = Size(games=games, at_once=min(games, 1_000), steps=min(games, 300))
        wrong = find_differences(game, choose_backend(find_rules(game), "cuda"), size)
        click.echo(f"{game.info.id}: {'; '.join(wrong) or 'the same as the CPU'}")
        failed = failed or bool(wrong)
    sys.exit(1 if failed else 0)


@command.command("compile")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("game_ids", metavar="[GAME]...", nargs=-1)
@click.option(
    "--capability", default="9.0", show_default=True, metavar="MAJOR.MINOR", help="The devices' compute capability."
)
@click.option(
    "--bits", type=click.Choice(["32", "64"]), default="64", show_default=True, help="Bits per entry of a position."
)
def compile_(folder: Path, game_ids: tuple[str, ...], capability: str, bits: str) -> None:
    """Compile the kernels of games into FOLDER, on a machine with or without a GPU.

    The folder gets a program for each game, the CPU's results to compare with, and run.py, which checks and measures
    the programs on a machine with a GPU, NumPy and CuPy. Nothing else has to be installed there.
    """
    require_extra("gpu")
    from realmtable.gpu.kernel_files import write_kernels  # noqa: PLC0415 - keeps --help fast

    chosen, wanted = _find_games(game_ids), _read_capability(capability)
    make_folder(folder)
    for line in write_kernels(folder, chosen, wanted, bits=int(bits)):
        click.echo(line)


@command.command("bench")
@click.argument("game_ids", metavar="[GAME]...", nargs=-1)
@click.option("--device", type=click.Choice(["cuda", "cpu"]), default="cuda", show_default=True, help="Where to play.")
@click.option("--seconds", type=click.FloatRange(0.01, 3600), default=2.0, show_default=True, help="Time per figure.")
@click.option("--batch", "batches", type=click.IntRange(1, 2**24), multiple=True, help="Games at once; repeatable.")
def bench(game_ids: tuple[str, ...], device: DeviceName, seconds: float, batches: tuple[int, ...]) -> None:
    """Measure random games and steps per second, and print them as JSON with the device and its driver."""
    from realmtable.gpu.device import find_device  # noqa: PLC0415 - keeps --help fast
    from realmtable.gpu.measure import BATCHES, measure_playouts, measure_steps  # noqa: PLC0415
    from realmtable.rl.vector_env import VectorEnv  # noqa: PLC0415

    chosen = _find_games(game_ids)
    described = find_device().describe() if device == "cuda" else "CPU"
    for game in chosen:
        for batch in batches or BATCHES:
            figures = measure_playouts(game, device, batch, seconds)
            env = VectorEnv(game.info.id, batch, device=device, observations=False)
            figures["env_steps_per_s"] = round(measure_steps(env, seconds))
            click.echo(json.dumps({"game": game.info.id, "device": described, "batch": batch, **figures}))


def _find_games(game_ids: tuple[str, ...]) -> list[AnyGame]:
    """Return the games with these ids, by default all that have kernels."""
    from realmtable.gpu.array_games import find_rules  # noqa: PLC0415 - keeps --help fast

    games = [registry.game(name) for name in game_ids or [info.id for info in registry.infos() if info.compiled]]
    for game in games:
        find_rules(game)  # raises if it has none
    return games


def _read_capability(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    if not (major.isdecimal() and minor.isdecimal()):
        raise BadInput(f"A compute capability looks like 9.0, not {text[:20]}.")
    return int(major), int(minor)
