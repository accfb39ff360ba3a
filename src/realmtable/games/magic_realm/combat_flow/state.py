"""The state of combat in a clearing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog.ids import CharacterId, GoodsId, MonsterId, Place
from realmtable.games.magic_realm.combat_rules.boxes import Boxes
from realmtable.games.magic_realm.combat_rules.encounter import Sheets
from realmtable.games.magic_realm.combat_rules.melee import AttackId, Melee
from realmtable.games.magic_realm.combat_rules.plays import Piece
from realmtable.games.magic_realm.combat_rules.report import Report
from realmtable.games.magic_realm.combat_rules.round_costs import Rounds
from realmtable.games.magic_realm.day_rules.chit_states import ChitStates
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.world.entities import ACTION_CHITS, ACTIVE
from realmtable.games.magic_realm.world.places import NOWHERE
from realmtable.games.magic_realm.world.steps import Frame, Step

FIGHTING: Final = "fighting"
RAN: Final = "ran"
DEAD: Final = "dead"
NO_TARGET: Final = -1
TWO_DICE: Final = DiceRule(2, 0)
FIRST_ROUND: Final = Rounds()


class Rules(NamedTuple):
    """The options that concern combat (V9 to V11, V13)."""

    multiplies_kills: bool = True  # of characters
    turns_horses: bool = True
    charges_on_horse: bool = True
    missiles_pierce: bool = False


USUAL_RULES: Final = Rules()


class CombatBelonging(NamedTuple):
    """A belonging of a character."""

    goods: GoodsId
    active: bool = True
    alerted: bool = False  # of weapons
    damaged: bool = False  # of armour


@dataclass(frozen=True, slots=True)
class Warrior:
    """A character in combat."""

    seat: Seat
    character: CharacterId
    chits: ChitStates = (ACTIVE,) * ACTION_CHITS
    gear: tuple[CombatBelonging, ...] = ()
    is_hidden: bool = False
    finds: frozenset[Seat] = frozenset()  # the hidden characters that it has found today (D18, D22)
    spared_by: frozenset[MonsterId] = frozenset()
    exits: tuple[Place, ...] = ()  # the roadways onto which it can run (E14)
    dice: Mapping[str, DiceRule] = field(
        default_factory=dict, hash=False
    )  # how it rolls on a table, if not with two dice (G3)
    is_berserk: bool = False
    curses: frozenset[str] = frozenset()
    gold: int = 0
    fame: Fraction = Fraction()
    notoriety: Fraction = Fraction()
    kills: int = 0  # today
    fate: str = FIGHTING
    road: Place = NOWHERE  # onto which it ran
    # of this round
    played: tuple[Piece, ...] = ()
    target: int = NO_TARGET  # a character, or a monster numbered behind the characters
    draft: tuple[Step, ...] = ()  # its secret play, step by step
    is_ready: bool = False
    wounds: int = 0


@dataclass(frozen=True, slots=True)
class Fight:
    """Combat in a clearing."""

    warriors: tuple[Warrior, ...]  # in order (E5)
    sheets: Sheets
    is_cave: bool = False
    rounds: Rounds = FIRST_ROUND
    agenda: tuple[Frame, ...] = ()
    undrawn: tuple[Seat, ...] = ()  # whose counters are still to be drawn (C3)
    contest: Mapping[Seat, int] = field(default_factory=dict, hash=False)  # rolls for a monster (E8)
    boxes: Boxes = field(default_factory=dict, hash=False)
    rolls: Mapping[AttackId, int] = field(default_factory=dict, hash=False)
    is_eventful: bool = False  # whether something has happened in this round that keeps combat going (E2)
    melee: Melee | None = None  # the latest one
    report: Report | None = None  # of the latest melee
    pile: tuple[CombatBelonging, ...] = ()  # left in the clearing
    fallen: tuple[Seat, ...] = ()  # who has died, in that order
    rules: Rules = USUAL_RULES
    gone: tuple[GoodsId, ...] = ()  # destroyed armour and dead horses
    # Cards that only one seat still knows, because one of several that look alike was left (X1).
    hidden_cards: Mapping[GoodsId, Seat] = field(default_factory=dict, hash=False)

    def warrior(self, seat: Seat) -> Warrior:
        """Return the character of a seat."""
        return next(warrior for warrior in self.warriors if warrior.seat == seat)

    def change(self, seat: Seat, **values: Any) -> Fight:  # noqa: ANN401 - the values of a Warrior
        """Return the fight after a change of one character."""
        warriors = [replace(warrior, **values) if warrior.seat == seat else warrior for warrior in self.warriors]
        return replace(self, warriors=tuple(warriors))

    def push(self, *frames: Frame) -> Fight:
        """Return the fight with frames that are done before everything else, the first of them first."""
        return replace(self, agenda=(*self.agenda, *reversed(frames)))

    @property
    def active_warriors(self) -> list[Warrior]:
        """The characters that are still in the clearing and alive, in order."""
        return [warrior for warrior in self.warriors if warrior.fate == FIGHTING]

    def is_present(self, seat: Seat) -> bool:
        """Whether the character of a seat is still in the clearing and alive."""
        return seat != CHANCE and self.warrior(seat).fate == FIGHTING
