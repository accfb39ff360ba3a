"""Check that play can continue from a position: counts, the set-up, the turn, no surrounded group."""

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
from realmtable.kit.realm_board import SEAT_NAMES, cell_name, realm_of
from realmtable.kit.rules import Position


def check_position(position: Position, options: OrientalOptions) -> None:
    """Refuse a position from which play cannot continue."""
    for seat in range(2):
        _check_counts(position, seat)
    _check_end(position)
    if position[PHASE] == TURN:
        _check_turn(position, options)
    elif position[TURN_REALM] >= 0:
        raise BadPosition("`from` names the Realm of a turn, but no turn is under way.")
    if position[PHASE] in (PLACE, CHOOSE):
        _check_setup(position, options)
    if position[KEY_COUNT] > position[TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the turns played allow.")


def _check_counts(position: Position, seat: int) -> None:
    kinds = [int(position[cell]) & KIND_MASK for cell in piece_cells(position, seat)]
    emperors = kinds.count(EMPEROR)
    if emperors > 1:
        raise BadPosition(f"{SEAT_NAMES[seat]} has {emperors} Emperors, but the limit is one.")
    if len(kinds) - emperors > MANDARINS_EACH + (position[PHASE] == CHOOSE):
        raise BadPosition(
            f"{SEAT_NAMES[seat]} has {len(kinds) - emperors} Mandarins, but the limit is {MANDARINS_EACH}."
        )


def _check_end(position: Position) -> None:
    if (position[PHASE] == OVER) != (position[REASON] > 0):
        raise BadPosition("A finished game needs both phase=over and a reason, like end=surrounded.")
    if (position[REASON] == SURROUNDED) != (position[WINNER] >= 0):
        raise BadPosition("Name the winner, like won=W, exactly when the game ended by surrounding.")


def _check_turn(position: Position, options: OrientalOptions) -> None:
    if position[TURNS] >= options.max_turns:
        raise BadPosition("The game has reached its last turn, so it is over; write phase=over end=max_turns.")
    for seat in range(2):
        for group in groups_of(position, seat):
            if not empty_neighbours(position, group):
                at = cell_name(group[0])
                raise BadPosition(
                    f"{SEAT_NAMES[seat]}'s group on {at} is surrounded, so the game is over; "
                    "write phase=over, end=surrounded and the winner."
                )
    unmoved, realm = int(position[UNMOVED_PLACES]), int(position[TURN_REALM])
    if realm >= 0:
        own = int(own_places(position, realm))
        elsewhere = [cell for cell in piece_cells(position, position.item(SEAT)) if realm_of(cell) != realm]
        if unmoved & ~own or not (elsewhere or own != unmoved):
            raise BadPosition("In a turn under way, one of the mover's pieces has moved, and `unmoved` names others.")


def _check_setup(position: Position, options: OrientalOptions) -> None:
    """Check that the pieces are those the players have placed or chosen so far, in turn."""
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
            "The pieces do not match the set-up so far: check move, the options and where the pieces are."
        )
