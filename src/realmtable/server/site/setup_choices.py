"""The choices on the set-up page, derived from the game's own data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.options import OptionInfo, OptionValue, make_options
from realmtable.server.site.rules_rendering import preset_notes
from realmtable.server.site.templates import humanize_id
from realmtable.server.tables.clock import (
    DAY_S,
    MAX_INCREMENT_S,
    MAX_LIVE_S,
    MAX_NEW_DAYS,
    MIN_LIVE_S,
    MINUTE_S,
    ClockRule,
    format_duration,
)
from realmtable.server.tables.setup import playable_counts

CLOCKS: Final[dict[str, list[tuple[str, float, float]]]] = {
    "Whole game": [("game", 180, 2), ("game", 300, 3), ("game", 600, 5), ("game", 1200, 10), ("game", 3600, 0)],
    "Per turn": [("move", 30, 0), ("move", 60, 0), ("move", 180, 0)],
    "Correspondence": [("days", DAY_S, 0), ("days", 3 * DAY_S, 0), ("days", 7 * DAY_S, 0)],
}
CUSTOM_CLOCKS: Final = {
    "Main time and increment": ("game", 900, 10),
    "Time per turn": ("move", 120, 0),
    "Days per move": ("days", 2 * DAY_S, 0),
}
CLOCK_BOUNDS: Final = {
    "minutes": round(MAX_LIVE_S / MINUTE_S),
    "increment": round(MAX_INCREMENT_S),
    "days": MAX_NEW_DAYS,
    "least_s": round(MIN_LIVE_S),
    "most_s": round(MAX_LIVE_S),
    "sentence": f"Choose from {format_duration(MIN_LIVE_S)} to {format_duration(MAX_LIVE_S)}.",
}


FIRST_PRESETS: Final = 4  # presets shown at once; the others are folded if there are several


class ClockChoice(NamedTuple):
    """A clock in the form: the value that is sent, and its label."""

    value: dict[str, Any]
    text: str


class Preset(NamedTuple):
    """A preset: a note, a sentence for each option it sets, and the value of every option."""

    name: str
    note: str
    changes: list[str]
    values: dict[str, OptionValue]
    seats: tuple[int, ...]

    @property
    def summary(self) -> str:
        """What is special about the preset, in a sentence or two."""
        return self.note or " ".join(self.changes) or "Standard rules."


@cache
def clock_choices() -> dict[str, list[ClockChoice]]:
    """Return the clocks to choose from, in groups; "no clock" is the default and not included."""
    return {group: [_clock_choice(*clock) for clock in choices] for group, choices in CLOCKS.items()}


@cache
def custom_clocks() -> dict[str, dict[str, Any]]:
    """Return the kinds of clocks for which the form asks for numbers, with the values before they are changed."""
    return {title: _clock_choice(*clock).value for title, clock in CUSTOM_CLOCKS.items()}


def _clock_choice(kind: str, seconds: float, increment_s: float) -> ClockChoice:
    text = ClockRule(kind, seconds, increment_s).describe()
    if kind == "days":
        return ClockChoice({"kind": kind, "days": round(seconds / DAY_S)}, text)
    value = {"kind": kind, "seconds": seconds}
    return ClockChoice(value | {"increment_s": increment_s} if increment_s else value, text)


@cache
def presets(game_id: str, suggested: str = "") -> list[Preset]:
    """Return the presets of a game, the suggested one first: by default the one for a first game."""
    game, notes = registry.game(game_id), preset_notes(game_id)
    info = game.info
    options = {option.name: option for option in info.options()}
    defaults = {name: option.default for name, option in options.items()}
    choices = [
        Preset(
            name,
            notes[name],
            [describe_option(options[key], value) for key, value in values.items()],
            defaults | dict(values),
            playable_counts(game, make_options(info.options_type, info.presets, name, {})),
        )
        for name, values in info.presets.items()
    ]
    return sorted(choices, key=lambda preset: preset.name != (suggested or info.suggested_preset))


def count_shown(choices: list[Preset]) -> int:
    """Return how many presets are shown at once: all, if only one would be folded."""
    return len(choices) if len(choices) <= FIRST_PRESETS + 1 else FIRST_PRESETS


def count_to_suggest(choices: list[Preset], counts: Sequence[int], *, alone_with_friend: bool = False) -> int:
    """Return the number of players to suggest: the smallest for the first preset, or for two friends just two."""
    several = [count for count in counts if count > 1] or [*counts]
    usual = [count for count in several if preset_for(choices, count) == choices[0]]
    return several[0] if alone_with_friend or not usual else usual[0]


def preset_for(choices: list[Preset], count: int) -> Preset:
    """Return the preset to suggest for a number of players: one made for just this number, or the first one."""
    if len(choices[0].seats) == 1:
        return choices[0]
    return next((preset for preset in choices if preset.seats == (count,)), choices[0])


def describe_option(option: OptionInfo, value: OptionValue) -> str:
    """Describe the value of an option.

    >>> describe_option(OptionInfo("bases", "number", 12, 11, 14, (), "How many Bases.", "", "", "bases"), 13)
    'Bases: 13.'
    """
    if value is True:
        return option.help
    return f"{humanize_id(option.title)}: {option.describe_value(value)}."
