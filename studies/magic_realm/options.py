"""The option of commands that let bots of Magic Realm play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from realmtable.engine import registry

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _parse_levels(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[int, ...]:
    """Read levels that are separated by commas."""
    info = registry.info("magic_realm")
    names = text.split(",")
    levels = tuple(int(name) for name in names if name.isdecimal() and 1 <= int(name) <= info.bot_levels)
    if len(levels) < len(names):
        raise click.BadParameter(f"Levels are numbers from 1 to {info.bot_levels}, separated by commas.")
    require_seats(levels, max(info.seats))
    return levels


def require_seats(levels: Sequence[int], seats: int) -> None:
    """Refuse more levels than there are seats."""
    if len(levels) > seats:
        only = "1 seat" if seats == 1 else f"{seats} seats"
        raise click.BadParameter(f"There are {len(levels)} levels, but only {only}.", param_hint="--levels")


def levels_option(default: Sequence[int], text: str) -> Callable[[Decorated], Decorated]:
    """Return a decorator that adds the option --levels."""
    return click.option("--levels", default=join_levels(default), show_default=True, callback=_parse_levels, help=text)


def join_levels(levels: Sequence[int]) -> str:
    """Return levels as the option is written.

    >>> join_levels((5, 1))
    '5,1'
    """
    return ",".join(map(str, levels))
