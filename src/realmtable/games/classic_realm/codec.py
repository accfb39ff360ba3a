"""A state of Classic Realm as one line of text that people can also write by hand.

``W:Fb2,Fe2,Fh2,~e5*5 B:Fe5,Fh8,~b2*6 move=B`` is a pond and the side to move: ``F`` is a frog on a pad, ``~`` one in
the water of a Realm, and ``*`` gives their number. Every other field is optional and left out if it has its default.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.options import as_pairs
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.position import (
    ALL_IN_WATER,
    DOUBLE_MOVE_HOLDER,
    FROGS_EACH,
    FULL_REALMS,
    INITIAL_OWED_TURNS,
    KEY,
    KEY_COUNT,
    KEYS,
    MAX_PLIES,
    NOBODY,
    OVER,
    OWED_TURNS,
    PAD_KEYS,
    PADS,
    PHASE,
    PHASES,
    PLACE,
    PLY_LIMIT,
    REALM_CAPACITY,
    REASON,
    REASONS,
    RESCUED_REALM,
    SEAT,
    SECOND_MOVE,
    TURN,
    TURNS,
    WATER,
    WATER_KEYS,
)
from realmtable.games.classic_realm.rules import add_to_key_filter, position_key
from realmtable.games.classic_realm.state import State, empty_position, state_of
from realmtable.games.classic_realm.view import SEAT_NAMES, count_in_water, count_on_pads
from realmtable.kit.position_text import (
    read_choice,
    read_keys,
    read_number,
    read_options,
    split_fields,
    unknown_field,
    write_keys,
)
from realmtable.kit.realm_board import CENTERS, REALMS, cell_name, center_of, find_cell, realm_of
from realmtable.kit.rules import Position

SEAT_LETTERS: Final = "WB"
PALETTE: Final = {"F@": "frog on a pad", "~@": "frog in the water"}
_FROGS = re.compile(r"([F~])([a-l]\d{1,2})(?:\*([1-8]))?")


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    usual = empty_position(state.options)
    fields = [_frogs_text(position, 0), _frogs_text(position, 1), f"move={SEAT_LETTERS[position[SEAT]]}"]
    if pairs := as_pairs(state.options):
        fields.append("options=" + ",".join(pairs))
    if position[PHASE] != _default_phase(position, state.options):
        fields.append(f"phase={PHASES[position[PHASE]]}")
    if position[TURNS]:
        fields.append(f"turns={position[TURNS]}")
    if position[DOUBLE_MOVE_HOLDER] != usual[DOUBLE_MOVE_HOLDER]:
        fields.append(f"right={SEAT_LETTERS[position[DOUBLE_MOVE_HOLDER]]}")
    if position[OWED_TURNS] != usual[OWED_TURNS]:
        fields.append(f"owed={position[OWED_TURNS]}")
    if position[RESCUED_REALM] != NOBODY:
        fields.append(f"rescued={cell_name(center_of(int(position[RESCUED_REALM])))}")
    if position[PHASE] == OVER:
        fields.append(f"end={REASONS[position[REASON]]}")
    keys = [int(key) for key in position[KEYS : KEYS + position[KEY_COUNT]]]
    if keys != _default_keys(position):
        fields.append(f"seen={write_keys(keys)}")
    return " ".join(fields)


def _frogs_text(position: Position, seat: int) -> str:
    texts = []
    for realm in range(REALMS):
        name = cell_name(center_of(realm))
        if position[PADS + seat] >> realm & 1:
            texts.append("F" + name)
        if swimmers := position[WATER + seat * REALMS + realm]:
            texts.append(f"~{name}" + (f"*{swimmers}" if swimmers > 1 else ""))
    return f"{SEAT_LETTERS[seat]}:{','.join(texts)}"


def _default_phase(position: Position, options: ClassicOptions) -> int:
    """Return the default phase: with a free set-up, placing until all frogs are on the board."""
    frogs = sum(count_on_pads(position, seat) + count_in_water(position, seat) for seat in range(2))
    return PLACE if options.free_setup and frogs < 2 * FROGS_EACH else TURN


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    return [int(position_key(position))] if position[PHASE] == TURN else []


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line; raise `BadPosition` with a sentence that says what is wrong.

    With `sound` off, positions from which play cannot continue are accepted too, so that a board can be drawn while
    someone sets it up.
    """
    fields = split_fields(text, SEAT_LETTERS, ())
    options = read_options(ClassicOptions, fields.pop("options", ""))
    position = empty_position(options)
    for seat, letter in enumerate(SEAT_LETTERS):
        _read_frogs(position, seat, fields.pop(letter, ""))
    position[PHASE] = _default_phase(position, options)
    if position[PHASE] == PLACE:
        position[SEAT] = count_on_pads(position, 0) - count_on_pads(position, 1) > 0
    keys = read_keys("seen", fields.pop("seen"), PLY_LIMIT + 1) if "seen" in fields else None
    for name, value in fields.items():
        if name not in _READERS:
            raise unknown_field(name, [*SEAT_LETTERS, "options", *_READERS, "seen"])
        entry, read = _READERS[name]
        position[entry] = read(value)
    if sound:
        _check_position(position, options)
    _fill_derived_entries(position)
    _set_keys(position, _default_keys(position) if keys is None else keys)
    return state_of(position, options)


_READERS: Final[dict[str, tuple[int, Callable[[str], int]]]] = {
    "move": (SEAT, lambda value: read_choice("move", value, SEAT_LETTERS)),
    "phase": (PHASE, lambda value: read_choice("phase", value, PHASES)),
    "turns": (TURNS, lambda value: read_number("turns", value, PLY_LIMIT)),
    "right": (DOUBLE_MOVE_HOLDER, lambda value: read_choice("right", value, SEAT_LETTERS)),
    "owed": (OWED_TURNS, lambda value: read_number("owed", value, INITIAL_OWED_TURNS)),
    "rescued": (RESCUED_REALM, lambda value: _read_pad("rescued", value)),
    "end": (REASON, lambda value: read_choice("end", value, REASONS)),
}


def _read_pad(name: str, value: str) -> int:
    cell = find_cell(value)
    if cell not in CENTERS:
        raise BadPosition(f"{name} must be a pad like b2, not {value[:20]}.")
    return realm_of(cell)


def _read_frogs(position: Position, seat: int, texts: str) -> None:
    for text in texts.split(",") if texts else []:
        found = _FROGS.fullmatch(text)
        cell = find_cell(found[2]) if found else None
        if found is None or cell not in CENTERS or (found[1] == "F" and found[3]):
            raise BadPosition(
                f"{text[:40] or 'Nothing'} is not a frog; write Fb2 for a pad, ~b2 or ~b2*3 for the water."
            )
        realm = realm_of(cell)
        if found[1] == "~":
            position[WATER + seat * REALMS + realm] += int(found[3] or 1)
        elif (position[PADS] | position[PADS + 1]) >> realm & 1:
            raise BadPosition(f"{cell_name(cell)} holds two frogs.")
        else:
            position[PADS + seat] |= 1 << realm


def _fill_derived_entries(position: Position) -> None:
    """Fill in the entries derived from the frogs: full Realms and the key."""
    for place in range(2 * REALMS):
        seat, realm = divmod(place, REALMS)
        if position[PADS + seat] >> realm & 1:
            position[KEY] ^= PAD_KEYS[place]
        for before in range(int(position[WATER + place])):
            position[KEY] ^= WATER_KEYS[place * FROGS_EACH + before]
        position[FULL_REALMS] |= (_count_in_realm(position, realm) == REALM_CAPACITY) << realm


def _count_in_realm(position: Position, realm: int) -> int:
    """Count the frogs in a Realm."""
    on_pad = (position[PADS] | position[PADS + 1]) >> realm & 1
    return int(on_pad + position[WATER + realm] + position[WATER + REALMS + realm])


def _set_keys(position: Position, keys: list[int]) -> None:
    if len(keys) > position[TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the turns played allow.")
    position[KEYS : KEYS + len(keys)] = keys
    position[KEY_COUNT] = len(keys)
    for key in position[KEYS : KEYS + len(keys)]:
        add_to_key_filter(position, int(key))


# ---- validation


def _check_position(position: Position, options: ClassicOptions) -> None:
    """Refuse a position from which play cannot continue."""
    if position[PHASE] == PLACE:
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
        and white - black == position[SEAT]
        and white + black < 2 * FROGS_EACH
        and not position[WATER : WATER + 2 * REALMS].any()
        and not position[TURNS]
        and not position[REASON]
        and position[RESCUED_REALM] == NOBODY
        and (position[DOUBLE_MOVE_HOLDER], position[OWED_TURNS]) == (usual[DOUBLE_MOVE_HOLDER], usual[OWED_TURNS])
    )
    if not fits:
        raise BadPosition("This is not a valid set-up: with free_setup the players place frogs in turn, White first.")


def _check_frogs(position: Position) -> None:
    for seat, name in enumerate(SEAT_NAMES):
        frogs = count_on_pads(position, seat) + count_in_water(position, seat)
        if frogs != FROGS_EACH:
            raise BadPosition(f"{name} has {frogs} frogs on pads and in the water; there must be {FROGS_EACH}.")
    for realm in range(REALMS):
        if _count_in_realm(position, realm) > REALM_CAPACITY:
            raise BadPosition(f"The Realm {cell_name(center_of(realm))} holds more than {REALM_CAPACITY} frogs.")


def _check_double_move(position: Position, options: ClassicOptions) -> None:
    if not options.double_moves and (position[DOUBLE_MOVE_HOLDER] != NOBODY or position[OWED_TURNS]):
        raise BadPosition("`right` and `owed` need the option double_moves.")
    if position[PHASE] == SECOND_MOVE and (position[DOUBLE_MOVE_HOLDER] != position[SEAT] or position[OWED_TURNS]):
        raise BadPosition("A second move needs the right to it and no turn owed: write right and owed=0.")
    if position[RESCUED_REALM] != NOBODY:
        own = int(position[PADS + position[SEAT]])
        if position[PHASE] != SECOND_MOVE or not own >> int(position[RESCUED_REALM]) & 1:
            raise BadPosition("`rescued` must name a pad of the player who may make a second move, with phase=second.")


def _check_end(position: Position, options: ClassicOptions) -> None:
    over, reason = position[PHASE] == OVER, position[REASON]
    if over != (reason > 0):
        raise BadPosition("A finished game needs both phase=over and a reason, like end=repetition.")
    won = position[PADS + 1 - position[SEAT]] == 0
    if position[PADS + position[SEAT]] == 0 or won != (reason == ALL_IN_WATER):
        raise BadPosition(
            "The game is over exactly when one side has no frog on a pad: write phase=over end=all_in_water and "
            "name the winner in `move`."
        )
    last = position[TURNS] >= options.max_plies
    if position[TURNS] > options.max_plies or last != (reason == MAX_PLIES):
        raise BadPosition("A game needs phase=over end=max_plies exactly when it has reached its last turn.")
