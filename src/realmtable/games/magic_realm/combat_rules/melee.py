"""The description of a melee: who fights, and with which attacks, manoeuvres, armour and horses (C7 to C16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from realmtable.games.magic_realm.catalog.goods_and_spells import LAYERS
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, STRENGTHS

Direction = int  # 0 thrust and charge, 1 swing and dodge, 2 smash and duck: also the boxes of a sheet
Level = int  # of harm, weight or strength: N is 0, T is 4; harm goes on below and above (C18)
FighterId = int  # the position in `Melee.fighters`
AttackId = int  # the position in `Melee.attacks`

EVERY_DIRECTION: Final[tuple[Direction, ...]] = tuple(range(len(DIRECTIONS)))
LIGHT, MEDIUM, TREMENDOUS = (STRENGTHS.index(letter) for letter in "LMT")

OINTMENT: Final = "ointment"
CARD: Final = "card"
ARMOR_LAYERS: Final = (OINTMENT, *LAYERS)  # from the outside in (C20)

MISSILE: Final = "missile"  # tables that a hit can need
CURSE: Final = "curse"
PIT: Final = "pit"


class Maneuver(NamedTuple):
    """Where a fighter moves to, and how fast."""

    direction: Direction
    time: int


@dataclass(frozen=True, slots=True)
class ArmorPiece:
    """An active piece of a character's armour."""

    name: str
    layer: str  # one of ARMOR_LAYERS
    covers: tuple[Direction, ...]  # of a shield, the direction in which it was put
    toughness: Level
    damaged: bool = False

    @property
    def is_card(self) -> bool:
        """Whether it cannot be damaged, only destroyed."""
        return self.layer in (OINTMENT, CARD)


@dataclass(frozen=True, slots=True)
class Steed:
    """The horse with which a fighter manoeuvres."""

    name: str
    vulnerability: Level
    is_armored: bool = False


@dataclass(frozen=True, slots=True)
class Fighter:
    """A character, monster or native in the clearing."""

    name: str
    vulnerability: Level
    is_character: bool = False
    is_armored: bool = False  # armour of a monster or native, which only takes a star (C23)
    maneuver: Maneuver | None = None  # of the horse, if there is one; without any, every attack hits
    armor: tuple[ArmorPiece, ...] = ()
    steed: Steed | None = None
    is_tremendous: bool = False  # whether it is red side up after a hit (C26)
    is_red: bool = False  # whether it is red side up now
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack of a fighter; a head or club attacks for its monster."""

    attacker: FighterId
    target: FighterId
    direction: Direction
    time: int
    length: int = 0
    harm: Level = 0
    stars: int = 0
    is_stronger: bool = False  # whether a striking weapon gets a level for the strength of the Fight chit (C18)
    table: str = ""  # the table on which its hit is rolled, if any
    kills: bool = False  # whether it is the attack of a red side (C26)
    turns_weapon: bool = False  # whether a weapon counter has to be turned (C28)
    source: str = ""  # the weapon, head or club, for explanations


@dataclass(frozen=True, slots=True)
class Melee:
    """Everyone in the clearing, and all attacks, in the order in which their dice are rolled (C25)."""

    fighters: tuple[Fighter, ...]
    attacks: tuple[Attack, ...]
    is_first_round: bool = True
    missiles_pierce: bool = False  # whether a missile with harm above T strikes the body through armour (C22)
