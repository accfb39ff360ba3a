"""What experiments measure in a game: each measure turns the facts of a game into a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadInput
from realmtable.lab.balance.estimates import Estimate, estimate_mean, estimate_share
from realmtable.lab.balance.game_facts import FIRST_LEAD, GameFacts


@dataclass(frozen=True)
class Measure:
    """A number that a game has, or None where the question makes no sense."""

    name: str
    title: str
    explanation: str
    value: Callable[[GameFacts], float | None]
    is_share: bool = True

    def values(self, games: Sequence[GameFacts]) -> list[float]:
        """Return the values of the games that have one."""
        return [value for game in games if (value := self.value(game)) is not None]

    def estimate(self, games: Sequence[GameFacts]) -> Estimate | None:
        """Return the mean over the games with its interval; None if too few of them have a value."""
        values = self.values(games)
        return estimate_share(values) if self.is_share else estimate_mean(values)

    def format(self, number: float) -> str:
        return f"{number:.1%}" if self.is_share else f"{number:.2f}"


def shares_in_order(facts: GameFacts) -> tuple[float, ...]:
    """Return the shares of the win in the order of play."""
    number = len(facts.shares)
    return tuple(facts.shares[(facts.first + place) % number] for place in range(number))


def _margin(facts: GameFacts) -> float | None:
    ordered = sorted(facts.scores, reverse=True)
    return ordered[0] - ordered[1] if len(ordered) > 1 else None


def first_gain_measure(word: str) -> Measure:
    """Return the measure of whether the first seat to gain something wins."""
    title = "First to lead wins" if word == FIRST_LEAD else f"First {word} wins"
    return Measure(
        f"first_{word.replace(' ', '_')}",
        title,
        f"The share of the win of the first seat with a {word}.",
        lambda facts: facts.shares[facts.firsts[word]] if word in facts.firsts else None,
    )


MEASURES: Final = (
    Measure(
        "first_player",
        "First player wins",
        "The share of the win of the seat that acts first after the opening.",
        lambda facts: facts.shares[facts.first],
    ),
    Measure("decided", "Decided", "The share of games with one winner.", lambda facts: float(facts.is_decided)),
    Measure("turns", "Turns", "Turns after the opening.", lambda facts: float(facts.turns), is_share=False),
    Measure("steps", "Steps", "Steps after the opening, without chance.", lambda facts: float(facts.steps), False),
    Measure("margin", "Margin", "The best score minus the second best.", _margin, is_share=False),
    Measure(
        "drama",
        "Drama",
        "The share of turns in which a seat other than the winner led.",
        lambda facts: None if facts.lead is None else facts.lead.behind,
    ),
    Measure(
        "comeback",
        "Comebacks",
        "The share of decided games whose winner was behind in the middle.",
        lambda facts: None if facts.lead is None else float(facts.lead.comeback),
    ),
    Measure(
        "lead_changes",
        "Lead changes",
        "How often the lead went to another seat.",
        lambda facts: None if facts.lead is None else float(facts.lead.changes),
        is_share=False,
    ),
    Measure(
        "settled",
        "Settled",
        "When the winner took the lead for good, as a share of the game.",
        lambda facts: None if facts.lead is None else facts.lead.settled,
    ),
)


def find_measure(name: str) -> Measure:
    """Return a measure by its name; raise `BadInput` if there is none."""
    for measure in MEASURES:
        if measure.name == name:
            return measure
    raise BadInput(f"There is no measure {name[:40]}; choose one of {', '.join(each.name for each in MEASURES)}.")


def list_measures(games: Sequence[GameFacts]) -> list[Measure]:
    """Return the measures that some of these games have, those of first gains included."""
    words = sorted({word for game in games for word in game.firsts})
    measures = [*MEASURES, *map(first_gain_measure, words)]
    return [measure for measure in measures if any(measure.value(game) is not None for game in games)]
