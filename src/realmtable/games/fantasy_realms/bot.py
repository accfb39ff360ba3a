"""Bots of Fantasy Realms: they see a view, guess what may come, and ask what each choice may become.

A choice is valued by games played out from it, by players who take what helps at once, under the same guesses for all
choices. Guesses are made until there are enough or the time is up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from realmtable.engine.protocol import Seat, View
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, CardId
from realmtable.games.fantasy_realms.effects import power
from realmtable.games.fantasy_realms.knowledge import Guess, Knowledge, knowledge
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.outlook import (
    ELIGIBLE,
    FULL,
    LIMIT,
    SEATS,
    Cards,
    best_take,
    mask_of,
    new_room,
    played_out,
    worth,
)
from realmtable.games.fantasy_realms.score import reading_of
from realmtable.games.fantasy_realms.state import Step
from realmtable.games.fantasy_realms.tables import Numbers, numbers, tables

FEEDING: Final = 0.3  # how much a point for who comes next costs us
FEW: Final = 2  # cards to drop that are looked at, of those that look best
HALVINGS: Final = (6, 14, 30)  # guesses after which only the better half is looked at any more
MARGIN: Final = 1  # points that a trade must bring


EIGHTHS: Final = mask_of(card.id for card in CARDS if card.suit in power(BY_NAME["Necromancer"], "eighth"))


SAMPLES: Final = {6: 4, 7: 12, 8: 40}  # guesses by level; lower ones look at what is there


class Plays(Protocol):
    """What a bot needs of the game."""

    def view(self, state: Any, seat: Seat | None) -> dict[str, Any]: ...  # noqa: ANN401, D102 - as in the protocol
    def options_of(self, state: Any) -> FantasyOptions: ...  # noqa: ANN401, D102
    def legal_moves(self, state: Any, seat: Seat) -> list[Step]: ...  # noqa: ANN401, D102


class Valued(NamedTuple):
    """A step, what its hand may become on average, and how far that spreads."""

    step: Step
    value: float
    spread: float


@dataclass
class Thinker:
    """What one is thinking with: tables of a reading, and room that remembers hands."""

    options: FantasyOptions
    room: Numbers = field(default_factory=new_room)

    def __post_init__(self) -> None:
        """Lay out the tables."""
        self.tables = tables(reading_of(self.options))

    def worth(self, hand: Cards) -> int:
        """What a hand is worth."""
        return int(worth(self.tables, self.room, hand))

    def gain(self, hand: Cards, card: CardId) -> int:
        """What a card would add to a hand."""
        better = int(best_take(self.tables, self.room, hand, 1 << card, hand.bit_count()))
        return self.worth(better) - self.worth(hand)


@dataclass
class FantasyBot:
    """A bot; `samples` 0 looks at the present worth only."""

    samples: int
    seconds: float = 2.0
    name: str = "fantasy"
    _thinkers: dict[FantasyOptions, Thinker] = field(default_factory=dict, repr=False)

    def choose(self, game: Plays, state: Any, seat: Seat, rng: Random) -> Step:  # noqa: ANN401 - the game's own
        """A step."""
        options = game.options_of(state)
        thinker = self._thinkers.setdefault(options, Thinker(options))
        return self.decide(game.view(state, seat), game.legal_moves(state, seat), thinker, rng)

    def warm(self) -> None:
        """Have everything compiled that thinking needs."""
        options = FantasyOptions()
        thinker = self._thinkers.setdefault(options, Thinker(options))
        guess = numbers([*range(FULL, 2 * FULL), *[0] * FULL])
        thinker.room[SEATS], thinker.room[LIMIT], thinker.room[ELIGIBLE] = 2, 1, EIGHTHS
        played_out(thinker.tables, thinker.room, mask_of(range(FULL)), 0, guess)
        thinker.gain(mask_of(range(FULL)), FULL)

    def decide(self, view: View, steps: Sequence[Step], thinker: Thinker, rng: Random) -> Step:
        """A step for who sees a view, of those that are legal."""
        if len(steps) == 1:
            return steps[0]
        if view["phase"] == "trade":
            return traded(view, steps, thinker)
        return max(self.values(view, steps, thinker, rng), key=_rank).step

    def values(self, view: View, steps: Sequence[Step], thinker: Thinker, rng: Random) -> list[Valued]:
        """What each step may come to."""
        known = knowledge(view)
        thinker.room[SEATS], thinker.room[LIMIT], thinker.room[ELIGIBLE] = known.seats, known.limit, EIGHTHS
        deadline = time.monotonic() + self.seconds
        if view["phase"] == "draw":
            return _Draw(known, thinker, steps, self.samples, deadline).values(rng)
        return _Drop(known, thinker, steps, self.samples, deadline).values(rng)


@cache
def level_bot(level: int) -> FantasyBot:
    """The bot of a level; there is one of each, for it remembers hands."""
    return FantasyBot(SAMPLES.get(level, 0))


@dataclass
class _Choice:
    """A choice under thought: the steps, and the points of each under every guess so far."""

    known: Knowledge
    thinker: Thinker
    steps: Sequence[Step]
    samples: int
    deadline: float

    def gathered(self, look: Callable[[Step, Guess], float], rng: Random) -> list[Valued]:
        """Each step looked at under the same guesses, as many as there is time for; the better half ever longer."""
        points: dict[Step, list[float]] = {step: [] for step in self.steps}
        for number in range(max(1, self.samples)):
            guess = self.known.guess(rng)
            if number in HALVINGS:
                points = _better_half(points)
            for step, values in points.items():
                values.append(look(step, guess))
            if time.monotonic() > self.deadline:
                break
        return [Valued(step, *_mean_and_spread(values)) for step, values in points.items()]

    def become(self, hand: Cards, lying: Cards, guess: Guess, skip: int = 0) -> float:
        """What a hand becomes under one guess, of whose cards some have turned up already."""
        thinker = self.thinker
        if not self.samples:
            return float(thinker.worth(hand))
        coming = numbers([*guess.coming[skip:], *guess.chances[skip:]])
        return float(played_out(thinker.tables, thinker.room, hand, lying, coming))


class _Draw(_Choice):
    """A card from the deck, or one that lies there?"""

    def values(self, rng: Random) -> list[Valued]:
        return self.gathered(self.look, rng)

    def look(self, step: Step, guess: Guess) -> float:
        """What comes of a card that lies there, or of one from the deck."""
        if step.verb == "take":
            return self.after(step.card, guess)
        if not self.samples and not self.known.needed:
            return float(self.thinker.worth(mask_of(self.known.hand)))
        drawn = guess.coming[: 2 if self.known.needed else 1]  # W1
        return max(self.after(card, guess, drawn) for card in drawn)

    def after(self, card: CardId, guess: Guess, drawn: Sequence[CardId] = ()) -> float:
        """What comes of one more card, when one of those that are missed least is dropped for it."""
        hand = mask_of(self.known.hand) | 1 << card
        open_cards = (mask_of(self.known.discard) | mask_of(drawn)) & ~hand
        if self.known.needed:
            return self.become(hand, open_cards, guess, len(drawn))
        best = sorted((hand ^ 1 << other for other in _cards(hand)), key=self.thinker.worth)[-FEW:]
        return max(self.become(less, open_cards | hand ^ less, guess, len(drawn)) for less in best)


class _Drop(_Choice):
    """Which card goes, or which of the Necromancer's three stays (X7)?"""

    def values(self, rng: Random) -> list[Valued]:
        return self.gathered(self.look, rng)

    def look(self, step: Step, guess: Guess) -> float:
        """What comes of a card that goes or stays."""
        hand, lying = mask_of(self.known.hand), mask_of(self.known.discard)
        if step.verb == "keep":
            return float(self.thinker.worth(_kept(hand, step, self.steps)))
        if step.verb != "drop":
            return float(step.verb == "deck")  # an eighth card may help, and need not
        value = self.become(hand ^ 1 << step.card, lying | 1 << step.card, guess)
        if self.samples and len(self.known.discard) + 1 < self.known.limit:
            value -= FEEDING * self.thinker.gain(guess.following, step.card)
        return value


def _rank(valued: Valued) -> tuple[float, bool, Step]:
    """The better value first; of equal ones a new card, so that the game goes on."""
    return valued.value, valued.step.verb == "deck", valued.step


def _better_half(points: dict[Step, list[float]]) -> dict[Step, list[float]]:
    """The better half of some steps, three at least."""
    best = sorted(points, key=lambda step: sum(points[step]), reverse=True)
    return {step: points[step] for step in best[: max(3, len(best) // 2)]}


def _kept(hand: Cards, step: Step, steps: Sequence[Step]) -> Cards:
    """The hand with one of the drawn cards, without the others."""
    drawn = mask_of(other.card for other in steps if other.verb == "keep")
    return hand & ~drawn | 1 << step.card


def _cards(hand: Cards) -> list[CardId]:
    return [card.id for card in CARDS if hand >> card.id & 1]


def _mean_and_spread(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


# ---- trading


def traded(view: View, steps: Sequence[Step], thinker: Thinker) -> Step:
    """A step of trading: what brings most now; else another card on offer; else ready."""
    hand = mask_of(knowledge(view).hand)
    now = thinker.worth(hand)

    def brings(step: Step) -> float:
        """Points of a step, above those of doing nothing."""
        if step.verb == "accept":
            return thinker.worth(hand ^ 1 << step.other ^ 1 << step.card) - now
        if step.verb == "bid":
            return (thinker.worth(hand ^ 1 << step.card ^ 1 << step.other) - now) * 0.5
        if step.verb == "offer":
            return 0.5 - (now - thinker.worth(hand ^ 1 << step.card)) * 0.01
        return 0.0

    best = max(steps, key=lambda step: (brings(step), step))
    if brings(best) >= MARGIN or (best.verb == "offer" and len(view["offers"]) < view["seats"] * 2):
        return best
    return next((step for step in steps if step.verb == "ready"), best)
