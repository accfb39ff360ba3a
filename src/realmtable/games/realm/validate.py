"""Check that play can continue from a position: piece counts, the state of the turn, a legal step."""

from __future__ import annotations

import numpy as np

from realmtable.engine.errors import BadPosition
from realmtable.games.realm import layout
from realmtable.games.realm.legal import legal_steps
from realmtable.games.realm.moves import count_powers
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.rearrangement import CLASSES, current_places, is_lifted, original_places, places_of_class
from realmtable.games.realm.rules import second_mover, setup_base_count, trigger_enforcer_event, trigger_power_event
from realmtable.kit.bits import count_bits
from realmtable.kit.realm_board.geometry import CELLS, REALMS, SEAT_NAMES, center_of, spaces_of
from realmtable.kit.rules import Position


def count_kinds(position: Position, seat: int) -> list[int]:
    """Count a seat's pieces of each kind, on the board and in hand."""
    counts = [0] * 8
    for entry in (*range(CELLS), *range(layout.LIFTED, layout.LIFTED + 9)):
        piece = int(position[entry])
        counts[piece & layout.KIND_MASK] += piece != layout.EMPTY and piece >> layout.SEAT_SHIFT == seat
    if position[layout.PHASE] == layout.REARRANGE:  # count pieces already put back only once
        for space in spaces_of(int(position[layout.ORIGIN])):
            piece = int(position[space])
            counts[piece & layout.KIND_MASK] -= bool(is_lifted(position, piece)) and piece >> layout.SEAT_SHIFT == seat
    return counts


def check_position(position: Position, options: RealmOptions) -> None:
    """Refuse a position from which play cannot continue."""
    if position[layout.PHASE] < layout.TURN:
        _check_setup(position, options)
    _check_turn(position)
    _check_event(position)
    if position[layout.PHASE] == layout.REARRANGE:
        _check_rearrangement(position)
    for seat in range(2):
        _check_counts(position, options, seat)
    if position[layout.PHASE] != layout.OVER and (
        position[layout.TURNS] >= options.max_turns or position[layout.QUIET_TURNS] >= options.no_progress
    ):
        raise BadPosition(
            "The game has reached its limit of turns or quiet turns, so it is over; write phase=over and its end."
        )
    if position[layout.KEY_COUNT] > position[layout.QUIET_TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the quiet turns allow.")
    if position[layout.PHASE] != layout.OVER and legal_steps(position, np.empty(layout.MAX_STEPS, dtype=np.int64)) == 0:
        raise BadPosition(f"This position has no legal step in the phase {layout.PHASES[position[layout.PHASE]]}.")


def _check_setup(position: Position, options: RealmOptions) -> None:
    """Check that the pieces are those the players have placed so far, in turn (R2, R3, V10)."""
    phase, placed, first = position[layout.PHASE], int(position[layout.PLACED]), int(position[layout.FIRST_PLACER])
    all_bases, all_powers = 2 * int(setup_base_count(position)), 2 * options.powers
    extra = int(second_mover(position)) if options.extra_base_second and phase != layout.CHOOSE_PLACE else -1
    bases, powers = (
        (0, 0) if phase == layout.CHOOSE_PLACE else (placed, 0) if phase == layout.PLACE_BASES else (all_bases, placed)
    )
    if phase == layout.CHOOSE_MOVE:
        powers = all_powers
    acting = 1 if phase in (layout.CHOOSE_PLACE, layout.CHOOSE_MOVE) else first ^ (placed & 1)
    if phase == layout.PLACE_BASES and placed == all_bases:
        acting = extra
    most = all_powers - 1 if phase == layout.PLACE_POWERS else all_bases
    fits = position[layout.SEAT] == acting and placed <= most and not position[layout.TURNS]
    for seat in range(2):
        turns_taken = [(count + 1 - (seat ^ first)) // 2 for count in (bases, powers)]
        kinds = count_kinds(position, seat)
        more = 1 if seat == extra and phase in (layout.PLACE_POWERS, layout.CHOOSE_MOVE) else 0
        fits = (
            fits
            and kinds[layout.BASE] == turns_taken[0] + more
            and kinds[layout.POWER] == turns_taken[1]
            and not sum(kinds[layout.ENFORCER :])
        )
        fits = fits and _has_powers_at_home(position, seat)
        fits = fits and position[layout.BASES_LEFT + seat] == options.bases + (seat == extra) - kinds[layout.BASE]
    if not fits or (phase in (layout.CHOOSE_PLACE, layout.CHOOSE_MOVE) and placed):
        raise BadPosition(
            "The pieces do not match the set-up so far: check placed, first, move and the Powers' Realms."
        )


def _has_powers_at_home(position: Position, seat: int) -> bool:
    """Whether each of the seat's Powers is in a Realm it controls, with no two in the same one (R3)."""
    for realm in range(REALMS):
        own = position[center_of(realm)] == layout.BASE + (seat << layout.SEAT_SHIFT)
        if count_powers(position, realm, seat) > own:
            return False
    return True


def _check_rearrangement(position: Position) -> None:
    """Check that the lifted pieces were put back in order, class by class (S8)."""
    lifted = [int(piece) for piece in position[layout.LIFTED : layout.LIFTED + 9] if piece != layout.EMPTY]
    before, after = original_places(position), current_places(position, int(position[layout.ORIGIN]))
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
    if kinds[layout.POWER] > options.powers:
        raise BadPosition(f"{name} has {kinds[layout.POWER]} Powers, but the limit is {options.powers}.")
    if (
        sum(kinds[layout.ENFORCER :]) + position[layout.ENFORCERS_LEFT + seat] > options.enforcers
        or position[layout.ENFORCERS_LEFT + seat] < 0
    ):
        raise BadPosition(f"{name} has more than {options.enforcers} Enforcers, including uncreated ones.")
    if kinds[layout.BASE] + position[layout.BASES_LEFT + seat] + position[layout.CAPTURED + 1 - seat] > bases:
        raise BadPosition(f"{name} has more than {bases} Bases, including uncreated and captured ones.")
    if position[layout.BASES_LEFT + seat] < 0 or (
        position[layout.BASES_LEFT + seat] == 0 and position[layout.PHASE] != layout.OVER
    ):
        raise BadPosition(f"{name} has no Base left to create, so the game is over; write phase=over end=last_base.")


def _check_turn(position: Position) -> None:
    phase = position[layout.PHASE]
    begun = (
        position[layout.MOVED]
        or position[layout.SACRIFICED]
        or phase in (layout.FOUND_BASE, layout.CREATE_ENFORCER, layout.IMMOBILISE)
    )
    if (phase == layout.OVER) != (position[layout.REASON] > 0):
        raise BadPosition("A finished game needs both phase=over and a reason, like end=agreement.")
    if phase == layout.OVER:
        return
    plays = position[layout.ORIGIN] >= 0 or position[layout.TARGET] >= 0
    if phase == layout.REARRANGE:
        if (
            position[layout.LIFTED : layout.LIFTED + 9].sum() == 0
            or position[layout.MOVED]
            or position[layout.SACRIFICED]
            or position[layout.TARGET] >= 0
        ):
            raise BadPosition("A rearrangement needs lifted pieces, like lifted=WPg10,WEi12S, and no move.")
    elif bool(begun) != bool(plays) or (begun and phase < layout.TURN):
        raise BadPosition("Write `from` or `into`, the Realm of the play, exactly when a piece has moved.")
    elif position[layout.LIFTED : layout.LIFTED + 9].sum():
        raise BadPosition("Lifted pieces need the phase rearrange.")


def _check_event(position: Position) -> None:
    """Check that the pending event is the one that the piece named by `at` triggers."""
    phase = position[layout.PHASE]
    if phase not in (layout.FOUND_BASE, layout.CREATE_ENFORCER, layout.IMMOBILISE):
        if position[layout.EVENT_CELL] >= 0 and phase != layout.OVER:
            raise BadPosition("`at` names the piece whose event is pending, but no event is.")
        return
    trial = position.copy()
    trial[layout.PHASE] = layout.TURN
    at = int(position[layout.EVENT_CELL])
    piece = position[at] if at >= 0 else layout.EMPTY
    if piece >> layout.SEAT_SHIFT == position[layout.SEAT] and position[layout.MOVED]:
        if piece & layout.KIND_MASK == layout.POWER:
            trigger_power_event(trial, at)
        elif layout.ENFORCER <= piece & layout.KIND_MASK < layout.IMMOBILE:
            trigger_enforcer_event(trial, at)
    if trial[layout.PHASE] != phase:
        raise BadPosition("`at` must name the piece that has just moved and whose event is pending.")
