"""What a round costs: the stars to pay, and how long combat goes on (E2, W4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from realmtable.games.magic_realm.combat_rules.plays import DUCK, MOVE, Piece

FREE_STARS: Final = 1  # of each round
LAST_ROUND: Final = 60
QUIET_ROUNDS: Final = 2


class Debt(NamedTuple):
    """Stars that a character has to pay, by type."""

    fight: int
    move: int


def list_debts(played: Iterable[Piece]) -> list[Debt]:
    """Return the ways to pay for a round: all stars played but one, of whichever type the player likes (W4)."""
    pieces = [*played]
    move = sum(piece.stars for piece in pieces if piece.kind in (MOVE, DUCK))
    fight = sum(piece.stars for piece in pieces) - move  # Berserk is of the type Fight (W1)
    if fight + move <= FREE_STARS:
        return []
    return [Debt(fight - 1, move)] * (fight > 0) + [Debt(fight, move - 1)] * (move > 0)


class Rounds(NamedTuple):
    """How far combat in a clearing has come."""

    number: int = 1  # of the round being played
    quiet: int = 0  # rounds in a row, before this one, in which nothing happened


def end_round(rounds: Rounds, *, is_quiet: bool) -> Rounds:
    """Return the count for the next round (E2)."""
    return Rounds(rounds.number + 1, rounds.quiet + 1 if is_quiet else 0)


def is_over(rounds: Rounds, characters: int) -> bool:
    """Whether no further round is played: two were quiet, the last one is over, or no character is left (E2)."""
    return rounds.quiet >= QUIET_ROUNDS or rounds.number > LAST_ROUND or not characters
