"""Whether a position that somebody wrote can be played on from: counts, the set-up, the turn, nobody surrounded."""

from __future__ import annotations

from realmtable.engine.errors import BadPosition
from realmtable.games.oriental_realm.groups import groups_of, men_of, room_of
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPEROR,
    KIND,
    MANDARINS,
    OVER,
    PASSED,
    PHASE,
    PLACE,
    PLACED,
    REALM,
    REASON,
    SEAT,
    SEEN,
    SURROUNDED,
    TURN,
    TURNS,
    UNMOVED,
    WINNER,
)
from realmtable.games.oriental_realm.rules import CHOICES, PIECES, men_in
from realmtable.games.oriental_realm.state import HOMES
from realmtable.kit.array_state import Position
from realmtable.kit.realm_board import cell_name, realm_of

NAMES = ("White", "Black")


def check(position: Position, options: OrientalOptions) -> None:
    """Refuse a position that no game could go on from."""
    for seat in range(2):
        _check_counts(position, seat)
    _check_end(position)
    if position[PHASE] == TURN:
        _check_turn(position, options)
    elif position[REALM] >= 0:
        raise BadPosition("`from` names the Realm of a turn that has begun, and none has.")
    if position[PHASE] in (PLACE, CHOOSE):
        _check_setup(position, options)
    if position[SEEN] > position[TURNS] + 1:
        raise BadPosition("There are more positions in `seen` than turns and the present one.")


def _check_counts(position: Position, seat: int) -> None:
    kinds = [int(position[cell]) & KIND for cell in men_of(position, seat)]
    emperors = kinds.count(EMPEROR)
    if emperors > 1:
        raise BadPosition(f"{NAMES[seat]} has {emperors} Emperors, but there is only one.")
    if len(kinds) - emperors > MANDARINS + (position[PHASE] == CHOOSE):
        raise BadPosition(f"{NAMES[seat]} has {len(kinds) - emperors} Mandarins, but there are only {MANDARINS}.")


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
            if not room_of(position, group):
                at = cell_name(group[0])
                raise BadPosition(
                    f"{NAMES[seat]}'s group on {at} is surrounded, so the game is over; "
                    "write phase=over, end=surrounded and who has won."
                )
    unmoved, realm = int(position[UNMOVED]), int(position[REALM])
    if realm >= 0:
        own = int(men_in(position, realm))
        elsewhere = [cell for cell in men_of(position, position.item(SEAT)) if realm_of(cell) != realm]
        if unmoved & ~own or not (elsewhere or own != unmoved):
            raise BadPosition(
                "In a turn that has begun one piece of the mover's has moved, and `unmoved` names others of his."
            )


def _check_setup(position: Position, options: OrientalOptions) -> None:
    """The set-up is sound if its pieces are those that the players have placed or chosen so far, in turn."""
    men = [men_of(position, seat) for seat in range(2)]
    placed = int(position[PLACED])
    fits = position[SEAT] == placed & 1 and not position[TURNS] and not position[PASSED] and not position[SEEN]
    if position[PHASE] == PLACE:
        realms = {realm_of(cell) for cells in men for cell in cells}
        fits = fits and options.free_setup and placed < PIECES and len(realms) == placed
        fits = fits and len(men[0]) == (placed + 1) // 2
    else:
        thrones = [sum(int(position[cell]) & KIND == EMPEROR for cell in cells) for cells in men]
        fits = fits and options.emperor == "choose" and placed < CHOICES and thrones[1] == 0
        fits = fits and all(tuple(cells) == home for cells, home in zip(men, HOMES, strict=True))
    if not fits:
        raise BadPosition(
            "The pieces are not those of a set-up so far: look at move, at the options and where the pieces stand."
        )
