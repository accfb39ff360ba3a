"""Whose turn it is by number, how the game ended, and who has won (P6)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, Outcome, Seat, Turn
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.phrases import join_with_and
from realmtable.games.fantasy_realms.scoring.api import Score, best_score
from realmtable.games.fantasy_realms.state import State

END_SENTENCES: Final = {
    "full_discard": "The discard area is full",
    "max_turns": "The game reached its last turn",
    "time": "Trading time is up",
    "all_ready": "All were ready",
    "max_steps": "Trading reached its last step",
}


def turn(state: State) -> Turn:
    """The current turn: the deal is number 0; all of trading is turn 1 and nobody's, the Necromancer's choice is 2."""
    if state.variant == "chaos":
        return _chaos_turn(state)
    if state.phase == "over":
        return Turn(state.turns, CHANCE)
    return Turn(0, CHANCE) if state.seat is None else Turn(state.turns + 1, state.seat)


def _chaos_turn(state: State) -> Turn:
    if state.phase == "deal":
        return Turn(0, CHANCE)
    return Turn(1 if state.phase == "trade" else 2, CHANCE if state.seat is None else state.seat)


def outcome(state: State) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    return _make_outcome(state) if state.phase == "over" else None


def score_hands(state: State) -> tuple[Score, ...]:
    """What every realm is worth; in Chaos Realms the discard area is empty, so the Necromancer finds nothing there."""
    return tuple(best_score(hand, state.open_cards(), state.options) for hand in state.hands)


def _make_outcome(state: State) -> Outcome:
    counted = score_hands(state)
    worth = [(-score.total, score.strength) for score in counted]  # equal totals: the lower strength first (P6)
    ranking = tuple(1 + sum(other < own for other in worth) for own in worth)
    totals = tuple(float(score.total) for score in counted)
    return Outcome(totals, ranking, state.reason, f"{END_SENTENCES[state.reason]}: {_verdict(counted, ranking)}.")


def _verdict(counted: tuple[Score, ...], ranking: tuple[int, ...]) -> str:
    first = [seat for seat, rank in enumerate(ranking) if rank == 1]
    total = counted[first[0]].total
    if len(first) > 1:
        return f"{_join_seat_names(first)} share the first place with {total} points each"
    level = [seat for seat, score in enumerate(counted) if score.total == total and seat != first[0]]
    told = f"{_join_seat_names(first)} wins with {total} points"
    return f"{told}, before {_join_seat_names(level)} by the lower strengths" if level else told


def _join_seat_names(seats: list[Seat]) -> str:
    return join_with_and([INFO.seat_names[seat] for seat in seats])
