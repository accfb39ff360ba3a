"""`realmtable check`: check that every move of a record is legal."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from realmtable.cli.command_helpers import disable_compiling, read_record
from realmtable.engine.errors import IllegalMove
from realmtable.engine.record import Fault, ParsedRecord


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--quiet", "-q", is_flag=True, help="Print nothing if the record is valid.")
def command(file: Path, quiet: bool) -> None:
    """Check every move of a record; FILE may be - for standard input.

    Tolerated mistakes are printed as warnings. The first illegal move is printed with the clause it breaks and the
    position, and the exit code is 1.
    """
    disable_compiling()
    reading = read_record(file)
    for warning in reading.warnings:
        click.echo(f"{file}:{warning.line}: warning: {warning.text}", err=True)
    if reading.fault is not None:
        click.echo(_format_fault(file, reading.fault, reading), err=True)
        sys.exit(1)
    if not quiet:
        click.echo(_summary(file, reading))


def _format_fault(file: Path, fault: Fault, reading: ParsedRecord) -> str:
    lines = [f"{file}:{fault.line}: {fault.label}" if fault.label else f"{file}:{fault.line}:", f"  {fault.error}"]
    if isinstance(fault.error, IllegalMove):
        lines.append(f"  clause {fault.error.clause}")
    if fault.state is not None and reading.record is not None:
        lines.append(f"  position {reading.record.game.encode(fault.state)}")
    return "\n".join(lines)


def _summary(file: Path, reading: ParsedRecord) -> str:
    record = reading.record
    assert record is not None  # noqa: S101 - there was no fault
    steps = sum(len(turn.moves) for turn in record.turns)
    outcome = record.outcome()
    result = outcome.text if outcome else "The game is not over."
    return f"{file}: {len(record.turns)} turns, {steps} steps, all legal. {result}"
