"""Words for the steps, boards and prompts of the Realm games, and the button labels that the games share.

A game hands its own words to a `BoardWords`, which makes the headline, the status of each seat and the description.
Prompts, too, follow from the view alone: their functions read its pieces instead of the legal steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from realmtable.engine.protocol import Seat, View
from realmtable.kit.realm_board.geometry import FACINGS, SEAT_NAMES, Cell, Direction, cell_name, find_cell, ray
from realmtable.kit.wording import END_TURN_LABEL, join_words

PieceT = TypeVar("PieceT")

COMPASS: Final = ("north", "east", "south", "west")  # in the order of `FACINGS`
# In the order of `FACINGS`, as seen from the first seat. Pages exchange them while the board is turned.
_DIRECTIONS: Final = ("▲ Up", "► Right", "▼ Down", "◄ Left")  # browsers show none of these as an emoji
_FACING_QUESTION: Final = "Which way should it face?"

LABELS: Final[Mapping[str, str]] = {
    "end": END_TURN_LABEL,
    "pass": "Pass",
    **{f"face:{FACINGS[way]}": f"{_FACING_QUESTION}/{_DIRECTIONS[way]} ({COMPASS[way]})" for way in range(4)},
}


def with_effects(head: str, effects: Sequence[str]) -> str:
    """Join a step and its effects into one sentence without a full stop.

    >>> with_effects("Frog from b2 to e5", ["dunking a frog", "rescuing one"])
    'Frog from b2 to e5, dunking a frog and rescuing one'
    >>> with_effects("Pass", [])
    'Pass'
    """
    if not effects:
        return head
    return f"{head}, {join_words(effects)}"


# What a view holds


def pieces_by_cell(view: View, make_piece: Callable[[View], PieceT]) -> dict[Cell, PieceT]:
    """Return what `make_piece` makes of each piece of a view, by its space."""
    return {cell: make_piece(piece) for piece in view["pieces"] if (cell := find_cell(piece["at"])) is not None}


def latest_paths(view: View) -> list[list[Cell]]:
    """Return the latest steps (``view["last"]``) as paths of spaces, without handles that are not spaces."""
    steps = ([find_cell(handle) for handle in step] for step in view.get("last") or ())
    return [spaces for step in steps if (spaces := [cell for cell in step if cell is not None])]


def is_active(view: View, seat: int) -> bool:
    """Whether a seat is to act or has won; its tray is highlighted."""
    outcome = view.get("outcome")
    return seat in view["to_move"] if outcome is None else outcome["winner"] == seat


# The board in words


def describe_latest_steps(view: View) -> list[str]:
    """Describe the latest steps from space to space."""
    return [" to ".join(map(cell_name, step)) for step in latest_paths(view)]


def describe_phase(view: View, activities: Mapping[str, str]) -> str:
    """Return what the acting seat does in the phase of a view; a phase without words is named."""
    return activities.get(view["phase"], str(view["phase"]))


def describe_result(outcome: View, *, scored: bool = True) -> str:
    """Describe how the game ended, for the headline; `scored` includes the scores."""
    scores, winner, reason = outcome["scores"], outcome["winner"], _reason(outcome)
    if winner is None:
        return (f"drawn {scores[0]} to {scores[1]}" if scored else "drawn") + f", {reason}"
    won = f"{SEAT_NAMES[winner]} won"
    return (f"{won} {scores[winner]} to {scores[1 - winner]}" if scored else won) + f", {reason}"


def describe_seat_result(outcome: View, seat: int) -> list[str]:
    """Describe how the game ended for a seat, for the line after its name."""
    winner = outcome["winner"]
    if winner is None:
        return ["drew", _reason(outcome)]
    return ["won", _reason(outcome)] if winner == seat else ["lost"]


def _reason(outcome: View) -> str:
    return str(outcome["reason"]).replace("_", " ")


_LIMIT_WORDS: Final = {"max_plies": "turn limit", "max_turns": "turn limit"}


@dataclass(frozen=True)
class BoardWords:
    """How a game describes its board."""

    activity: Callable[[View], list[str]]  # what the acting seat is doing
    seat: Callable[[View, Seat], str]  # what a seat has on the board
    steps: Callable[[View], list[str]] = describe_latest_steps
    marks: Callable[[View], list[str]] = lambda _: []  # what else the picture shows
    reasons: Mapping[str, str] = field(default_factory=dict)  # words for the ends whose names do not suffice
    scored: bool = True  # whether a result includes the scores

    def headline(self, view: View) -> str:
        """Return who is to do what, or how the game ended, in a few words."""
        if (outcome := self._outcome(view)) is not None:
            return describe_result(outcome, scored=self.scored)
        return "; ".join(f"{SEAT_NAMES[seat]} {', '.join(self.activity(view))}" for seat in view["to_move"])

    def status(self, view: View, seat: Seat) -> list[str]:
        """Return the words next to a seat's name: what it is doing, or its result."""
        if (outcome := self._outcome(view)) is not None:
            return describe_seat_result(outcome, seat)
        return self.activity(view) if seat in view["to_move"] else []

    def describe(self, view: View) -> str:
        """Describe the board as one sentence for screen readers."""
        seats = [self.seat(view, seat) for seat in range(len(SEAT_NAMES))]
        parts = [f"turn {view['turn']['number']}", self.headline(view), *seats, *self.marks(view)]
        if steps := self.steps(view):
            parts.append("last step " + ", ".join(steps))
        sentence = "; ".join(parts)
        return sentence[0].upper() + sentence[1:] + "."

    def _outcome(self, view: View) -> View | None:
        if (outcome := view.get("outcome")) is None:
            return None
        reasons = {**_LIMIT_WORDS, **self.reasons}
        return {**outcome, "reason": reasons.get(outcome["reason"], outcome["reason"])}


# Prompts

END_TURN: Final = "End your turn."
NO_LEGAL_MOVE: Final = "Pass: you have no legal move."


def describe_realm(center: str) -> str:
    """Return how a prompt refers to the Realm with a Center of this name.

    >>> describe_realm("e11")
    'the Realm around e11'
    """
    return f"the Realm around {center}"


def own_pieces(view: View) -> list[tuple[Cell, dict[str, Any]]]:
    """Return the viewer's pieces with their spaces."""
    return [
        (cell, piece)
        for piece in view["pieces"]
        if piece["seat"] == view["viewer"] and (cell := find_cell(piece["at"])) is not None
    ]


def occupied_cells(view: View) -> set[Cell]:
    """Return the spaces with a piece."""
    return {cell for piece in view["pieces"] if (cell := find_cell(piece["at"])) is not None}


def empty_line(cell: Cell, way: Direction, occupied: set[Cell]) -> list[Cell]:
    """Return the spaces in one direction up to the first piece.

    >>> empty_line(0, 1, {3})
    [1, 2]
    """
    line = []
    for space in ray(cell, way):
        if space in occupied:
            break
        line.append(space)
    return line
