"""A state of Classic Realm as one line of text that people can also write by hand.

``W:Fb2,Fe2,Fh2,~e5*5 B:Fe5,Fh8,~b2*6 move=B`` is a pond and the side to move: ``F`` is a frog on a pad, ``~`` one in
the water of a Realm, and ``*`` gives their number. Every other field is optional and left out if it has its default.
"""

from __future__ import annotations

import re
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.classic_realm import layout
from realmtable.games.classic_realm.first_state import State, empty_position, state_of
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.rules import add_to_key_filter, position_key
from realmtable.games.classic_realm.view import count_in_water, count_on_pads
from realmtable.kit.realm_board import position_text
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    REALMS,
    SEAT_LETTERS,
    SEAT_NAMES,
    cell_name,
    find_cell,
    realm_name,
    realm_of,
)
from realmtable.kit.realm_board.position_text import refuse_if
from realmtable.kit.rules import Position

PALETTE: Final = {"F@": "frog on a pad", "~@": "frog in the water"}
_FROGS = re.compile(r"([F~])([a-l]\d{1,2})(?:\*([1-8]))?")


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    usual = empty_position(state.options)
    usual[layout.PHASE] = _default_phase(state.position, state.options)
    return position_text.write_position(state, [_frog_texts(state.position, seat) for seat in range(2)], usual, FIELDS)


def _frog_texts(position: Position, seat: int) -> list[str]:
    texts = []
    for realm in range(REALMS):
        name = realm_name(realm)
        if position[layout.PADS + seat] >> realm & 1:
            texts.append("F" + name)
        if swimmers := position[layout.WATER + seat * REALMS + realm]:
            texts.append(f"~{name}" + (f"*{swimmers}" if swimmers > 1 else ""))
    return texts


def _default_phase(position: Position, options: ClassicOptions) -> int:
    """Return the default phase: with a free set-up, placing until all frogs are on the board."""
    frogs = sum(count_on_pads(position, seat) + count_in_water(position, seat) for seat in range(2))
    return layout.PLACE if options.free_setup and frogs < 2 * layout.FROGS_EACH else layout.TURN


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    return [int(position_key(position))] if position[layout.PHASE] == layout.TURN else []


FIELDS: Final = (
    position_text.move_field(layout.SEAT),
    position_text.choice_field("phase", layout.PHASE, layout.PHASES),
    position_text.number_field("turns", layout.TURNS, layout.PLY_LIMIT),
    position_text.choice_field("right", layout.DOUBLE_MOVE_HOLDER, SEAT_LETTERS),
    position_text.number_field("owed", layout.OWED_TURNS, layout.INITIAL_OWED_TURNS),
    position_text.realm_field("rescued", layout.RESCUED_REALM, "a pad like b2"),
    position_text.choice_field("end", layout.REASON, layout.REASONS),
    position_text.history_field(layout.HISTORY, layout.PLY_LIMIT + 1, _default_keys),
)


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    texts, options = position_text.read_fields(text, ClassicOptions, FIELDS)
    position = empty_position(options)
    for seat, frogs in position_text.split_pieces(texts):
        _read_frogs(position, seat, frogs)
    position[layout.PHASE] = _default_phase(position, options)
    if position[layout.PHASE] == layout.PLACE:
        position[layout.SEAT] = count_on_pads(position, 0) - count_on_pads(position, 1) > 0
    position_text.store_fields(position, texts, FIELDS)
    if sound:
        _check_position(position, options)
    _fill_derived_entries(position)
    if "seen" not in texts:
        layout.HISTORY.store(position, _default_keys(position))
    keys = layout.HISTORY.keys(position)
    refuse_if(len(keys) > position[layout.TURNS] + 1, "`seen` lists more positions than the turns played allow.")
    for key in keys:
        add_to_key_filter(position, key)
    return state_of(position, options)


def _read_frogs(position: Position, seat: int, text: str) -> None:
    found = _FROGS.fullmatch(text)
    cell = find_cell(found[2]) if found else None
    if found is None or cell not in CENTERS or (found[1] == "F" and found[3]):
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a frog; write Fb2 for a pad, ~b2 or ~b2*3 for the water.")
    realm = realm_of(cell)
    if found[1] == "~":
        position[layout.WATER + seat * REALMS + realm] += int(found[3] or 1)
    else:
        taken = (position[layout.PADS] | position[layout.PADS + 1]) >> realm & 1
        refuse_if(taken, f"{cell_name(cell)} holds two frogs.")
        position[layout.PADS + seat] |= 1 << realm


def _fill_derived_entries(position: Position) -> None:
    """Fill in the entries derived from the frogs: full Realms and the key."""
    for place in range(2 * REALMS):
        seat, realm = divmod(place, REALMS)
        if position[layout.PADS + seat] >> realm & 1:
            position[layout.KEY] ^= layout.PAD_KEYS[place]
        for before in range(int(position[layout.WATER + place])):
            position[layout.KEY] ^= layout.WATER_KEYS[place * layout.FROGS_EACH + before]
        position[layout.FULL_REALMS] |= (_count_in_realm(position, realm) == layout.REALM_CAPACITY) << realm


def _count_in_realm(position: Position, realm: int) -> int:
    """Count the frogs in a Realm."""
    on_pad = (position[layout.PADS] | position[layout.PADS + 1]) >> realm & 1
    return int(on_pad + position[layout.WATER + realm] + position[layout.WATER + REALMS + realm])


# ---- validation


def _check_position(position: Position, options: ClassicOptions) -> None:
    """Refuse a position from which play cannot continue."""
    if position[layout.PHASE] == layout.PLACE:
        _check_placing(position, options)
        return
    _check_frogs(position)
    _check_double_move(position, options)
    _check_end(position, options)


def _check_placing(position: Position, options: ClassicOptions) -> None:
    white, black = count_on_pads(position, 0), count_on_pads(position, 1)
    usual = empty_position(options)
    fits = (
        options.free_setup
        and white - black == position[layout.SEAT]
        and white + black < 2 * layout.FROGS_EACH
        and not position[layout.WATER : layout.WATER + 2 * REALMS].any()
        and not position[layout.TURNS]
        and not position[layout.REASON]
        and position[layout.RESCUED_REALM] == layout.NOBODY
        and (position[layout.DOUBLE_MOVE_HOLDER], position[layout.OWED_TURNS])
        == (usual[layout.DOUBLE_MOVE_HOLDER], usual[layout.OWED_TURNS])
    )
    refuse_if(not fits, "This is not a valid set-up: with free_setup the players place frogs in turn, White first.")


def _check_frogs(position: Position) -> None:
    each, most = layout.FROGS_EACH, layout.REALM_CAPACITY
    for seat, name in enumerate(SEAT_NAMES):
        frogs = count_on_pads(position, seat) + count_in_water(position, seat)
        refuse_if(frogs != each, f"{name} has {frogs} frogs on pads and in the water; there must be {each}.")
    for realm in range(REALMS):
        crowded = _count_in_realm(position, realm) > most
        refuse_if(crowded, f"The Realm {realm_name(realm)} holds more than {most} frogs.")


def _check_double_move(position: Position, options: ClassicOptions) -> None:
    holder, owed = position[layout.DOUBLE_MOVE_HOLDER], position[layout.OWED_TURNS]
    second = position[layout.PHASE] == layout.SECOND_MOVE
    unknown = not options.double_moves and (holder != layout.NOBODY or owed)
    refuse_if(unknown, "`right` and `owed` need the option double_moves.")
    lacks_right = second and (holder != position[layout.SEAT] or owed)
    refuse_if(lacks_right, "A second move needs the right to it and no turn owed: write right and owed=0.")
    if position[layout.RESCUED_REALM] != layout.NOBODY:
        own = int(position[layout.PADS + position[layout.SEAT]])
        fits = second and own >> int(position[layout.RESCUED_REALM]) & 1
        refuse_if(not fits, "`rescued` must name a pad of the player who may make a second move, with phase=second.")


def _check_end(position: Position, options: ClassicOptions) -> None:
    over, reason, turns = position[layout.PHASE] == layout.OVER, position[layout.REASON], position[layout.TURNS]
    refuse_if(over != (reason > 0), "A finished game needs both phase=over and a reason, like end=repetition.")
    won = position[layout.PADS + 1 - position[layout.SEAT]] == 0
    refuse_if(
        position[layout.PADS + position[layout.SEAT]] == 0 or won != (reason == layout.ALL_IN_WATER),
        "The game is over exactly when one side has no frog on a pad: write phase=over end=all_in_water and "
        "name the winner in `move`.",
    )
    last = turns >= options.max_plies
    refuse_if(
        turns > options.max_plies or last != (reason == layout.MAX_PLIES),
        "A game needs phase=over end=max_plies exactly when it has reached its last turn.",
    )
