"""`realmtable check-game`: check that a game keeps the promises of its tier."""

from __future__ import annotations

import sys
from typing import get_args

import click

from realmtable.cli.command_helpers import disable_compiling, game_argument
from realmtable.engine import registry
from realmtable.engine.extras import require_extra
from realmtable.engine.protocol import Tier


@click.command("check-game")
@game_argument
@click.option("--tier", type=click.Choice(get_args(Tier)), help="The tier to check. [default: the game's own]")
def command(game_id: str, tier: Tier | None) -> None:
    """Check GAME on random games with random options: its rules, texts, views and pictures, and what its tier asks for.

    The exit code is 1 if a check fails.
    """
    disable_compiling()
    require_extra("check")
    from realmtable.conformance.run_checks import Result, run_checks  # noqa: PLC0415 - its libraries are an extra

    def show(result: Result) -> None:
        mark = click.style("passed", fg="green") if result.passed else click.style("FAILED", fg="red", bold=True)
        click.echo(f"  {mark}  {result.name.replace('_', ' ')}")

    game = registry.game(game_id)
    chosen = tier or game.info.tier
    click.echo(f"{game.info.title}, as a {chosen} game")
    results = run_checks(game, chosen, show)
    failed = [result for result in results if not result.passed]
    for result in failed:
        click.echo(f"\n{click.style(result.name.replace('_', ' '), bold=True)}\n{result.report}")
    click.echo(f"\n{len(results) - len(failed)} of {len(results)} checks passed.")
    if failed:
        sys.exit(1)
