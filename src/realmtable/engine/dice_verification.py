"""Verify that the dice and shuffles of a record follow from the seed its table committed to."""

from __future__ import annotations

from typing import NamedTuple

from realmtable.engine import chance
from realmtable.engine.protocol import CHANCE
from realmtable.engine.record import Record


class FairnessVerdict(NamedTuple):
    """Whether a record matches its seed commitment, and a sentence that says so."""

    is_fair: bool
    text: str


def verify(record: Record) -> FairnessVerdict:
    """Check that a record's seed matches its commitment and that every draw follows from the seed."""
    if record.commitment is None:
        return FairnessVerdict(False, "The record has no Commitment line to check against.")
    if record.seed is None:
        return FairnessVerdict(False, "The record has no Seed line; the seed is published when the game is over.")
    if not chance.matches_commitment(record.seed, record.commitment):
        return FairnessVerdict(False, "The seed does not match the commitment.")
    draws = [turn for turn in record.turns if turn.seat == CHANCE]
    for index, turn in enumerate(draws):
        outcomes = record.game.chance(turn.before)
        drawn = outcomes[chance.draw(record.seed, index, [outcome.weight for outcome in outcomes])].move
        if drawn != turn.moves[0]:
            actual, expected = turn.text[1:], record.game.format_move(turn.before, drawn)
            return FairnessVerdict(
                False, f"Draw {index + 1} in turn {turn.turn.number} should be {expected}, not {actual}."
            )
    detail = f"all {len(draws)} draws follow from it" if draws else "the game has no dice or shuffles"
    return FairnessVerdict(True, f"The seed matches the commitment, and {detail}.")
