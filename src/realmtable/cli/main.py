"""The command `realmtable`. A command's file is imported only when it is called, so that each starts quickly."""

from __future__ import annotations

import importlib
import sys

import click

from realmtable import __version__
from realmtable.engine.errors import RealmtableError

COMMANDS = {
    "serve": "Serve the table: play in the browser, with friends and bots.",
    "games": "List the games with their seats, options and presets.",
    "play": "Play in the terminal, against a bot, a friend or yourself.",
    "replay": "Walk through a record, draw it or print it as data.",
    "check": "Judge every move of a record.",
    "analyse": "Find the turning points of a played game, and what was better.",
    "show": "Draw a position.",
    "score": "Score a hand of cards, and say why.",
    "perft": "Count the ways to play the next steps.",
    "bench": "Measure speed.",
    "match": "Let bots play each other: who is stronger, by how much, how surely?",
    "mine": "Make puzzles from games of bots.",
    "openings": "Study the openings of Realm.",
    "verify": "Check a record's dice against its seed commitment.",
    "admin": "Look after a server: sign-in links, backups, checks.",
}

HELP = """One table for every game called "Realm".

\b
Begin with
  realmtable serve --open          the table in your browser
  realmtable play realm            a game of Realm in the terminal
  realmtable games                 what can be played, and with which options
\b
Records are plain text files, see docs/record-format.md
  realmtable play realm --save my.record
  realmtable check my.record       is every move legal?
  realmtable replay my.record --svg board.svg

Every command has its own --help. Commands that take a position or a record say what is wrong with it in one
sentence and exit with 2; `check` and `verify` exit with 1 when the record fails.
"""


class LazyGroup(click.Group):
    """Finds a command in the file of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the list is always the same
        """The commands in the order in which people need them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"realmtable.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """The list in the help text, without loading a command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="realmtable")
def group() -> None:
    """The group that holds the commands."""


def main() -> None:
    """Run the command line; a refusal is one sentence on the error stream, never a traceback."""
    try:
        group()
    except RealmtableError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
