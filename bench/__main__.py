"""Run every benchmark and write the tables: `make bench`, or `python -m bench --seconds 2`."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import click

from bench import classic, realm, search
from bench.measure import Row

PAGE = Path(__file__).parent.parent / "docs" / "host" / "benchmarks.md"
SUITES = {"realm": realm.rows, "classic_realm": classic.rows, "search": search.rows}


@click.command()
@click.option("--seconds", type=click.FloatRange(0.2, 600), default=4.0, show_default=True, help="Seconds per rate.")
@click.option("--only", type=click.Choice(list(SUITES)), help="Run one suite without writing the page.")
def main(seconds: float, only: str | None) -> None:
    """Measure our speed claims, each as a ratio to a named peer in the same run."""
    tables = {}
    for name, suite in SUITES.items():
        if only in (None, name):
            click.echo(f"Measuring {name} …", err=True)
            tables[name] = suite(seconds)
            click.echo(_table(tables[name]))
    if only is None:
        PAGE.write_text(_page(tables, seconds), encoding="utf-8")
        click.echo(f"Wrote {PAGE.name}.", err=True)


def _table(rows: list[Row]) -> str:
    lines = ["| measurement | figure | peer | peer's figure | ratio |", "|---|---:|---|---:|---:|"]
    lines += [f"| {row.claim} | {row.figure} | {row.peer} | {row.peer_figure} | {row.ratio} |" for row in rows]
    return "\n".join(lines)


def _page(tables: dict[str, list[Row]], seconds: float) -> str:
    made = (
        f"Made by `make bench` (`python -m bench --seconds {seconds:g}`) on {_machine()}, commit `{_commit()}`, "
        f"{datetime.now(UTC).date().isoformat()}. "
        "Rates come from a single run; a ratio compares two figures of that run."
    )
    parts = ["# Benchmarks", made]
    for name, rows in tables.items():
        parts += [f"## {name}", _table(rows)]
    return "\n\n".join(parts) + "\n"


def _machine() -> str:
    cores = os.cpu_count()
    return f"{platform.machine()} with {cores} cores, {platform.system()}, Python {platform.python_version()}"


def _commit() -> str:
    try:
        result = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)  # noqa: S607
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return result.stdout.strip()


if __name__ == "__main__":
    main()
