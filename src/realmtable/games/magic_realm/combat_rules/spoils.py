"""What a kill brings: fame and notoriety, times the number of kills, shared by those who killed together (K1, K3)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Bounty(NamedTuple):
    """What a kill is worth."""

    fame: Fraction | int
    notoriety: Fraction | int


def share_bounty(bounty: Bounty, kills: int, killers: int) -> Bounty:
    """Return the part of one of several killers, for whom this is the kill with the number `kills` on this day (K1)."""
    return Bounty(Fraction(bounty.fame * kills, killers), Fraction(bounty.notoriety * kills, killers))


def inherit_notoriety(notoriety: Fraction | int, kills: int, killers: int) -> Bounty:
    """Return what the killer of a character gets of its notoriety; fame is lost (K3)."""
    return share_bounty(Bounty(0, notoriety), kills, killers)
