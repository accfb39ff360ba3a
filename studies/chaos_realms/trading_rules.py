"""Measure the value of trading to seven bots: the same deals, traded by different rules and in different orders."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from realmtable import game
from realmtable.engine.match import Match
from realmtable.engine.protocol import State, View, player_seats
from realmtable.games.fantasy_realms.bots.hand_values import HandValues, mask_of
from realmtable.games.fantasy_realms.bots.knowledge import read_knowledge
from realmtable.games.fantasy_realms.bots.trader import choose_trade_step
from realmtable.games.fantasy_realms.state import Step

SEATS = 7
GAME = game("fantasy_realms")
OPTIONS = GAME.options("chaos")

Rule = Callable[[View, Sequence[Step], HandValues], Step | None]
AskingOrder = Callable[[Any, dict[int, int], int], int | None]


class DealResult(NamedTuple):
    """The result of one deal: the mean worth of the seven hands after trading, and the steps and trades made."""

    mean: float
    steps: int
    trades: int


class RuleResult(NamedTuple):
    """The results of one rule and order over all deals."""

    name: str
    deals: tuple[DealResult, ...]

    def compare_with(self, other: RuleResult) -> tuple[float, float]:
        """Return the mean difference to another rule on the same deals, and half its 95% interval."""
        differences = [mine.mean - theirs.mean for mine, theirs in zip(self.deals, other.deals, strict=True)]
        spread = statistics.stdev(differences) if len(differences) > 1 else 0.0
        return statistics.mean(differences), 1.96 * spread / len(differences) ** 0.5


# ---- rules


def no_trade(_: View, steps: Sequence[Step], __: HandValues) -> Step | None:
    """Declare ready at once."""
    return next((step for step in steps if step.verb == "ready"), None)


def immediate_gain(view: View, steps: Sequence[Step], thinker: HandValues) -> Step | None:
    """The former rule: take the largest immediate gain, else offer another card, else be ready and stay ready."""
    hand = mask_of(read_knowledge(view).hand)
    now = thinker.worth(hand)

    def gain_of(step: Step) -> float:
        if step.verb in ("accept", "bid"):
            likelihood = 1 if step.verb == "accept" else 0.5
            return (thinker.worth(hand ^ 1 << step.other ^ 1 << step.card) - now) * likelihood
        return 0.5 - (now - thinker.worth(hand ^ 1 << step.card)) * 0.01 if step.verb == "offer" else 0.0

    best = max(steps, key=lambda step: (gain_of(step), step))
    if best.verb == "active":
        return None
    if gain_of(best) >= 1 or (best.verb == "offer" and len(view["offers"]) < view["seats"] * 2):
        return best
    return Step("ready")


def bot_rule(view: View, _: Sequence[Step], thinker: HandValues) -> Step | None:
    """The bots' current rule."""
    return choose_trade_step(view, thinker)


# ---- orders in which bots act


def first_not_ready(state: State, _: dict[int, int], __: int) -> int | None:
    """Return the first seat that is not ready, as the server did formerly."""
    acting = player_seats(GAME.to_move(state))
    return acting[0] if acting else None


def longest_waiting(state: State, asked: dict[int, int], moment: int) -> int | None:
    """Return the seat that has waited longest, as the server does; ready seats are due again after a change."""
    due = [seat for seat in range(len(state.ready)) if not state.ready[seat] or asked.get(seat, -1) < moment]
    return min(due, key=lambda seat: (asked.get(seat, -1), seat), default=None)


RULES: tuple[tuple[str, Rule, AskingOrder], ...] = (
    ("no trade", no_trade, longest_waiting),
    ("immediate gain, first bot first", immediate_gain, first_not_ready),
    ("immediate gain, in turn", immediate_gain, longest_waiting),
    ("bargaining, in turn", bot_rule, longest_waiting),
)


# ---- playing


def deal_states(count: int) -> Iterator[Any]:
    """Yield the states in which trading starts."""
    for number in range(count):
        yield Match.start(GAME, GAME.initial(SEATS, OPTIONS), seed=f"chaos {number}").state


def play_trading(state: State, rule: Rule, order: AskingOrder, thinker: HandValues) -> DealResult:
    """Play trading to its end with one rule on all seats."""
    asked: dict[int, int] = {}
    moment = trades = 0
    while state.phase == "trade" and (seat := order(state, asked, moment)) is not None:
        step = rule(GAME.view(state, seat), GAME.legal_moves(state, seat), thinker)
        asked[seat] = moment
        if step is not None:
            state, moment, trades = GAME.play(state, seat, step), moment + 1, trades + (step.verb == "accept")
    return DealResult(statistics.mean(thinker.worth(mask_of(hand)) for hand in state.hands), moment, trades)


def rows(count: int, on_progress: Callable[[str], None]) -> list[RuleResult]:
    """Play every rule on the same deals."""
    thinker, results = HandValues(OPTIONS), []
    for name, rule, order in RULES:
        on_progress(f"{count} deals: {name} …")
        deals = tuple(play_trading(state, rule, order, thinker) for state in deal_states(count))
        results.append(RuleResult(name, deals))
    return results


def table(results: Sequence[RuleResult]) -> str:
    """Format the rules as a table, each compared with no trade and with the row before it."""
    lines = [
        "| rule on all seats | mean worth of a hand | gain over no trade | gain over the row before | steps | trades |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for place, row in enumerate(results):
        means = [statistics.mean(getattr(deal, field) for deal in row.deals) for field in ("mean", "steps", "trades")]
        gains = [_gain(row, results[0]), _gain(row, results[place - 1])] if place else ["–", "–"]
        lines.append(f"| {row.name} | {means[0]:.1f} | {' | '.join(gains)} | {means[1]:.0f} | {means[2]:.1f} |")
    return "\n".join(lines)


def _gain(row: RuleResult, other: RuleResult) -> str:
    mean, half = row.compare_with(other)
    return f"{mean:+.1f} ± {half:.1f}"
