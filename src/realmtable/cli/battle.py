"""`realmtable battle`: the chances of a battle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.kit import calculators

if TYPE_CHECKING:
    from rich.console import Console

MIN_UNKNOWN = 0.005  # the share of battles that is worth a line


@click.command("battle")
@click.argument("battle")
@click.option("--game", "game_id", metavar="GAME", help="The game of the battle. [default: the first that has battles]")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(*, battle: str, game_id: str | None, as_json: bool) -> None:
    """Calculate the chances of a BATTLE: who fights with what, then a colon and the opponents.

    Shows the best plays of the first round with their chances and reasons, and how the whole battle goes if you
    make the best play in every round. Chances are exact, except for the share of long battles that is not followed
    to the end.

    Case does not matter, and you can shorten a name as long as it is unambiguous. A character has the weapon and the
    armour that it starts with, unless the list names others.

    \b
    For example
      realmtable battle "Elf, Light Bow alerted : Giant"
      realmtable battle "Amazon, Spear, no armour : 2 Wolf, Giant Bat dark"
      realmtable battle "White Knight, Suit of Armor damaged, Warhorse-1 : T Troll" --json
      realmtable battle "Berserker, berserk, fatigued Move H4**, later round : Giant"
    """  # noqa: D301 - Click needs the literal \b
    if game_id is None:
        game_id = calculators.first_game_with_battles() or ""
    calculator = calculators.find_battle_calculator(game_id)
    if calculator is None:
        raise BadInput(f"{registry.info(game_id).title} has no battles to calculate.")
    report = calculator.calculate(calculator.read(battle))
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False))
        return
    from rich.console import Console  # noqa: PLC0415 - only the terminal needs Rich

    print_report(report, Console(highlight=False))


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the chances of a battle for people."""
    console.print(f"[bold]{report['title']}[/bold]")
    if report["gear"]:
        console.print(f"with {', '.join(report['gear'])}", style="dim", markup=False)
    console.print("\n[bold]This round[/bold]")
    rows = [
        (play["words"], *(_format_chance(play[name]) for name in ("kill", "die", "wounded")))
        for play in report["plays"]
    ]
    _print_table(("play", "kill", "die", "wounded"), rows, console, is_first_best=True)
    console.print()
    for reason in report["reasons"]:
        console.print(reason, markup=False)
    console.print("\n[bold]The whole battle, with the best play in every round[/bold]")
    rounds = [
        (str(entry["round"]), *(_format_chance(entry[name]) for name in ("win", "die", "end")))
        for entry in report["rounds"]
    ]
    _print_table(("by round", "won", "dead", "ended"), rounds, console)
    if len(report["kills"]) > 1:
        kills = ", ".join(f"{kill['name']} {kill['number']:.2f}" for kill in report["kills"])
        console.print(f"\nKilled on average: {kills}.", markup=False)
    console.print(f"\nWounds on average: {report['wounds']:.1f}.", markup=False)
    if report["unknown"] > MIN_UNKNOWN:
        console.print(f"Not followed to the end: {_format_chance(report['unknown'])} of the battles.", markup=False)
    if report["running"]:
        console.print(report["running"], style="bold", markup=False)


def _print_table(
    names: tuple[str, ...], rows: list[tuple[str, ...]], console: Console, *, is_first_best: bool = False
) -> None:
    from realmtable.cli.rich_picture import plain_table  # noqa: PLC0415 - as above

    table = plain_table()
    for name in names:
        table.add_column(name, justify="left" if name == names[0] else "right", no_wrap=name != names[0])
    for number, row in enumerate(rows):
        table.add_row(*row, style="bold" if is_first_best and number == 0 else "")
    console.print(table)


def _format_chance(chance: float) -> str:
    """Format a chance as a percentage, without claiming that something is impossible or certain.

    >>> [_format_chance(chance) for chance in (0, 0.001, 0.3333, 0.995, 1)]
    ['0%', '<1%', '33%', '>99%', '100%']
    """
    percent = 100 * chance
    if 0 < percent < 1:
        return "<1%"
    return ">99%" if 99 < percent < 100 - 1e-9 else f"{percent:.0f}%"  # noqa: PLR2004 - per cent
