"""A Realm state as one line of text that people can also write by hand.

``W:Bh11,Pg10,Eg12S,Ea7x B:Bh2,Pg3 move=B`` is a board and the side to move; every other field is optional and left
out if it has its default. docs/study/record-format.md lists the fields.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from realmtable.engine.errors import BadPosition
from realmtable.games.realm import layout
from realmtable.games.realm.first_state import State, empty_position, state_of
from realmtable.games.realm.legal import legal_steps
from realmtable.games.realm.moves import count_powers
from realmtable.games.realm.notation import piece_text
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.rearrangement import CLASSES, current_places, is_lifted, original_places, places_of_class
from realmtable.games.realm.rules import (
    position_key,
    second_mover,
    setup_base_count,
    trigger_enforcer_event,
    trigger_power_event,
)
from realmtable.kit.bits import count_bits
from realmtable.kit.position_text import read_pair
from realmtable.kit.realm_board import position_text
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    FACINGS,
    REALMS,
    SEAT_LETTERS,
    SEAT_NAMES,
    Cell,
    cell_name,
    center_of,
    find_cell,
    realm_name,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.position_text import Field, refuse_if
from realmtable.kit.rules import Position

PALETTE: Final = {
    "B@": "Base", "P@": "Power", "E@N": "Enforcer facing north", "E@E": "Enforcer facing east",
    "E@S": "Enforcer facing south", "E@W": "Enforcer facing west", "E@x": "immobile Enforcer",
}  # fmt: skip
PHASE_WORDS: Final = (
    "choose_place", "bases", "powers", "choose_move", "turn", "found", "create", "immobilise", "rearrange", "over",
)  # fmt: skip
OFFER_WORDS: Final = ("none", "made", "standing")
MOST_CAPTURED: Final = 30
_PIECE = re.compile(r"([BPE])([a-l])(1[0-2]|[1-9])([NESWx]?)")


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    usual = empty_position(state.options)
    usual[:CELLS] = position[:CELLS]
    usual[layout.CAPTURED : layout.CAPTURED + 2] = position[layout.CAPTURED : layout.CAPTURED + 2]
    _fill_defaults(usual, state.options)
    usual[layout.CAPTURED : layout.CAPTURED + 2] = 0
    return position_text.write_position(
        state, position_text.write_pieces(position, layout.SEAT_SHIFT, piece_text), usual, FIELDS
    )


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    texts, options = position_text.read_fields(text, RealmOptions, FIELDS)
    position = empty_position(options)
    for cell, piece in position_text.read_pieces(texts, _read_piece).items():
        position[cell] = piece
    captured = read_pair("captured", texts.get("captured", "0/0"), MOST_CAPTURED)
    position[layout.CAPTURED : layout.CAPTURED + 2] = captured
    _fill_defaults(position, options)
    position_text.store_fields(position, texts, FIELDS)
    if "seen" not in texts:
        layout.HISTORY.store(position, _default_keys(position))
    if sound:
        _check_position(position, options)
    return state_of(position, options)


def _fill_defaults(position: Position, options: RealmOptions) -> None:
    """Fill in the defaults for a board and its captures: White to move, all other pieces uncreated."""
    position[layout.PHASE] = layout.TURN
    position[layout.SEAT] = 0
    for seat in range(2):
        kinds = _count_kinds(position, seat)
        position[layout.BASES_LEFT + seat] = options.bases - kinds[layout.BASE] - position[layout.CAPTURED + 1 - seat]
        position[layout.ENFORCERS_LEFT + seat] = options.enforcers - sum(kinds[layout.ENFORCER :])


def _count_kinds(position: Position, seat: int) -> list[int]:
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


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    starts = position[layout.PHASE] == layout.TURN and not position[layout.MOVED] and not position[layout.SACRIFICED]
    return [int(position_key(position))] if starts else []


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    found = _PIECE.fullmatch(text)
    if found is None or (found[1] == "E") != bool(found[4]):
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write Bh11, Pg10, Eg12S or Ea7x.")
    cell = find_cell(found[2] + found[3])
    assert cell is not None  # noqa: S101 - the pattern allows nothing else
    possible = (found[1] == "B") == (cell in CENTERS)
    refuse_if(not possible, f"{text} is not possible: Bases go on Centers, other pieces on Border spaces.")
    kind = {"B": layout.BASE, "P": layout.POWER}.get(found[1]) or (
        layout.IMMOBILE if found[4] == "x" else layout.ENFORCER + FACINGS.index(found[4])
    )
    return kind + (seat << layout.SEAT_SHIFT), cell


# ---- fields


def _read_border_space(name: str, text: str) -> Cell:
    cell = find_cell(text)
    if cell is None or cell in CENTERS:
        raise BadPosition(f"{name} must be a Border space like g10, not {text[:20]}.")
    return cell


def _read_lifted(position: Position, _name: str, value: str) -> None:
    for text in value.split(","):
        if text[:1] not in tuple(SEAT_LETTERS):
            raise BadPosition("Write lifted pieces with their owner, like lifted=WPg10,WEi12S.")
        piece, cell = _read_piece(text[1:], SEAT_LETTERS.index(text[0]))
        entry = layout.LIFTED + spaces_of(realm_of(cell)).index(cell)
        fits = position[layout.ORIGIN] in (-1, realm_of(cell)) and piece & layout.KIND_MASK != layout.BASE
        refuse_if(not fits, "The lifted pieces must be Powers and Enforcers of the Realm that `from` names.")
        refuse_if(position[entry] != layout.EMPTY, f"{cell_name(cell)} held two lifted pieces.")
        position[entry] = piece
        position[layout.ORIGIN] = realm_of(cell)


def _write_lifted(position: Position, _usual: Position) -> str:
    if position[layout.PHASE] != layout.REARRANGE:
        return ""
    spaces = spaces_of(int(position[layout.ORIGIN]))
    pieces = zip(position[layout.LIFTED : layout.LIFTED + 9].tolist(), spaces, strict=True)
    return "lifted=" + ",".join(
        SEAT_LETTERS[piece >> layout.SEAT_SHIFT] + piece_text(piece, space)
        for piece, space in pieces
        if piece != layout.EMPTY
    )


def _row_field(seat: int) -> Field:
    """Declare the field of a seat's Rearrangements in a row (R11)."""
    name, length_entry, realm_entry = (
        f"row{SEAT_LETTERS[seat]}",
        layout.STREAK_LENGTH + seat,
        layout.STREAK_REALM + seat,
    )

    def read(position: Position, _name: str, value: str) -> None:
        realm, star, length = value.partition("*")
        refuse_if(not star or length not in {"1", "2"}, "Write a row of rearrangements like rowW=h11*2.")
        position[realm_entry] = position_text.read_center("rowW or rowB", realm)
        position[length_entry] = int(length)

    def write(position: Position, _usual: Position) -> str:
        length = position[length_entry]
        return f"{name}={realm_name(int(position[realm_entry]))}*{length}" if length else ""

    return Field(name, read, write)


FIELDS: Final = (
    position_text.move_field(layout.SEAT),
    position_text.choice_field("phase", layout.PHASE, PHASE_WORDS),
    position_text.pair_field("left", layout.BASES_LEFT, 15),
    position_text.pair_field("stock", layout.ENFORCERS_LEFT, 9),
    position_text.pair_field("captured", layout.CAPTURED, MOST_CAPTURED),
    position_text.number_field("placed", layout.PLACED, 9),
    position_text.number_field("turns", layout.TURNS, 1000),
    position_text.number_field("quiet", layout.QUIET_TURNS, 120),
    position_text.flag_field("moved", layout.MOVED),
    position_text.flag_field("freed", layout.SACRIFICED),
    position_text.flag_field("progress", layout.PROGRESS),
    position_text.flag_field("passed", layout.PASSED),
    position_text.choice_field("first", layout.FIRST_PLACER, SEAT_LETTERS),
    position_text.realm_field("from", layout.ORIGIN),
    position_text.realm_field("into", layout.TARGET),
    position_text.entry_field("at", layout.EVENT_CELL, _read_border_space, cell_name),
    position_text.choice_field("offer", layout.OFFER, OFFER_WORDS),
    position_text.choice_field("end", layout.REASON, layout.REASONS),
    Field("lifted", _read_lifted, _write_lifted),
    _row_field(0),
    _row_field(1),
    position_text.history_field(layout.HISTORY, layout.KEY_CAPACITY - 4, _default_keys),
)


# ---- validation


def _check_position(position: Position, options: RealmOptions) -> None:
    """Refuse a position from which play cannot continue."""
    phase = position[layout.PHASE]
    if phase < layout.TURN:
        _check_setup(position, options)
    _check_turn(position)
    _check_event(position)
    if phase == layout.REARRANGE:
        _check_rearrangement(position)
    for seat in range(2):
        _check_counts(position, options, seat)
    last = position[layout.TURNS] >= options.max_turns or position[layout.QUIET_TURNS] >= options.no_progress
    refuse_if(
        phase != layout.OVER and last,
        "The game has reached its limit of turns or quiet turns, so it is over; write phase=over and its end.",
    )
    seen = position[layout.KEY_COUNT]
    refuse_if(seen > position[layout.QUIET_TURNS] + 1, "`seen` lists more positions than the quiet turns allow.")
    stuck = phase != layout.OVER and legal_steps(position, np.empty(layout.MAX_STEPS, dtype=np.int64)) == 0
    refuse_if(stuck, f"This position has no legal step in the phase {layout.PHASES[phase]}.")


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
        kinds = _count_kinds(position, seat)
        more = 1 if seat == extra and phase in (layout.PLACE_POWERS, layout.CHOOSE_MOVE) else 0
        fits = (
            fits
            and kinds[layout.BASE] == turns_taken[0] + more
            and kinds[layout.POWER] == turns_taken[1]
            and not sum(kinds[layout.ENFORCER :])
        )
        fits = fits and _has_powers_at_home(position, seat)
        fits = fits and position[layout.BASES_LEFT + seat] == options.bases + (seat == extra) - kinds[layout.BASE]
    refuse_if(
        not fits or (phase in (layout.CHOOSE_PLACE, layout.CHOOSE_MOVE) and placed),
        "The pieces do not match the set-up so far: check placed, first, move and the Powers' Realms.",
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
        in_order = stands <= stood and (complete or not stands)
        refuse_if(not in_order, "The pieces put back do not match the lifted ones in order.")
        complete = complete and stands == stood
    unfit = complete or not all(is_lifted(position, piece) for piece in lifted)
    refuse_if(unfit, "A rearrangement needs lifted pieces to put back, the mover's own unless V14 is on.")


def _check_counts(position: Position, options: RealmOptions, seat: int) -> None:
    name, kinds = SEAT_NAMES[seat], _count_kinds(position, seat)
    most_powers, most_enforcers, most_bases = (
        options.powers,
        options.enforcers,
        options.bases + options.extra_base_second,
    )
    bases_left, enforcers_left = position[layout.BASES_LEFT + seat], position[layout.ENFORCERS_LEFT + seat]
    powers, enforcers = kinds[layout.POWER], sum(kinds[layout.ENFORCER :]) + enforcers_left
    bases = kinds[layout.BASE] + bases_left + position[layout.CAPTURED + 1 - seat]
    refuse_if(powers > most_powers, f"{name} has {powers} Powers, but the limit is {most_powers}.")
    refuse_if(
        enforcers > most_enforcers or enforcers_left < 0,
        f"{name} has more than {most_enforcers} Enforcers, including uncreated ones.",
    )
    refuse_if(bases > most_bases, f"{name} has more than {most_bases} Bases, including uncreated and captured ones.")
    refuse_if(
        bases_left < 0 or (bases_left == 0 and position[layout.PHASE] != layout.OVER),
        f"{name} has no Base left to create, so the game is over; write phase=over end=last_base.",
    )


def _check_turn(position: Position) -> None:
    phase = position[layout.PHASE]
    moved = position[layout.MOVED] or position[layout.SACRIFICED]
    begun = moved or phase in (layout.FOUND_BASE, layout.CREATE_ENFORCER, layout.IMMOBILISE)
    ended = position[layout.REASON] > 0
    refuse_if(
        (phase == layout.OVER) != ended, "A finished game needs both phase=over and a reason, like end=agreement."
    )
    if phase == layout.OVER:
        return
    lifted = position[layout.LIFTED : layout.LIFTED + 9].any()
    plays = position[layout.ORIGIN] >= 0 or position[layout.TARGET] >= 0
    if phase == layout.REARRANGE:
        refuse_if(
            not lifted or moved or position[layout.TARGET] >= 0,
            "A rearrangement needs lifted pieces, like lifted=WPg10,WEi12S, and no move.",
        )
        return
    refuse_if(
        bool(begun) != bool(plays) or (begun and phase < layout.TURN),
        "Write `from` or `into`, the Realm of the play, exactly when a piece has moved.",
    )
    refuse_if(lifted, "Lifted pieces need the phase rearrange.")


def _check_event(position: Position) -> None:
    """Check that the pending event is the one that the piece named by `at` triggers."""
    phase, at = position[layout.PHASE], int(position[layout.EVENT_CELL])
    if phase not in (layout.FOUND_BASE, layout.CREATE_ENFORCER, layout.IMMOBILISE):
        idle = at >= 0 and phase != layout.OVER
        refuse_if(idle, "`at` names the piece whose event is pending, but no event is.")
        return
    trial = position.copy()
    trial[layout.PHASE] = layout.TURN
    piece = position[at] if at >= 0 else layout.EMPTY
    if piece >> layout.SEAT_SHIFT == position[layout.SEAT] and position[layout.MOVED]:
        if piece & layout.KIND_MASK == layout.POWER:
            trigger_power_event(trial, at)
        elif layout.ENFORCER <= piece & layout.KIND_MASK < layout.IMMOBILE:
            trigger_enforcer_event(trial, at)
    same = trial[layout.PHASE] == phase
    refuse_if(not same, "`at` must name the piece that has just moved and whose event is pending.")
