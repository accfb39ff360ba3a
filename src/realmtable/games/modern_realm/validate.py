"""Check that play can continue from a position: pieces, the state of the turn, a legal step."""

from __future__ import annotations

import numpy as np

from realmtable.engine.errors import BadPosition
from realmtable.games.modern_realm import layout
from realmtable.games.modern_realm.first_state import first_position
from realmtable.games.modern_realm.moves import belongs_to
from realmtable.games.modern_realm.options import BY_CHOICE, ModernOptions
from realmtable.games.modern_realm.rules import count_headquarters, is_target, legal_steps
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, SEAT_NAMES, cell_name, center_of, realm_of, spaces_of
from realmtable.kit.rules import Position


def check_position(position: Position, options: ModernOptions) -> None:
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
    name = SEAT_NAMES[seat]
    own = [cell for cell in range(CELLS) if belongs_to(position[cell], seat)]
    kinds = [int(position[cell]) & layout.KIND_MASK for cell in own]
    waiting = position[layout.PHASE] == layout.DISLODGE and seat != position[layout.SEAT]
    if len(own) + waiting > layout.PIECES_EACH:
        raise BadPosition(f"{name} has more than {layout.PIECES_EACH} pieces, including a dislodged Agent.")
    if kinds.count(layout.COUNTER) > 1:
        raise BadPosition(f"{name} has more than one Counter-Agent.")
    for cell, kind in zip(own, kinds, strict=True):
        on_target_center = cell in CENTERS and is_target(realm_of(cell), seat)
        if kind == layout.HQ and not on_target_center:
            raise BadPosition(f"{name}'s HQs must be on enemy Centers, and {cell_name(cell)} is not one.")
        if kind != layout.HQ and on_target_center:
            raise BadPosition(f"{name}'s piece on the Center {cell_name(cell)} would have become an HQ.")


def _check_turn(position: Position) -> None:
    """Check the fields of a turn under way."""
    if position[layout.ORIGIN] >= 0 and position[layout.PHASE] not in (layout.TURN, layout.DISLODGE):
        raise BadPosition("`from` names the Realm of a turn, but no turn is under way.")
    if position[layout.UNMOVED_PLACES]:
        spaces = spaces_of(int(position[layout.ORIGIN]))
        for place, cell in enumerate(spaces):
            man = belongs_to(position[cell], position[layout.SEAT]) and position[cell] & layout.KIND_MASK != layout.HQ
            if position[layout.UNMOVED_PLACES] >> place & 1 and not man:
                raise BadPosition(f"`left` names {cell_name(cell)}, where the mover has no Agent or Counter-Agent.")
    if position[layout.DISLODGED_REALM] >= 0:
        _check_waiting(position)


def _check_waiting(position: Position) -> None:
    realm, seat = int(position[layout.DISLODGED_REALM]), int(position[layout.SEAT])
    if position[layout.PHASE] != layout.DISLODGE or position[layout.ORIGIN] in (-1, realm):
        raise BadPosition(
            "An Agent waits for its space during the captor's turn; name the Realm of that turn in `from`."
        )
    if position[center_of(realm)] != layout.HQ + (seat << layout.SEAT_SHIFT):
        raise BadPosition("`waiting` must name a Realm where the mover has just founded an HQ.")


def _check_choice(position: Position, options: ModernOptions) -> None:
    """Check the choice of Counter-Agents: White chooses first, then Black (V1)."""
    if options.counter_agent != BY_CHOICE:
        raise BadPosition("The Counter-Agents are chosen only with options=counter_agent=choose.")
    start = first_position(options)
    seat = int(position[layout.SEAT])
    changed = [(cell, int(position[cell])) for cell in range(CELLS) if position[cell] != start[cell]]
    fits = [cell in CENTERS and piece == layout.COUNTER for cell, piece in changed] == [True] * seat
    if not fits or position[layout.TURNS] or position[layout.PASSED]:
        raise BadPosition("While the Counter-Agents are chosen, every other Center must hold an Agent.")


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
    if not fits:
        raise BadPosition("The end does not match the position: check `move`, the HQs, `passed` and `turns`.")


def _check_unfinished(position: Position, options: ModernOptions) -> None:
    if layout.PIECES_EACH in (count_headquarters(position, 0), count_headquarters(position, 1)):
        raise BadPosition("A player has eight HQs, so the game is over; write end=eight_headquarters.")
    if position[layout.TURNS] >= options.max_turns:
        raise BadPosition("The game has reached its last turn, so it is over; write end=max_turns.")
    out = np.empty(layout.MAX_STEPS, dtype=np.int64)
    count = legal_steps(position, out)
    if position[layout.ORIGIN] >= 0 and (count == 0 or out[0] == layout.PASS):
        raise BadPosition("The turn that `from` names is complete: there is nothing left to move or place.")
