"""Run every benchmark and write the tables: `make bench`, or `python -m bench --seconds 2`."""

from __future__ import annotations

from pathlib import Path

import click

from bench.measure import Row, describe_run, format_rows
from bench.speed import classic, realm, search

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
            click.echo(format_rows(tables[name]))
    if only is None:
        PAGE.write_text(_page(tables, seconds), encoding="utf-8")
        click.echo(f"Wrote {PAGE.name}.", err=True)


def _page(tables: dict[str, list[Row]], seconds: float) -> str:
    made = (
        f"Made by `make bench` (`python -m bench --seconds {seconds:g}`) on {describe_run()}. "
        "Rates come from a single run; a ratio compares two figures of that run."
    )
    parts = ["# Benchmarks", made]
    for name, rows in tables.items():
        parts += [f"## {name}", format_rows(rows)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
