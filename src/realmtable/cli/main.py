"""The command `realmtable`. Subcommands are imported only when they are called, so that each starts quickly."""

from __future__ import annotations

import importlib
import sys

import click

from realmtable import __version__
from realmtable.engine.errors import RealmtableError

COMMANDS = {
    "serve": "Start the server: play in the browser, with friends and bots.",
    "games": "List the games with their seats, options and presets.",
    "play": "Play in the terminal, against a bot, a friend or yourself.",
    "replay": "Print, draw or export a record.",
    "check": "Check that every move of a record is legal.",
    "analyse": "Find the turning points of a game and the better turns.",
    "show": "Draw a position.",
    "score": "Score a hand of cards and explain the score.",
    "battle": "Calculate the chances of a battle and the best play.",
    "perft": "Count the step sequences of a given length.",
    "bench": "Measure speed.",
    "gpu": "Run the rules on NVIDIA GPUs: check, compile ahead of time, measure.",
    "check-game": "Check that a game keeps the promises of its tier.",
    "new-game": "Write a small game as a package of its own.",
    "match": "Measure which bot is stronger, by how much, and with what confidence.",
    "mine": "Mine puzzles from bot games.",
    "openings": "Study the openings of Realm.",
    "lab": "Run experiments on one machine or a cluster: the balance of rules.",
    "verify": "Check a record's dice against its seed commitment.",
    "admin": "Manage a server: sign-in links, backups, checks.",
}

HELP = """One table for every game called "Realm".

\b
Getting started
  realmtable serve --open          play in your browser
  realmtable play realm            play Realm in the terminal
  realmtable games                 list the games and their options
\b
Records are plain text files, see docs/study/record-format.md
  realmtable play realm --save my.record
  realmtable check my.record       check that every move is legal
  realmtable replay my.record --svg board.svg

Every command has its own --help. For invalid input, commands print a one-sentence message and exit with 2; `check` and
`verify` exit with 1 if the record fails, and `check-game` if the game does.
"""


class LazyGroup(click.Group):
    """Loads each command from the file of the same name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the list is always the same
        """List the commands, the most common first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"realmtable.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Write the list in the help text without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="realmtable")
def group() -> None:
    """Run a subcommand."""


def main() -> None:
    """Run the command line; print expected errors as one sentence on stderr, without a traceback."""
    try:
        group(prog_name="realmtable")
    except RealmtableError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
