"""`realmtable verify`: check a record's dice against its seed commitment."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from realmtable.cli.command_helpers import disable_compiling, read_valid_record
from realmtable.engine.dice_verification import verify


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Check a record's dice and draws against its seed commitment; exit with 1 if they do not match.

    A table publishes the hash of its seed (the Commitment line) before the first step and the seed itself (the Seed
    line) when the game is over. This command hashes the seed and repeats the draws.
    """
    disable_compiling()
    record = read_valid_record(file)
    verdict = verify(record)
    click.echo(f"{file}: {verdict.text}", err=not verdict.is_fair)
    sys.exit(0 if verdict.is_fair else 1)
