"""The encounter: who can be lured, who takes an unassigned monster, and which pieces are fast enough (E7 to E15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_rules.plays import BERSERK, FIGHT, MOVE, Hand, Piece


@dataclass(frozen=True, slots=True)
class Sheets:
    """Who is on whose sheet in a clearing, and which sides show."""

    monsters: tuple[MonsterId, ...]  # all in the clearing that are alive
    seats: tuple[Seat, ...]  # of the characters there, in order (E5)
    assigned: Mapping[MonsterId, Seat] = field(hash=False)
    dark: frozenset[tuple[MonsterId, bool]] = frozenset()  # counters with their dark side up; True for head or club
    charges: Mapping[Seat, tuple[Seat, Piece]] | None = field(default=None, hash=False)  # who charges whom, with what

    def is_dark(self, monster: MonsterId, *, is_part: bool = False) -> bool:
        """Whether the dark side of a counter shows."""
        return (monster, is_part) in self.dark

    def is_red(self, monster: MonsterId) -> bool:
        """Whether a monster is red side up."""
        return self.is_dark(monster) and load_catalog().monsters[monster].size == "T"

    def on_sheet(self, seat: Seat) -> list[MonsterId]:
        """Return the monsters on a character's sheet."""
        return [monster for monster in self.monsters if self.assigned.get(monster) == seat]

    def is_held(self, seat: Seat) -> bool:
        """Whether a red-side-up monster is on a character's sheet (C26)."""
        return any(self.is_red(monster) for monster in self.on_sheet(seat))


# ---- luring and assignment


def list_lures(sheets: Sheets, seat: Seat, sparing: Iterable[MonsterId]) -> list[MonsterId]:
    """Return the monsters that a character can take onto its sheet, apart from those that spare it (E7)."""
    spared = {*sparing}
    return [
        monster
        for monster in sheets.monsters
        if sheets.assigned.get(monster) != seat and monster not in spared and not sheets.is_red(monster)
    ]


def assign(sheets: Sheets, monster: MonsterId, seat: Seat) -> Sheets:
    """Put a monster on a character's sheet (E7, E8)."""
    return replace(sheets, assigned={**sheets.assigned, monster: seat})


def list_unassigned(sheets: Sheets) -> list[MonsterId]:
    """Return the monsters that are on no sheet, by number."""
    return [monster for monster in sheets.monsters if monster not in sheets.assigned]


def list_highest(rolls: Mapping[Seat, int]) -> list[Seat]:
    """Return who rolled highest; if there are several, they roll again (E8)."""
    best = max(rolls.values())
    return [seat for seat, roll in rolls.items() if roll == best]


# ---- charging and actions


def find_time_limit(sheets: Sheets, seat: Seat) -> int | None:
    """Return the time below which a piece for an action must be; None if nothing limits it (E12)."""
    rows = load_catalog().monsters
    faces = [
        rows[monster].dark if sheets.is_dark(monster) else rows[monster].light for monster in sheets.on_sheet(seat)
    ]
    charges = (sheets.charges or {}).values()
    times = [*(face.move for face in faces), *(piece.time for target, piece in charges if target == seat)]
    return min(times, default=None)


def list_action_pieces(hand: Hand, kind: str, limit: int | None) -> list[Piece]:
    """Return the pieces fast and strong enough to alert a weapon (FIGHT), run (MOVE) or go BERSERK (E12 to E15)."""
    needed = {FIGHT: hand.weapon_weight, MOVE: hand.load, BERSERK: 0}[kind]
    if kind == MOVE and hand.is_held:
        return []
    return [
        piece
        for piece in hand.pieces
        if piece.kind == kind and piece.strength >= needed and (limit is None or piece.time < limit)
    ]


def list_charge_pieces(hand: Hand) -> list[Piece]:
    """Return the pieces with which a character can charge, whatever is on its own sheet (E11)."""
    if hand.is_held:
        return []
    return [piece for piece in hand.pieces if piece.kind == MOVE and piece.strength >= hand.load]


def leave_sheet(sheets: Sheets, seat: Seat) -> Sheets:
    """Take a character who ran or died out of combat: its monsters become unassigned (E14, C29)."""
    return replace(
        sheets,
        seats=tuple(other for other in sheets.seats if other != seat),
        assigned={monster: other for monster, other in sheets.assigned.items() if other != seat},
    )


def disengage(sheets: Sheets, dead: Sequence[MonsterId], red: Iterable[MonsterId]) -> Sheets:
    """Return the sheets for the next round: without the dead, and with the red sides of those that hit (C26, C29)."""
    rows, left = load_catalog().monsters, [monster for monster in sheets.monsters if monster not in dead]
    kept = {(monster, is_part) for monster, is_part in sheets.dark if is_part or rows[monster].size != "T"}
    shown = kept | {(monster, False) for monster in red}
    return replace(
        sheets,
        monsters=tuple(left),
        assigned={monster: seat for monster, seat in sheets.assigned.items() if monster in left},
        dark=frozenset((monster, is_part) for monster, is_part in shown if monster in left),
        charges=None,
    )
