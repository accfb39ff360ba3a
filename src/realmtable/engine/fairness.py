"""Whether the dice and shuffles of a record are those that its table promised."""

from __future__ import annotations

from typing import NamedTuple

from realmtable.engine import chance
from realmtable.engine.protocol import CHANCE
from realmtable.engine.record import Record


class FairnessVerdict(NamedTuple):
    """Whether a record keeps what its table promised, and a sentence that says so."""

    is_fair: bool
    text: str


def verify(record: Record) -> FairnessVerdict:
    """Check a record against its seed commitment: the seed is the promised one, and every draw follows from it."""
    if record.commitment is None:
        return FairnessVerdict(False, "The record holds no Commitment line, so there is nothing to check it against.")
    if record.seed is None:
        return FairnessVerdict(False, "The record holds no Seed line; it is told when the game is over.")
    if not chance.matches_commitment(record.seed, record.commitment):
        return FairnessVerdict(False, "The seed is not the one that was promised.")
    draws = [turn for turn in record.turns if turn.seat == CHANCE]
    for index, turn in enumerate(draws):
        outcomes = record.game.chance(turn.before)
        drawn = outcomes[chance.draw(record.seed, index, [outcome.weight for outcome in outcomes])].move
        if drawn != turn.moves[0]:
            said, right = turn.text[1:], record.game.format_move(turn.before, drawn)
            return FairnessVerdict(False, f"Draw {index + 1} in turn {turn.turn.number} should be {right}, not {said}.")
    counted = f"all {len(draws)} draws follow from it" if draws else "the game has no dice or shuffles"
    return FairnessVerdict(True, f"The seed is the one that was promised, and {counted}.")
