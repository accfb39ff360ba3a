"""Code shared by the toys: options of positions, outcomes, and a simple picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar
from xml.sax.saxutils import escape

from realmtable.engine.errors import BadOptions, BadPosition
from realmtable.engine.options import parse_pairs
from realmtable.engine.protocol import AnyGame, Options, Outcome, Seat
from realmtable.kit.small_game import make_outcome

ValueT = TypeVar("ValueT")
NAMES = ("Ann", "Bob", "Cid", "Dot")


def read_options(game: AnyGame, text: str) -> Options:
    """Parse the options of a position."""
    pairs = [pair for pair in text.split(",") if pair]
    try:
        return game.options(None, **parse_pairs(game.info.options_type, pairs))
    except BadOptions as error:
        raise BadPosition(str(error)) from None


def outcome_of_scores(scores: Sequence[int], reason: str) -> Outcome:
    """Return the outcome: more points win, and equal points share a place."""
    return make_outcome(scores, reason, f"The points are {', '.join(map(str, scores))}.")


def put(values: tuple[ValueT, ...], seat: Seat, value: ValueT) -> tuple[ValueT, ...]:
    """Return values per seat, with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def picture(lines: Sequence[str], handles: Sequence[str]) -> str:
    """Draw lines of text and a box for each handle as SVG."""
    texts = "".join(f'<text y="{20 * row + 20}">{escape(line)}</text>' for row, line in enumerate(lines))
    boxes = "".join(f'<rect data-handle="{escape(handle)}" width="9" height="9"/>' for handle in handles)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120">{texts}{boxes}</svg>'
