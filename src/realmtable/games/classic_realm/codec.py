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
from realmtable.kit.position_text import Reader, choice_reader, number_reader, read_keys, write_seen
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
from realmtable.kit.realm_board.position_text import center_reader, read_fields, store_fields, write_board
from realmtable.kit.rules import Position

PALETTE: Final = {"F@": "frog on a pad", "~@": "frog in the water"}
_FROGS = re.compile(r"([F~])([a-l]\d{1,2})(?:\*([1-8]))?")


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    usual = empty_position(state.options)
    fields = write_board([_frog_texts(position, seat) for seat in range(2)], position.item(layout.SEAT), state.options)
    if position[layout.PHASE] != _default_phase(position, state.options):
        fields.append(f"phase={layout.PHASES[position[layout.PHASE]]}")
    if position[layout.TURNS]:
        fields.append(f"turns={position[layout.TURNS]}")
    if position[layout.DOUBLE_MOVE_HOLDER] != usual[layout.DOUBLE_MOVE_HOLDER]:
        fields.append(f"right={SEAT_LETTERS[position[layout.DOUBLE_MOVE_HOLDER]]}")
    if position[layout.OWED_TURNS] != usual[layout.OWED_TURNS]:
        fields.append(f"owed={position[layout.OWED_TURNS]}")
    if position[layout.RESCUED_REALM] != layout.NOBODY:
        fields.append(f"rescued={realm_name(int(position[layout.RESCUED_REALM]))}")
    if position[layout.PHASE] == layout.OVER:
        fields.append(f"end={layout.REASONS[position[layout.REASON]]}")
    return " ".join(fields + write_seen(position, layout.HISTORY, _default_keys(position)))


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


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    fields, options = read_fields(text, ClassicOptions)
    position = empty_position(options)
    for seat, letter in enumerate(SEAT_LETTERS):
        _read_frogs(position, seat, fields.pop(letter, ""))
    position[layout.PHASE] = _default_phase(position, options)
    if position[layout.PHASE] == layout.PLACE:
        position[layout.SEAT] = count_on_pads(position, 0) - count_on_pads(position, 1) > 0
    keys = read_keys("seen", fields.pop("seen"), layout.PLY_LIMIT + 1) if "seen" in fields else None
    store_fields(position, fields, _READERS, ["seen"])
    if sound:
        _check_position(position, options)
    _fill_derived_entries(position)
    _set_keys(position, _default_keys(position) if keys is None else keys)
    return state_of(position, options)


_READERS: Final[dict[str, Reader]] = {
    "move": choice_reader(layout.SEAT, SEAT_LETTERS),
    "phase": choice_reader(layout.PHASE, layout.PHASES),
    "turns": number_reader(layout.TURNS, layout.PLY_LIMIT),
    "right": choice_reader(layout.DOUBLE_MOVE_HOLDER, SEAT_LETTERS),
    "owed": number_reader(layout.OWED_TURNS, layout.INITIAL_OWED_TURNS),
    "rescued": center_reader(layout.RESCUED_REALM, "a pad like b2"),
    "end": choice_reader(layout.REASON, layout.REASONS),
}


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
            position[layout.WATER + seat * REALMS + realm] += int(found[3] or 1)
        elif (position[layout.PADS] | position[layout.PADS + 1]) >> realm & 1:
            raise BadPosition(f"{cell_name(cell)} holds two frogs.")
        else:
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


def _set_keys(position: Position, keys: list[int]) -> None:
    if len(keys) > position[layout.TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the turns played allow.")
    layout.HISTORY.store(position, keys)
    for key in keys:
        add_to_key_filter(position, key)


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
    if not fits:
        raise BadPosition("This is not a valid set-up: with free_setup the players place frogs in turn, White first.")


def _check_frogs(position: Position) -> None:
    for seat, name in enumerate(SEAT_NAMES):
        frogs = count_on_pads(position, seat) + count_in_water(position, seat)
        if frogs != layout.FROGS_EACH:
            raise BadPosition(f"{name} has {frogs} frogs on pads and in the water; there must be {layout.FROGS_EACH}.")
    for realm in range(REALMS):
        if _count_in_realm(position, realm) > layout.REALM_CAPACITY:
            raise BadPosition(f"The Realm {realm_name(realm)} holds more than {layout.REALM_CAPACITY} frogs.")


def _check_double_move(position: Position, options: ClassicOptions) -> None:
    if not options.double_moves and (
        position[layout.DOUBLE_MOVE_HOLDER] != layout.NOBODY or position[layout.OWED_TURNS]
    ):
        raise BadPosition("`right` and `owed` need the option double_moves.")
    if position[layout.PHASE] == layout.SECOND_MOVE and (
        position[layout.DOUBLE_MOVE_HOLDER] != position[layout.SEAT] or position[layout.OWED_TURNS]
    ):
        raise BadPosition("A second move needs the right to it and no turn owed: write right and owed=0.")
    if position[layout.RESCUED_REALM] != layout.NOBODY:
        own = int(position[layout.PADS + position[layout.SEAT]])
        if position[layout.PHASE] != layout.SECOND_MOVE or not own >> int(position[layout.RESCUED_REALM]) & 1:
            raise BadPosition("`rescued` must name a pad of the player who may make a second move, with phase=second.")


def _check_end(position: Position, options: ClassicOptions) -> None:
    over, reason = position[layout.PHASE] == layout.OVER, position[layout.REASON]
    if over != (reason > 0):
        raise BadPosition("A finished game needs both phase=over and a reason, like end=repetition.")
    won = position[layout.PADS + 1 - position[layout.SEAT]] == 0
    if position[layout.PADS + position[layout.SEAT]] == 0 or won != (reason == layout.ALL_IN_WATER):
        raise BadPosition(
            "The game is over exactly when one side has no frog on a pad: write phase=over end=all_in_water and "
            "name the winner in `move`."
        )
    last = position[layout.TURNS] >= options.max_plies
    if position[layout.TURNS] > options.max_plies or last != (reason == layout.MAX_PLIES):
        raise BadPosition("A game needs phase=over end=max_plies exactly when it has reached its last turn.")
