"""Whether a position that somebody wrote can be played on from: counts, the set-up, the turn, nobody surrounded."""

from __future__ import annotations

from realmtable.engine.errors import BadPosition
from realmtable.games.oriental_realm.groups import empty_neighbours, groups_of, piece_cells
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPEROR,
    KEY_COUNT,
    KIND_MASK,
    MANDARINS_EACH,
    OVER,
    PASSED,
    PHASE,
    PLACE,
    PLACED,
    REASON,
    SEAT,
    SURROUNDED,
    TURN,
    TURN_REALM,
    TURNS,
    UNMOVED_PLACES,
    WINNER,
)
from realmtable.games.oriental_realm.rules import CHOICES, PLACEMENTS, own_places
from realmtable.games.oriental_realm.state import HOMES
from realmtable.kit.realm_board import cell_name, realm_of
from realmtable.kit.rules import Position

SEAT_NAMES = ("White", "Black")


def check_position(position: Position, options: OrientalOptions) -> None:
    """Refuse a position that no game could go on from."""
    for seat in range(2):
        _check_counts(position, seat)
    _check_end(position)
    if position[PHASE] == TURN:
        _check_turn(position, options)
    elif position[TURN_REALM] >= 0:
        raise BadPosition("`from` names the Realm of a turn that has begun, and none has.")
    if position[PHASE] in (PLACE, CHOOSE):
        _check_setup(position, options)
    if position[KEY_COUNT] > position[TURNS] + 1:
        raise BadPosition("There are more positions in `seen` than turns and the present one.")


def _check_counts(position: Position, seat: int) -> None:
    kinds = [int(position[cell]) & KIND_MASK for cell in piece_cells(position, seat)]
    emperors = kinds.count(EMPEROR)
    if emperors > 1:
        raise BadPosition(f"{SEAT_NAMES[seat]} has {emperors} Emperors, but there is only one.")
    if len(kinds) - emperors > MANDARINS_EACH + (position[PHASE] == CHOOSE):
        raise BadPosition(
            f"{SEAT_NAMES[seat]} has {len(kinds) - emperors} Mandarins, but there are only {MANDARINS_EACH}."
        )


def _check_end(position: Position) -> None:
    if (position[PHASE] == OVER) != (position[REASON] > 0):
        raise BadPosition("A game that is over needs both phase=over and its reason, like end=surrounded.")
    if (position[REASON] == SURROUNDED) != (position[WINNER] >= 0):
        raise BadPosition("A game that is over by surrounding, and no other, needs who has won, like won=W.")


def _check_turn(position: Position, options: OrientalOptions) -> None:
    if position[TURNS] >= options.max_turns:
        raise BadPosition("The turns reach their limit, so the game is over; write phase=over end=max_turns.")
    for seat in range(2):
        for group in groups_of(position, seat):
            if not empty_neighbours(position, group):
                at = cell_name(group[0])
                raise BadPosition(
                    f"{SEAT_NAMES[seat]}'s group on {at} is surrounded, so the game is over; "
                    "write phase=over, end=surrounded and who has won."
                )
    unmoved, realm = int(position[UNMOVED_PLACES]), int(position[TURN_REALM])
    if realm >= 0:
        own = int(own_places(position, realm))
        elsewhere = [cell for cell in piece_cells(position, position.item(SEAT)) if realm_of(cell) != realm]
        if unmoved & ~own or not (elsewhere or own != unmoved):
            raise BadPosition(
                "In a turn that has begun one piece of the mover's has moved, and `unmoved` names others of his."
            )


def _check_setup(position: Position, options: OrientalOptions) -> None:
    """The set-up is sound if its pieces are those that the players have placed or chosen so far, in turn."""
    men = [piece_cells(position, seat) for seat in range(2)]
    placed = int(position[PLACED])
    fits = position[SEAT] == placed & 1 and not position[TURNS] and not position[PASSED] and not position[KEY_COUNT]
    if position[PHASE] == PLACE:
        realms = {realm_of(cell) for cells in men for cell in cells}
        fits = fits and options.free_setup and placed < PLACEMENTS and len(realms) == placed
        fits = fits and len(men[0]) == (placed + 1) // 2
    else:
        thrones = [sum(int(position[cell]) & KIND_MASK == EMPEROR for cell in cells) for cells in men]
        fits = fits and options.emperor == "choose" and placed < CHOICES and thrones[1] == 0
        fits = fits and all(tuple(cells) == home for cells, home in zip(men, HOMES, strict=True))
    if not fits:
        raise BadPosition(
            "The pieces are not those of a set-up so far: look at move, at the options and where the pieces stand."
        )
