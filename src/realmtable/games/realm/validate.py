"""Check that play can continue from a position: piece counts, the state of the turn, a legal step."""

from __future__ import annotations

import numpy as np

from realmtable.engine.errors import BadPosition
from realmtable.games.realm.legal import legal_steps
from realmtable.games.realm.moves import count_powers
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    BASE,
    BASES_LEFT,
    CAPTURED,
    CHOOSE_MOVE,
    CHOOSE_PLACE,
    CREATE_ENFORCER,
    EMPTY,
    ENFORCER,
    ENFORCERS_LEFT,
    EVENT_CELL,
    FIRST_PLACER,
    FOUND_BASE,
    IMMOBILE,
    IMMOBILISE,
    KEY_COUNT,
    KIND_MASK,
    LIFTED,
    MAX_STEPS,
    MOVED,
    ORIGIN,
    OVER,
    PHASE,
    PHASES,
    PLACE_BASES,
    PLACE_POWERS,
    PLACED,
    POWER,
    QUIET_TURNS,
    REARRANGE,
    REASON,
    SACRIFICED,
    SEAT,
    SEAT_SHIFT,
    TARGET,
    TURN,
    TURNS,
)
from realmtable.games.realm.rearrangement import CLASSES, current_places, is_lifted, original_places, places_of_class
from realmtable.games.realm.rules import second_mover, setup_base_count, trigger_enforcer_event, trigger_power_event
from realmtable.kit.bits import count_bits
from realmtable.kit.realm_board import CELLS, REALMS, SEAT_NAMES, center_of, spaces_of
from realmtable.kit.rules import Position


def count_kinds(position: Position, seat: int) -> list[int]:
    """Count a seat's pieces of each kind, on the board and in hand."""
    counts = [0] * 8
    for entry in (*range(CELLS), *range(LIFTED, LIFTED + 9)):
        piece = int(position[entry])
        counts[piece & KIND_MASK] += piece != EMPTY and piece >> SEAT_SHIFT == seat
    if position[PHASE] == REARRANGE:  # count pieces already put back only once
        for space in spaces_of(int(position[ORIGIN])):
            piece = int(position[space])
            counts[piece & KIND_MASK] -= bool(is_lifted(position, piece)) and piece >> SEAT_SHIFT == seat
    return counts


def check_position(position: Position, options: RealmOptions) -> None:
    """Refuse a position from which play cannot continue."""
    if position[PHASE] < TURN:
        _check_setup(position, options)
    _check_turn(position)
    _check_event(position)
    if position[PHASE] == REARRANGE:
        _check_rearrangement(position)
    for seat in range(2):
        _check_counts(position, options, seat)
    if position[PHASE] != OVER and (
        position[TURNS] >= options.max_turns or position[QUIET_TURNS] >= options.no_progress
    ):
        raise BadPosition(
            "The game has reached its limit of turns or quiet turns, so it is over; write phase=over and its end."
        )
    if position[KEY_COUNT] > position[QUIET_TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the quiet turns allow.")
    if position[PHASE] != OVER and legal_steps(position, np.empty(MAX_STEPS, dtype=np.int64)) == 0:
        raise BadPosition(f"This position has no legal step in the phase {PHASES[position[PHASE]]}.")


def _check_setup(position: Position, options: RealmOptions) -> None:
    """Check that the pieces are those the players have placed so far, in turn (R2, R3, V10)."""
    phase, placed, first = position[PHASE], int(position[PLACED]), int(position[FIRST_PLACER])
    all_bases, all_powers = 2 * int(setup_base_count(position)), 2 * options.powers
    extra = int(second_mover(position)) if options.extra_base_second and phase != CHOOSE_PLACE else -1
    bases, powers = (0, 0) if phase == CHOOSE_PLACE else (placed, 0) if phase == PLACE_BASES else (all_bases, placed)
    if phase == CHOOSE_MOVE:
        powers = all_powers
    acting = 1 if phase in (CHOOSE_PLACE, CHOOSE_MOVE) else first ^ (placed & 1)
    if phase == PLACE_BASES and placed == all_bases:
        acting = extra
    most = all_powers - 1 if phase == PLACE_POWERS else all_bases
    fits = position[SEAT] == acting and placed <= most and not position[TURNS]
    for seat in range(2):
        turns_taken = [(count + 1 - (seat ^ first)) // 2 for count in (bases, powers)]
        kinds = count_kinds(position, seat)
        more = 1 if seat == extra and phase in (PLACE_POWERS, CHOOSE_MOVE) else 0
        fits = (
            fits
            and kinds[BASE] == turns_taken[0] + more
            and kinds[POWER] == turns_taken[1]
            and not sum(kinds[ENFORCER:])
        )
        fits = fits and _has_powers_at_home(position, seat)
        fits = fits and position[BASES_LEFT + seat] == options.bases + (seat == extra) - kinds[BASE]
    if not fits or (phase in (CHOOSE_PLACE, CHOOSE_MOVE) and placed):
        raise BadPosition(
            "The pieces do not match the set-up so far: check placed, first, move and the Powers' Realms."
        )


def _has_powers_at_home(position: Position, seat: int) -> bool:
    """Whether each of the seat's Powers is in a Realm it controls, with no two in the same one (R3)."""
    for realm in range(REALMS):
        own = position[center_of(realm)] == BASE + (seat << SEAT_SHIFT)
        if count_powers(position, realm, seat) > own:
            return False
    return True


def _check_rearrangement(position: Position) -> None:
    """Check that the lifted pieces were put back in order, class by class (S8)."""
    lifted = [int(piece) for piece in position[LIFTED : LIFTED + 9] if piece != EMPTY]
    before, after = original_places(position), current_places(position, int(position[ORIGIN]))
    complete = True
    for group in range(CLASSES):
        stood, stands = count_bits(places_of_class(before, group)), count_bits(places_of_class(after, group))
        if stands > stood or (stands and not complete):
            raise BadPosition("The pieces put back do not match the lifted ones in order.")
        complete = complete and stands == stood
    if complete or not all(is_lifted(position, piece) for piece in lifted):
        raise BadPosition("A rearrangement needs lifted pieces to put back, the mover's own unless V14 is on.")


def _check_counts(position: Position, options: RealmOptions, seat: int) -> None:
    kinds = count_kinds(position, seat)
    bases = options.bases + options.extra_base_second
    name = SEAT_NAMES[seat]
    if kinds[POWER] > options.powers:
        raise BadPosition(f"{name} has {kinds[POWER]} Powers, but the limit is {options.powers}.")
    if (
        sum(kinds[ENFORCER:]) + position[ENFORCERS_LEFT + seat] > options.enforcers
        or position[ENFORCERS_LEFT + seat] < 0
    ):
        raise BadPosition(f"{name} has more than {options.enforcers} Enforcers, including uncreated ones.")
    if kinds[BASE] + position[BASES_LEFT + seat] + position[CAPTURED + 1 - seat] > bases:
        raise BadPosition(f"{name} has more than {bases} Bases, including uncreated and captured ones.")
    if position[BASES_LEFT + seat] < 0 or (position[BASES_LEFT + seat] == 0 and position[PHASE] != OVER):
        raise BadPosition(f"{name} has no Base left to create, so the game is over; write phase=over end=last_base.")


def _check_turn(position: Position) -> None:
    phase = position[PHASE]
    begun = position[MOVED] or position[SACRIFICED] or phase in (FOUND_BASE, CREATE_ENFORCER, IMMOBILISE)
    if (phase == OVER) != (position[REASON] > 0):
        raise BadPosition("A finished game needs both phase=over and a reason, like end=agreement.")
    if phase == OVER:
        return
    plays = position[ORIGIN] >= 0 or position[TARGET] >= 0
    if phase == REARRANGE:
        if position[LIFTED : LIFTED + 9].sum() == 0 or position[MOVED] or position[SACRIFICED] or position[TARGET] >= 0:
            raise BadPosition("A rearrangement needs lifted pieces, like lifted=WPg10,WEi12S, and no move.")
    elif bool(begun) != bool(plays) or (begun and phase < TURN):
        raise BadPosition("Write `from` or `into`, the Realm of the play, exactly when a piece has moved.")
    elif position[LIFTED : LIFTED + 9].sum():
        raise BadPosition("Lifted pieces need the phase rearrange.")


def _check_event(position: Position) -> None:
    """Check that the pending event is the one that the piece named by `at` triggers."""
    phase = position[PHASE]
    if phase not in (FOUND_BASE, CREATE_ENFORCER, IMMOBILISE):
        if position[EVENT_CELL] >= 0 and phase != OVER:
            raise BadPosition("`at` names the piece whose event is pending, but no event is.")
        return
    trial = position.copy()
    trial[PHASE] = TURN
    at = int(position[EVENT_CELL])
    piece = position[at] if at >= 0 else EMPTY
    if piece >> SEAT_SHIFT == position[SEAT] and position[MOVED]:
        if piece & KIND_MASK == POWER:
            trigger_power_event(trial, at)
        elif ENFORCER <= piece & KIND_MASK < IMMOBILE:
            trigger_enforcer_event(trial, at)
    if trial[PHASE] != phase:
        raise BadPosition("`at` must name the piece that has just moved and whose event is pending.")
