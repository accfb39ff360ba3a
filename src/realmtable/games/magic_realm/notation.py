"""Writes and reads turns: steps of one seat, separated by commas (Z8). `world.step_text` has the single steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.engine.errors import BadNotation, GameOver
from realmtable.engine.protocol import ParsedTurn
from realmtable.games.magic_realm.world.step_text import format_step, parse_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

MAX_STEP: Final = 100  # characters
MAX_TURN: Final = 100_000


def parse_move(text: str) -> Step:
    """Return the step that a text stands for, legal or not."""
    if len(text) > MAX_STEP:
        raise BadNotation(f"A step has at most {MAX_STEP} characters.")
    return parse_step(text)


def format_turn(steps: Sequence[Step]) -> str:
    """Return the steps of a turn, separated by commas."""
    return ", ".join(map(format_step, steps))


def parse_turn(world: World, text: str) -> ParsedTurn:
    """Return the steps of a turn. They are not played: often, several seats act at once, and records name the seat."""
    if not world.agenda:
        raise GameOver("The game is over.")
    if len(text) > MAX_TURN:
        raise BadNotation(f"A turn must be shorter than {MAX_TURN:,} characters.")
    return ParsedTurn([parse_move(part) for part in text.split(",")], [], "")


def split_steps(text: str) -> list[str]:
    """Return the texts of steps that are written in a row; the text itself if there is only one."""
    parts = [part for part in map(str.strip, text.split(",")) if part]
    return parts or [text]
