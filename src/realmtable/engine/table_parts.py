"""What a game may tell the page of its table: seat chips, the steps of a turn, choices, news and how a tie was decided.

A game describes and the page draws: nothing here says where something stands or how large it is. All of it follows from
views, so nothing hidden can reach the page. Texts are short, in sentence case and without a full stop unless they are
sentences; `realmtable.engine.language` marks them for translators. An icon is a name from `HasIcons.icons`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from realmtable.engine.protocol import CachedChecks, Move, Seat, State, View


@runtime_checkable
class HasIcons(Protocol, metaclass=CachedChecks):
    """A game with icons of its own. The page contains each of them once."""

    def icons(self) -> Mapping[str, str]:
        """Return the icons by name: SVG elements in a box of 24 by 24 units, mostly in `currentColor`."""


# ---- seats


class SeatFact(NamedTuple):
    """A resource or a condition of a seat."""

    icon: str
    value: str  # "3", "2/3"; may be empty where the icon says it all
    label: str  # what it is, for screen readers and where the pointer rests: "White Etherium"


class SeatTotal(NamedTuple):
    """What the seat is playing for."""

    value: str
    label: str  # "points", "Realms"
    of: str = ""  # the goal, if there is one
    icon: str = ""
    share: float | None = None  # how much of the goal is reached, from 0 to 1


class SeatChip(NamedTuple):
    """What everyone should see of a seat at all times, as far as the viewer may know it."""

    icon: str = ""  # the seat's emblem
    facts: tuple[SeatFact, ...] = ()  # at most four, in the same order for every seat
    total: SeatTotal | None = None


@runtime_checkable
class HasSeatChips(Protocol, metaclass=CachedChecks):
    """A game whose seats have resources, conditions or totals worth seeing at all times."""

    def seat_chips(self, view: View) -> list[SeatChip]:
        """Return a chip for each seat."""


# ---- the turn


class TurnStep(NamedTuple):
    """A part of the viewer's turn: a phase of the day, a part of an activation."""

    title: str  # one or two words
    note: str  # what was chosen, or what is left: a few words
    state: Literal["done", "now", "later", "lost"]
    icon: str = ""


@runtime_checkable
class HasTurnSteps(Protocol, metaclass=CachedChecks):
    """A game whose turns have parts that a player should see as a row."""

    def turn_steps(self, view: View) -> list[TurnStep]:
        """Return the parts of the viewer's turn in order; none outside of it.

        As for `GuidesPlayers.reason`, the view includes the position as text if nothing is hidden.
        """


class ChoiceCard(NamedTuple):
    """A choice with what it means. One that is impossible now stays visible with its reason."""

    title: str  # a verb and its object
    handles: tuple[str, ...] = ()  # where it begins: one button, or the places on the board; none if it is impossible
    note: str = ""  # its consequence, in a few words
    icon: str = ""
    cost: str = ""
    gain: str = ""
    off: str = ""  # why it is impossible now
    is_main: bool = False  # whether it is what most players would do


@runtime_checkable
class HasChoiceCards(Protocol, metaclass=CachedChecks):
    """A game that presents the first choices of a step as cards. Choices without a card are shown as buttons."""

    def choice_cards(self, view: View) -> list[ChoiceCard]:
        """Return the cards in the order in which they are shown; none if the viewer has nothing to choose.

        The view is as for `HasTurnSteps.turn_steps`.
        """


# ---- news


class Moment(NamedTuple):
    """Where the game is: the round, or the day and its part."""

    title: str  # "Day 9 of 28 · Birdsong"
    text: str = ""  # what is awaited
    icon: str = ""
    parts: tuple[tuple[str, str], ...] = ()  # the parts of a day: icon and name
    at: int = 0  # the current one


@runtime_checkable
class HasMoments(Protocol, metaclass=CachedChecks):
    """A game that says where it is better than by the number of the turn."""

    def moment(self, view: View) -> Moment:
        """Return the moment of the game."""


class Roll(NamedTuple):
    """A roll of dice and what became of it."""

    dice: tuple[int, ...]
    counts: tuple[bool, ...]  # for each die whether it counts
    additions: tuple[tuple[str, str], ...]  # each with its source: ("Cloven Hoof here", "+1")
    result: str
    rows: tuple[str, ...] = ()  # the rows of the table that was used, in a word or two each
    row: int | None = None  # the one that was hit


class NewsCard(NamedTuple):
    """Something that happened, worth showing for a moment."""

    title: str  # what happened, with who did it: "Azure took Control of Synergy"
    text: str = ""  # why, and what it means
    icon: str = ""
    svg: str = ""  # or a small picture, a whole SVG document for which the styles of the board apply
    roll: Roll | None = None
    handles: tuple[str, ...] = ()  # the places it is about
    concerns: tuple[Seat, ...] = ()  # seats that should not miss it: it stays until they act
    weight: int = 1  # of several at once, the heaviest is shown


@runtime_checkable
class HasNewsCards(Protocol, metaclass=CachedChecks):
    """A game that shows some of its steps as cards."""

    def news_card(self, state: State, seat: Seat, move: Move, viewer: Seat | None) -> NewsCard | None:
        """Return the card of a step that a seat takes in `state`, as far as a viewer may know it; None without one.

        Where nothing is hidden, all viewers are shown what a spectator (None) is.
        """


# ---- the end


class TieBreak(NamedTuple):
    """How the order of the seats came about: the numbers that were compared, one after the other."""

    title: str  # "Equal points, so Realms decide: 4 to 2"
    columns: tuple[tuple[str, str], ...]  # icon and label of each number, in the order of comparison
    values: tuple[tuple[str, ...], ...]  # for each seat
    decides: int  # the column that decided first place; -1 if it is shared
    text: str = ""  # what would have been enough


@runtime_checkable
class HasTieBreaks(Protocol, metaclass=CachedChecks):
    """A game whose ranking compares several numbers."""

    def tie_break(self, view: View) -> TieBreak | None:
        """Return how the order came about once the game is over."""
