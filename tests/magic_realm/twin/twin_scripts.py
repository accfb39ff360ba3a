"""A day of the twin, with the answers of players and dice."""

from __future__ import annotations

from typing import Any

from tests.magic_realm.twin.twin_day import Day, play_day

Facts = dict[str, Any]  # of a hero: where it is, and what it has


def play(heroes: dict[str, Facts], plans: dict[str, list[str]], *script: str, **setup: Any) -> Day:  # noqa: ANN401
    """Play a day. Entries of the script that begin with `?` are dice, the others are choices."""
    dice = [entry.removeprefix("? ") for entry in script if entry.startswith("? ")]
    choices = [entry for entry in script if not entry.startswith("? ")]
    return play_day({"rows": [], "heroes": heroes, **setup}, plans, dice, choices)
