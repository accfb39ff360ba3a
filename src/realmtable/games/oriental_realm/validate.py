"""Check that play can continue from a position: counts, the set-up, the turn, no surrounded group."""

from __future__ import annotations

from realmtable.engine.errors import BadPosition
from realmtable.games.oriental_realm import layout
from realmtable.games.oriental_realm.first_state import HOMES
from realmtable.games.oriental_realm.groups import empty_neighbours, groups_of, piece_cells
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.rules import CHOICES, PLACEMENTS, own_places
from realmtable.kit.realm_board.geometry import SEAT_NAMES, cell_name, realm_of
from realmtable.kit.rules import Position


def check_position(position: Position, options: OrientalOptions) -> None:
    """Refuse a position from which play cannot continue."""
    for seat in range(2):
        _check_counts(position, seat)
    _check_end(position)
    if position[layout.PHASE] == layout.TURN:
        _check_turn(position, options)
    elif position[layout.TURN_REALM] >= 0:
        raise BadPosition("`from` names the Realm of a turn, but no turn is under way.")
    if position[layout.PHASE] in (layout.PLACE, layout.CHOOSE):
        _check_setup(position, options)
    if position[layout.KEY_COUNT] > position[layout.TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the turns played allow.")


def _check_counts(position: Position, seat: int) -> None:
    kinds = [int(position[cell]) & layout.KIND_MASK for cell in piece_cells(position, seat)]
    emperors = kinds.count(layout.EMPEROR)
    if emperors > 1:
        raise BadPosition(f"{SEAT_NAMES[seat]} has {emperors} Emperors, but the limit is one.")
    if len(kinds) - emperors > layout.MANDARINS_EACH + (position[layout.PHASE] == layout.CHOOSE):
        raise BadPosition(
            f"{SEAT_NAMES[seat]} has {len(kinds) - emperors} Mandarins, but the limit is {layout.MANDARINS_EACH}."
        )


def _check_end(position: Position) -> None:
    if (position[layout.PHASE] == layout.OVER) != (position[layout.REASON] > 0):
        raise BadPosition("A finished game needs both phase=over and a reason, like end=surrounded.")
    if (position[layout.REASON] == layout.SURROUNDED) != (position[layout.WINNER] >= 0):
        raise BadPosition("Name the winner, like won=W, exactly when the game ended by surrounding.")


def _check_turn(position: Position, options: OrientalOptions) -> None:
    if position[layout.TURNS] >= options.max_turns:
        raise BadPosition("The game has reached its last turn, so it is over; write phase=over end=max_turns.")
    for seat in range(2):
        for group in groups_of(position, seat):
            if not empty_neighbours(position, group):
                at = cell_name(group[0])
                raise BadPosition(
                    f"{SEAT_NAMES[seat]}'s group on {at} is surrounded, so the game is over; "
                    "write phase=over, end=surrounded and the winner."
                )
    unmoved, realm = int(position[layout.UNMOVED_PLACES]), int(position[layout.TURN_REALM])
    if realm >= 0:
        own = int(own_places(position, realm))
        elsewhere = [cell for cell in piece_cells(position, position.item(layout.SEAT)) if realm_of(cell) != realm]
        if unmoved & ~own or not (elsewhere or own != unmoved):
            raise BadPosition("In a turn under way, one of the mover's pieces has moved, and `unmoved` names others.")


def _check_setup(position: Position, options: OrientalOptions) -> None:
    """Check that the pieces are those the players have placed or chosen so far, in turn."""
    men = [piece_cells(position, seat) for seat in range(2)]
    placed = int(position[layout.PLACED])
    fits = (
        position[layout.SEAT] == placed & 1
        and not position[layout.TURNS]
        and not position[layout.PASSED]
        and not position[layout.KEY_COUNT]
    )
    if position[layout.PHASE] == layout.PLACE:
        realms = {realm_of(cell) for cells in men for cell in cells}
        fits = fits and options.free_setup and placed < PLACEMENTS and len(realms) == placed
        fits = fits and len(men[0]) == (placed + 1) // 2
    else:
        thrones = [sum(int(position[cell]) & layout.KIND_MASK == layout.EMPEROR for cell in cells) for cells in men]
        fits = fits and options.emperor == "choose" and placed < CHOICES and thrones[1] == 0
        fits = fits and all(tuple(cells) == home for cells, home in zip(men, HOMES, strict=True))
    if not fits:
        raise BadPosition(
            "The pieces do not match the set-up so far: check move, the options and where the pieces are."
        )
