"""A state of Modern Realm as one line of text that people can also write by hand.

``W:Ab2,Ce2,Hh8 B:Ah11,Ck8 move=B`` is a board and the side to move; every other field is optional and left out if it
has its default: ``from``, the Realm of the turn; ``left``, the pieces still to move out of it (by default all its
mobile ones); ``waiting``, the Realm where a dislodged Agent is to be placed; ``end``, why the game is over; ``turns``
and ``passed``; and ``choosing`` while the Counter-Agents are chosen.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.engine.errors import BadPosition
from realmtable.games.modern_realm import layout
from realmtable.games.modern_realm.first_state import State, empty_position, first_position, state_of
from realmtable.games.modern_realm.moves import belongs_to, mobile_places
from realmtable.games.modern_realm.notation import LETTERS, piece_text
from realmtable.games.modern_realm.options import BY_CHOICE, ModernOptions
from realmtable.games.modern_realm.rules import count_headquarters, is_target, legal_steps
from realmtable.kit.position_text import read_choice
from realmtable.kit.realm_board import position_text
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    SEAT_NAMES,
    Cell,
    cell_name,
    cells_of_places,
    center_of,
    find_cell,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.position_text import Field, refuse_if
from realmtable.kit.rules import Position

PALETTE: Final = {"A@": "Agent", "C@": "Counter-Agent", "H@": "Headquarters"}
TURN_LIMIT: Final = 1000
_KINDS: Final = {letter: kind for kind, letter in LETTERS.items()}


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    pieces = position_text.write_pieces(state.position, layout.SEAT_SHIFT, piece_text)
    return position_text.write_position(state, pieces, empty_position(state.options), FIELDS)


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    texts, options = position_text.read_fields(text, ModernOptions, FIELDS)
    position = empty_position(options)
    for cell, piece in position_text.read_pieces(texts, _read_piece).items():
        position[cell] = piece
    position_text.store_fields(position, texts, FIELDS)
    origin, seat = int(position[layout.ORIGIN]), int(position[layout.SEAT])
    if "left" not in texts and origin >= 0:
        position[layout.UNMOVED_PLACES] = mobile_places(position, origin, seat)
    if sound:
        _check_position(position, options)
    return state_of(position, options)


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    letter, cell = position_text.split_piece("HAC", text, "Ab5, Ce2 or Hb8")
    return _KINDS[letter] + (seat << layout.SEAT_SHIFT), cell


def _read_left(position: Position, name: str, value: str) -> None:
    spaces = spaces_of(int(position[layout.ORIGIN])) if position[layout.ORIGIN] >= 0 else ()
    for text in value.split(",") if value else []:
        cell = find_cell(text)
        if cell is None:
            raise BadPosition(f"{name} must name spaces like b5, not {text[:20] or 'nothing'}.")
        if cell not in spaces:
            raise BadPosition(f"`left` must name pieces of the Realm that `from` names, and {text} is not in it.")
        bit = 1 << spaces.index(cell)
        refuse_if(position[layout.UNMOVED_PLACES] & bit, f"`left` names {text} twice.")
        position[layout.UNMOVED_PLACES] |= bit


def _write_left(position: Position, _usual: Position) -> str:
    origin = int(position[layout.ORIGIN])
    cells = cells_of_places(origin, int(position[layout.UNMOVED_PLACES]))
    return "left=" + ",".join(map(cell_name, cells)) if origin >= 0 else ""


def _read_waiting(position: Position, name: str, value: str) -> None:
    position[layout.DISLODGED_REALM] = position_text.read_center(name, value)
    position[layout.PHASE] = layout.DISLODGE


def _read_end(position: Position, name: str, value: str) -> None:
    position[layout.REASON] = read_choice(name, value, layout.REASONS[1:]) + 1
    position[layout.PHASE] = layout.OVER


FIELDS: Final = (
    position_text.move_field(layout.SEAT),
    position_text.number_field("turns", layout.TURNS, TURN_LIMIT),
    position_text.flag_field("passed", layout.PASSED),
    position_text.realm_field("from", layout.ORIGIN),
    Field("left", _read_left, _write_left),
    position_text.realm_field("waiting", layout.DISLODGED_REALM)._replace(read=_read_waiting),
    position_text.flag_field("choosing", layout.PHASE, layout.CHOOSE),
    position_text.choice_field("end", layout.REASON, layout.REASONS)._replace(read=_read_end),
)


# ---- validation


def _check_position(position: Position, options: ModernOptions) -> None:
    """Refuse a position from which play cannot continue."""
    for seat in range(2):
        _check_pieces(position, seat)
    _check_turn(position)
    if position[layout.PHASE] == layout.CHOOSE:
        _check_choice(position, options)
    elif position[layout.PHASE] == layout.OVER:
        _check_end(position, options)
    else:
        _check_unfinished(position, options)


def _check_pieces(position: Position, seat: int) -> None:
    name, most = SEAT_NAMES[seat], layout.PIECES_EACH
    own = [cell for cell in range(CELLS) if belongs_to(position[cell], seat)]
    kinds = [int(position[cell]) & layout.KIND_MASK for cell in own]
    waiting = position[layout.PHASE] == layout.DISLODGE and seat != position[layout.SEAT]
    refuse_if(len(own) + waiting > most, f"{name} has more than {most} pieces, including a dislodged Agent.")
    refuse_if(kinds.count(layout.COUNTER) > 1, f"{name} has more than one Counter-Agent.")
    for cell, kind in zip(own, kinds, strict=True):
        on_target, is_hq = cell in CENTERS and is_target(realm_of(cell), seat), kind == layout.HQ
        at = cell_name(cell)
        refuse_if(is_hq and not on_target, f"{name}'s HQs must be on enemy Centers, and {at} is not one.")
        refuse_if(on_target and not is_hq, f"{name}'s piece on the Center {at} would have become an HQ.")


def _check_turn(position: Position) -> None:
    """Check the fields of a turn under way."""
    origin, seat = int(position[layout.ORIGIN]), int(position[layout.SEAT])
    idle = origin >= 0 and position[layout.PHASE] not in (layout.TURN, layout.DISLODGE)
    refuse_if(idle, "`from` names the Realm of a turn, but no turn is under way.")
    for cell in cells_of_places(origin, int(position[layout.UNMOVED_PLACES])):
        is_man = belongs_to(position[cell], seat) and position[cell] & layout.KIND_MASK != layout.HQ
        refuse_if(not is_man, f"`left` names {cell_name(cell)}, where the mover has no Agent or Counter-Agent.")
    realm = int(position[layout.DISLODGED_REALM])
    if realm >= 0:
        refuse_if(
            position[layout.PHASE] != layout.DISLODGE or origin in (-1, realm),
            "An Agent waits for its space during the captor's turn; name the Realm of that turn in `from`.",
        )
        founded = position[center_of(realm)] == layout.HQ + (seat << layout.SEAT_SHIFT)
        refuse_if(not founded, "`waiting` must name a Realm where the mover has just founded an HQ.")


def _check_choice(position: Position, options: ModernOptions) -> None:
    """Check the choice of Counter-Agents: White chooses first, then Black (V1)."""
    by_choice = options.counter_agent == BY_CHOICE
    refuse_if(not by_choice, "The Counter-Agents are chosen only with options=counter_agent=choose.")
    start = first_position(options)
    seat = int(position[layout.SEAT])
    changed = [(cell, int(position[cell])) for cell in range(CELLS) if position[cell] != start[cell]]
    fits = [cell in CENTERS and piece == layout.COUNTER for cell, piece in changed] == [True] * seat
    refuse_if(
        not fits or position[layout.TURNS] or position[layout.PASSED],
        "While the Counter-Agents are chosen, every other Center must hold an Agent.",
    )


def _check_end(position: Position, options: ModernOptions) -> None:
    seat = int(position[layout.SEAT])
    founded = [int(count_headquarters(position, each)) for each in (seat, 1 - seat)]
    reason = position[layout.REASON]
    if reason == layout.EIGHT_HQS:
        fits = founded[0] == layout.PIECES_EACH > founded[1]
    else:
        fits = layout.PIECES_EACH not in founded
        fits = fits and (reason != layout.TWO_PASSES or bool(position[layout.PASSED]))
        fits = fits and (reason != layout.MAX_TURNS or position[layout.TURNS] >= options.max_turns)
    refuse_if(not fits, "The end does not match the position: check `move`, the HQs, `passed` and `turns`.")


def _check_unfinished(position: Position, options: ModernOptions) -> None:
    won = layout.PIECES_EACH in (count_headquarters(position, 0), count_headquarters(position, 1))
    refuse_if(won, "A player has eight HQs, so the game is over; write end=eight_headquarters.")
    last = position[layout.TURNS] >= options.max_turns
    refuse_if(last, "The game has reached its last turn, so it is over; write end=max_turns.")
    out = np.empty(layout.MAX_STEPS, dtype=np.int64)
    complete = legal_steps(position, out) == 0 or out[0] == layout.PASS
    refuse_if(
        position[layout.ORIGIN] >= 0 and complete,
        "The turn that `from` names is complete: there is nothing left to move or place.",
    )
