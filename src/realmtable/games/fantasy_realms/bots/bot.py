"""Bots of Fantasy Realms. They see only a view.

Weak ones overlook what cards do to each other, strong ones look ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from realmtable.engine.protocol import Seat, State, View
from realmtable.games.fantasy_realms.bots.hand_values import HandValues, SeenHandValues, hand_values_for, mask_of
from realmtable.games.fantasy_realms.bots.knowledge import read_knowledge
from realmtable.games.fantasy_realms.bots.trader import choose_trade_step
from realmtable.games.fantasy_realms.bots.turn_lookahead import ALL_UNSEEN, TurnLookahead, evaluate_steps
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.state import Step

# A game must end: after this many rounds, drawing from the deck gains this bonus with every turn.
HURRY_AFTER_ROUNDS: Final = 10
HURRY_POINTS: Final = 0.2


class BotStrength(NamedTuple):
    """How well a bot plays."""

    samples: int = 0  # unseen cards it considers before drawing; 0: it values only its hand now
    noise: float = 0.0  # standard deviation of its error about a step, in points
    sight: float = 1.0  # how much it sees of what cards do to each other, beyond their strengths; below 0: it errs


GREEDY: Final = BotStrength()
STRENGTH_BY_LEVEL: Final = {  # `studies/fantasy_bots/levels.py` measures what they score
    0: GREEDY,
    1: BotStrength(sight=-0.08),
    2: BotStrength(sight=0.0),
    3: BotStrength(sight=0.06),
    4: BotStrength(sight=0.12),
    5: BotStrength(sight=0.25),
    6: BotStrength(sight=0.5),
    7: BotStrength(16, 1),
    8: BotStrength(ALL_UNSEEN),
}


class GameForBot(Protocol):
    """What a bot needs of the game."""

    def view(self, state: State, seat: Seat | None) -> dict[str, Any]: ...  # noqa: D102 - as in the protocol
    def options_of(self, state: State) -> FantasyOptions: ...  # noqa: D102
    def legal_moves(self, state: State, seat: Seat) -> list[Step]: ...  # noqa: D102


@dataclass(frozen=True)
class FantasyBot:
    """A bot of a given strength."""

    strength: BotStrength = GREEDY
    name: str = "fantasy"

    def values(self, options: FantasyOptions) -> HandValues | SeenHandValues:
        """Return how it values hands."""
        values = hand_values_for(options)
        return values if self.strength.sight == 1 else SeenHandValues(values, self.strength.sight)

    def choose(self, game: GameForBot, state: State, seat: Seat, rng: Random) -> Step:
        """Choose a step."""
        return self.choose_from_view(game.view(state, seat), game.legal_moves(state, seat), game.options_of(state), rng)

    def acts_again(self, game: GameForBot, state: State, seat: Seat) -> bool:
        """Whether it wants to trade again although it was ready (X5)."""
        view = game.view(state, seat)
        return view["phase"] == "trade" and choose_trade_step(view, self.values(game.options_of(state))) is not None

    def warm(self) -> None:
        """Compile everything the bot needs."""
        hand = mask_of(range(HAND_SIZE))
        hand_values_for(FantasyOptions()).final_worth(hand, hand << HAND_SIZE)

    def choose_from_view(self, view: View, steps: Sequence[Step], options: FantasyOptions, rng: Random) -> Step:
        """Choose one of the legal steps, given a view."""
        if view["phase"] == "trade":
            return choose_trade_step(view, self.values(options)) or steps[0]
        if len(steps) == 1:
            return steps[0]
        if view["phase"] in ("necromancer", "keep"):
            return _choose_eighth(view, steps, self.values(options))
        values = self.step_values(view, steps, options, rng)
        return max(values, key=lambda step: (values[step], step.verb == "deck", step))

    def step_values(self, view: View, steps: Sequence[Step], options: FantasyOptions, rng: Random) -> dict[Step, float]:
        """Estimate the value of each step of drawing, taking or discarding a card."""
        known, (samples, noise, _) = read_knowledge(view), self.strength
        if not samples:
            return _greedy_values(TurnLookahead(known, self.values(options), rng, 1), steps)
        steps = _without_null_drops(view, steps)
        leads = {each.step: each.lead for each in evaluate_steps(known, steps, options, rng, samples)}
        late = max(0, view["turn"] - HURRY_AFTER_ROUNDS * view["seats"])
        return {
            step: value + rng.gauss(0, noise) + (HURRY_POINTS * late if step.verb == "deck" else 0)
            for step, value in leads.items()
        }


@cache
def bot_for_level(level: int) -> FantasyBot:
    """Return the bot of a level."""
    return FantasyBot(STRENGTH_BY_LEVEL[level])


def _greedy_values(turn: TurnLookahead, steps: Sequence[Step]) -> dict[Step, float]:
    """Return what the hand is worth after each step; a card from the deck counts for nothing."""
    values = {}
    for step in steps:
        if step.verb == "deck" and not turn.known.needed:
            values[step] = float(turn.turn_end(turn.hand, turn.discard).worth)
        else:
            values[step] = max(float(end.worth) for case in turn.cases(step) for end in case)
    return values


def _without_null_drops(view: View, steps: Sequence[Step]) -> Sequence[Step]:
    """Exclude discarding the card just taken, which would change nothing."""
    taken = {*view["drawn"]} & {*view["known"][view["viewer"]]}
    return [step for step in steps if step.verb != "drop" or CARDS[step.card].name not in taken]


def _choose_eighth(view: View, steps: Sequence[Step], hand_values: HandValues | SeenHandValues) -> Step:
    """Make the Necromancer's choice in Chaos Realms (X7): always draw, then keep the best card."""
    if view["phase"] == "necromancer":
        return next(step for step in steps if step.verb == "deck")
    hand = mask_of(read_knowledge(view).hand)
    drawn = mask_of(step.card for step in steps)
    return max(steps, key=lambda step: (hand_values.worth(hand & ~drawn | 1 << step.card), step))
