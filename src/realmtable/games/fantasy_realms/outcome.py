"""Number the turns, rank the realms and say who won (P6)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, Outcome, Seat, Turn
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.scoring.score import Score, best_score
from realmtable.games.fantasy_realms.state import State
from realmtable.kit.wording import join_words

END_PHRASES: Final = {  # after the verdict; a full discard area is the normal end and needs no mention
    "full_discard": "",
    "max_turns": " when the turn limit is reached",
    "time": " when trading time is up",
    "all_ready": " when everyone is ready",
    "max_steps": " when the limit on trading steps is reached",
}


def turn(state: State) -> Turn:
    """Return the current turn: the deal is 0; trading is 1 and belongs to no seat; the Necromancer's choice is 2."""
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
    """Return how the game ended, or None while it is running."""
    if state.phase != "over":
        return None
    scores = score_hands(state)
    worth = [(-score.total, score.strength) for score in scores]  # on equal totals, the lower strength wins (P6)
    ranking = tuple(1 + sum(other < own for other in worth) for own in worth)
    totals = tuple(float(score.total) for score in scores)
    return Outcome(totals, ranking, state.reason, f"{_verdict(scores, ranking)}{END_PHRASES[state.reason]}.")


def score_hands(state: State) -> tuple[Score, ...]:
    """Score every realm. In Chaos Realms the discard area is empty, so the Necromancer finds nothing there."""
    return tuple(best_score(hand, state.open_cards(), state.options) for hand in state.hands)


def _verdict(scores: tuple[Score, ...], ranking: tuple[int, ...]) -> str:
    first = [seat for seat, rank in enumerate(ranking) if rank == 1]
    total = scores[first[0]].total
    if len(first) > 1:
        return f"{_join_seat_names(first)} share first place with {total} points each"
    level = [seat for seat, score in enumerate(scores) if score.total == total and seat != first[0]]
    text = f"{_join_seat_names(first)} wins with {total} points"
    return f"{text}, ahead of {_join_seat_names(level)} on lower strengths" if level else text


def _join_seat_names(seats: list[Seat]) -> str:
    return join_words([INFO.seat_names[seat] for seat in seats])
