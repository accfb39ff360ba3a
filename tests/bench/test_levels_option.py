"""The levels of the bots of Magic Realm that a command lets play."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from bench import magic_bots, magic_days


@pytest.mark.parametrize("command", [magic_bots.main, magic_days.main])
@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ("", "Levels are numbers from 1 to 5"),
        ("6,1", "Levels are numbers from 1 to 5"),
        ("five", "Levels are numbers from 1 to 5"),
        ("5,", "Levels are numbers from 1 to 5"),
        ("5;1", "separated by commas"),
        ("1,1,1,1,1,1,1,1,1", "There are 9 levels, but only 8 seats."),
    ],
)
def test_levels_that_do_not_exist_are_refused(command: click.Command, levels: str, message: str) -> None:
    done = CliRunner().invoke(command, ["--levels", levels])
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
