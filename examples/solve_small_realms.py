"""Solve a small game of Fantasy Realms with OpenSpiel's CFR, and print how far from an equilibrium the players are.

`python examples/solve_small_realms.py --iterations 40`; it needs `pip install 'realmtable[openspiel]'`.

The whole game has far too many hands for a table of strategies. This one has six cards, hands of two and few turns, but
it is otherwise what people play: hands are secret, discards are open, and hands score by the rules of the real game. On
your turn you draw from the deck or take a discard, then discard a card. The game ends as soon as two cards lie in the
discard area, or after the last turn. The better hand wins.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from time import perf_counter
from typing import Any, Final, NamedTuple

import click
import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

from realmtable.games.fantasy_realms.cards import find_card
from realmtable.games.fantasy_realms.scoring.score import best_worth

CARDS: Final = ("King", "Queen", "Knights", "Light Cavalry", "Dragon", "Enchantress")
HAND: Final = 2
FULL_AREA: Final = 2  # discards that end the game
DECK: Final = len(CARDS)  # the action of drawing; taking or discarding a card is its number
TURNS: Final = 2  # of both players together; with more, an iteration takes longer

PAIRS: Final = [frozenset(pair) for pair in combinations(range(len(CARDS)), HAND)]
DEALS: Final = [(first, second) for first in PAIRS for second in PAIRS if not first & second]

GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_small_fantasy_realms",
    long_name="Small Fantasy Realms",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"turns": TURNS},
)


@cache
def worth(hand: frozenset[int]) -> int:
    """Return what a hand is worth in the real game."""
    return best_worth([find_card(CARDS[card]).id for card in sorted(hand)])


class Position(NamedTuple):
    """Where a game stands. Positions never change, so that OpenSpiel copies states at no cost."""

    hands: tuple[frozenset[int], ...] = (frozenset(), frozenset())
    area: frozenset[int] = frozenset()
    seen: tuple[str, str] = ("", "")  # by each player since the deal: the cards they drew, and the actions of both
    turn: int = 0
    draws: bool = False  # whether chance is to draw a card for the player

    def __deepcopy__(self, _memo: object) -> Position:
        return self

    @property
    def player(self) -> int:
        """The player whose turn it is."""
        return self.turn % 2

    @property
    def is_dealt(self) -> bool:
        """Whether the players have their hands."""
        return bool(self.hands[0])

    @property
    def must_discard(self) -> bool:
        """Whether the player has drawn or taken a card."""
        return len(self.hands[self.player]) > HAND

    def deck(self) -> list[int]:
        """Return the cards in the deck."""
        return sorted({*range(DECK)} - self.hands[0] - self.hands[1] - self.area)

    def list_actions(self) -> list[int]:
        """Return what the player may do."""
        if self.must_discard:
            return sorted(self.hands[self.player])
        return [*sorted(self.area), *([DECK] if self.deck() else [])]

    def after(self, action: int) -> Position:
        """Return the position after an action of a player or of chance."""
        own = self.hands[self.player]
        if not self.is_dealt:
            return self._replace(hands=DEALS[action])
        if self.draws:
            seen = [text + f"({action})" * (self.player == seat) for seat, text in enumerate(self.seen)]
            return self.with_hand(own | {action})._replace(draws=False, seen=(seen[0], seen[1]))
        if self.must_discard:
            left = self.with_hand(own - {action})
            return left.after_both_saw(f"-{action}")._replace(area=self.area | {action}, turn=self.turn + 1)
        if action == DECK:
            return self.after_both_saw("d")._replace(draws=True)
        return self.with_hand(own | {action}).after_both_saw(f"+{action}")._replace(area=self.area - {action})

    def with_hand(self, hand: frozenset[int]) -> Position:
        """Return the position with another hand of the player."""
        return self._replace(hands=(hand, self.hands[1]) if self.player == 0 else (self.hands[0], hand))

    def after_both_saw(self, text: str) -> Position:
        """Return the position after both players have seen something."""
        return self._replace(seen=(self.seen[0] + text, self.seen[1] + text))


class SmallRealms(pyspiel.Game):
    """The game for OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.turns = int((params or {}).get("turns", TURNS))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(CARDS) + 1,
            max_chance_outcomes=len(DEALS),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=2 * self.turns,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> SmallState:
        """Return the state before the deal."""
        return SmallState(self)


class SmallState(pyspiel.State):
    """A state for OpenSpiel."""

    def __init__(self, game: SmallRealms) -> None:
        super().__init__(game)
        self.turns = game.turns
        self.at = Position()

    def current_player(self) -> int:
        """Return who acts."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.at.draws or not self.at.is_dealt else self.at.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the hands that can be dealt, or the cards that can be drawn."""
        outcomes = self.at.deck() if self.at.is_dealt else range(len(DEALS))
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _legal_actions(self, _player: int) -> list[int]:
        return self.at.list_actions()

    def _apply_action(self, action: int) -> None:
        self.at = self.at.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if not self.at.is_dealt:
            return f"deal {action}"
        return f"{player}: {'deck' if action == DECK else CARDS[action]}"

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a player knows; the hand that was dealt follows from it."""
        seat = self.at.player if player is None else player
        return f"{seat} {sorted(self.at.hands[seat])} {self.at.seen[seat]}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return len(self.at.area) >= FULL_AREA or self.at.turn >= self.turns

    def returns(self) -> list[float]:
        """Return 1 for the better hand and -1 for the other, or 0 for both."""
        first, second = map(worth, self.at.hands) if self.is_terminal() else (0, 0)
        points = float(first > second) - float(first < second)
        return [points, -points]

    def __str__(self) -> str:
        return str(self.at)


def solve(game: SmallRealms, iterations: int, every: int) -> Any:
    """Run CFR+, print the exploitability on the way, and return the average policy."""
    solver = cfr.CFRPlusSolver(game)
    begin = perf_counter()
    for done in range(iterations + 1):
        if done % every == 0 or done == iterations:
            distance = exploitability.nash_conv(game, solver.average_policy()) / 2
            click.echo(f"{done:5d} iterations, {perf_counter() - begin:6.1f} s: exploitability {distance:.4f}")
        if done < iterations:
            solver.evaluate_and_update_policy()
    return solver.average_policy()


@click.command(help=__doc__)
@click.option("--iterations", default=40, show_default=True, type=click.IntRange(1))
@click.option("--every", default=10, show_default=True, type=click.IntRange(1), help="How often to print.")
@click.option("--turns", default=TURNS, show_default=True, type=click.IntRange(1, 8), help="Turns of both together.")
def main(iterations: int, every: int, turns: int) -> None:
    """Solve the game."""
    solve(SmallRealms({"turns": turns}), iterations, every)


if __name__ == "__main__":
    main()
