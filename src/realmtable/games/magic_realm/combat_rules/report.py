"""What a melee does: the results of all attacks, and what has to be changed afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from realmtable.games.magic_realm.combat_rules.melee import AttackId, FighterId, Level

# What became of an attack
MISSED: Final = "missed"
CANCELLED: Final = "cancelled"  # its attacker or target was dead before (C25)
STRUCK: Final = "struck"

# What a hit strikes
BODY: Final = "body"
STEED: Final = "horse"
ARMOR: Final = "armour"
MAGIC: Final = "magic"  # nothing: the target rolls on a table (C27)
NO_PIECE: Final = -1


class Strike(NamedTuple):
    """The result of one attack, with all that an explanation needs."""

    attack: AttackId
    verdict: str  # of `hits`: why it hits, or that it misses
    status: str
    struck: str = ""  # what it strikes
    piece: int = NO_PIECE  # the number of the armour struck
    level: Level = 0  # the harm
    kills: bool = False  # the target, or the horse if it strikes that
    wounds: bool = False
    roll: int | None = None


class Death(NamedTuple):
    """Someone was killed."""

    fighter: FighterId
    killers: tuple[FighterId, ...]  # at the same instant, and alive after it; none for the Power of the Pit (K1)


class Wear(NamedTuple):
    """A piece of armour is damaged or destroyed now."""

    fighter: FighterId
    piece: int
    state: int


class TableEffect(NamedTuple):
    """A roll that changes chits or gives a curse (C27)."""

    target: FighterId
    table: str
    roll: int


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a melee, as far as the dice that were given allow."""

    strikes: tuple[Strike, ...]  # misses first, then in the order in which they take effect
    deaths: tuple[Death, ...] = ()
    dead_steeds: tuple[FighterId, ...] = ()  # whose horses were killed
    wear: tuple[Wear, ...] = ()
    wounds: tuple[int, ...] = ()  # of each fighter
    spells: tuple[TableEffect, ...] = ()
    weapons: tuple[tuple[FighterId, bool], ...] = ()  # whose weapon is turned, and whether it is alerted then (C28)
    red: tuple[FighterId, ...] = ()  # the Tremendous monsters that are red side up at the end (C26)
    waits_for: AttackId | None = None  # the attack whose dice have to be rolled before anything else happens

    @property
    def is_quiet(self) -> bool:
        """Whether nothing has happened that keeps combat going, apart from chits changed by fatigue or spells (E2)."""
        return not (self.deaths or self.dead_steeds or self.wear or any(self.wounds) or self.red)
