"""Whether a position that somebody wrote can be played on from: counts, turn book-keeping, a step to make."""

from __future__ import annotations

import numpy as np

from realmtable.engine.errors import BadPosition
from realmtable.games.realm.arrange import is_lifted
from realmtable.games.realm.legal import legal_steps
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    AT,
    BASE,
    BASES_LEFT,
    CAPTURED,
    CREATE,
    EMPTY,
    ENFORCER,
    ENFORCERS_LEFT,
    FOUND,
    FREED,
    IMMOBILISE,
    KIND,
    LIFTED,
    MAX_STEPS,
    MOVED,
    ORIGIN,
    OVER,
    PHASE,
    PHASES,
    POWER,
    QUIET,
    REARRANGE,
    REASON,
    SEAT,
    SEEN,
    SIDE_BIT,
    TARGET,
    TURN,
    Position,
)
from realmtable.kit.realm_board import CELLS, spaces_of

NAMES = ("White", "Black")


def count_kinds(position: Position, seat: int) -> list[int]:
    """How many pieces of each kind a seat has on the board or in hand."""
    counts = [0] * 8
    for entry in (*range(CELLS), *range(LIFTED, LIFTED + 9)):
        piece = int(position[entry])
        counts[piece & KIND] += piece != EMPTY and piece >> SIDE_BIT == seat
    if position[PHASE] == REARRANGE:  # what has been put back counts once
        for space in spaces_of(int(position[ORIGIN])):
            piece = int(position[space])
            counts[piece & KIND] -= bool(is_lifted(position, piece)) and piece >> SIDE_BIT == seat
    return counts


def check(position: Position, options: RealmOptions) -> None:
    """Refuse a position that no game could go on from."""
    _check_turn(position)
    _check_event(position)
    for seat in range(2):
        _check_counts(position, options, seat)
    if position[SEEN] > position[QUIET] + 1:
        raise BadPosition("There are more positions in `seen` than quiet turns and the present one.")
    if position[PHASE] != OVER and legal_steps(position, np.empty(MAX_STEPS, dtype=np.int64)) == 0:
        raise BadPosition(f"Nobody could make a step in the phase {PHASES[position[PHASE]]} of this position.")


def _check_counts(position: Position, options: RealmOptions, seat: int) -> None:
    kinds = count_kinds(position, seat)
    bases = options.bases + options.extra_base_second
    name = NAMES[seat]
    if kinds[POWER] > options.powers:
        raise BadPosition(f"{name} has {kinds[POWER]} Powers, but there are only {options.powers}.")
    if (
        sum(kinds[ENFORCER:]) + position[ENFORCERS_LEFT + seat] > options.enforcers
        or position[ENFORCERS_LEFT + seat] < 0
    ):
        raise BadPosition(f"{name} has more than {options.enforcers} Enforcers, the uncreated ones counted.")
    if kinds[BASE] + position[BASES_LEFT + seat] + position[CAPTURED + 1 - seat] > bases:
        raise BadPosition(f"{name} has more than {bases} Bases, the uncreated and captured ones counted.")
    if position[BASES_LEFT + seat] < 0 or (position[BASES_LEFT + seat] == 0 and position[PHASE] != OVER):
        raise BadPosition(f"{name} has no Base left to create, so the game is over; write phase=over end=last_base.")


def _check_turn(position: Position) -> None:
    phase = position[PHASE]
    begun = position[MOVED] or position[FREED] or phase in (FOUND, CREATE, IMMOBILISE)
    if (phase == OVER) != (position[REASON] > 0):
        raise BadPosition("A game that is over needs both phase=over and its reason, like end=agreement.")
    if phase == OVER:
        return
    plays = position[ORIGIN] >= 0 or position[TARGET] >= 0
    if phase == REARRANGE:
        if position[LIFTED : LIFTED + 9].sum() == 0 or position[MOVED] or position[FREED] or position[TARGET] >= 0:
            raise BadPosition("A rearrangement needs its lifted pieces, like lifted=WPg10,WEi12S, and no move.")
    elif bool(begun) != bool(plays) or (begun and phase < TURN):
        raise BadPosition("Once a piece has moved, and only then, `from` or `into` names the Realm of the play.")
    elif position[LIFTED : LIFTED + 9].sum():
        raise BadPosition("Pieces are lifted only in the phase rearrange.")


def _check_event(position: Position) -> None:
    phase = position[PHASE]
    pending = phase in (FOUND, CREATE, IMMOBILISE)
    if not pending:
        if position[AT] >= 0 and phase != OVER:
            raise BadPosition("`at` names the piece whose event is pending, and none is.")
        return
    piece = position[position[AT]] if position[AT] >= 0 else EMPTY
    right = piece & KIND == POWER if phase != IMMOBILISE else piece & KIND >= ENFORCER
    if piece == EMPTY or not right or piece >> SIDE_BIT != position[SEAT] or not position[MOVED]:
        raise BadPosition("`at` must name the piece that has just moved and whose event is pending.")
