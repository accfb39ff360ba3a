"""Kernels for the Realms available to a player, their uses (P4, P5) and the prices that they lower (P6, C3)."""

from __future__ import annotations

from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    ASKED,
    BLACK,
    COLOUR,
    CONTROL_BLACK,
    CONTROL_WHITE,
    ENTERING,
    FIRST_TILE,
    GREEN,
    HELD,
    KINDS_OF_VERB,
    KINDS_PER_VERB,
    LESSEN,
    MAGE_PLACE,
    MAX_MAGES,
    NONE,
    ORANGE,
    PLAYER_COLOUR,
    PROTECT,
    PURPLE,
    R_FREE_CONVERSIONS,
    R_GREEN_EACH,
    R_HELD_BY_MAGE,
    R_ONCE_PER_ACTIVATION,
    STREAMLINE,
    TILE_HEX,
    TILE_KIND,
    TILE_MARKS,
    USE_BLACK,
    USE_WHITE,
    USED,
    WHITE,
    YELLOW,
    Kind,
    Place,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.world import fact
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position

# ---- available Realms and their uses


@kernel
def has_mage_in(position: Position, seat: int, place: Place) -> bool:
    """Whether a seat has a Mage in a place."""
    for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
        if position[MAGE_PLACE + mage] == place:
            return True
    return False


@kernel
def is_available(position: Position, seat: int, tile: TileNumber) -> bool:
    """Whether a persistent or gaining Realm is available to a seat (P4)."""
    if position[TILE_HEX + tile] == 0:
        return False
    if seat == position[ACTIVE_SEAT] and position[TILE_MARKS + tile] & HELD and is_served(position, seat):
        return True
    return has_mage_in(position, seat, tile)


@kernel
def is_served(position: Position, seat: int) -> bool:
    """Whether held Realms serve the Mage that a seat needs them for: with V26 only if it is the active one."""
    if not position[R_HELD_BY_MAGE]:
        return True
    for entry in (ENTERING, ASKED):
        if position[entry] != NONE and position[entry] // MAX_MAGES == seat:
            return bool(position[entry] == position[ACTIVE_MAGE])
    return True


@kernel
def is_used(position: Position, seat: int, tile: TileNumber) -> bool:
    """Whether P5 has counted a use of a tile by a seat for this activation."""
    return bool(position[TILE_MARKS + tile] & (USED << seat))


@kernel
def mark_used(position: Position, seat: int, tile: TileNumber) -> None:
    """Count a use for this activation."""
    position[TILE_MARKS + tile] |= USED << seat


@kernel
def can_help(position: Position, seat: int, tile: TileNumber) -> bool:
    """Whether a tile that helps repeatedly is available; with V2 it helps each seat once per activation."""
    if position[R_ONCE_PER_ACTIVATION] and is_used(position, seat, tile):
        return False
    return is_available(position, seat, tile)


@kernel
def count_helpers(position: Position, seat: int, verb: int) -> int:
    """Return how many tiles with a verb can help a seat."""
    number = 0
    for index in range(KINDS_PER_VERB[verb]):
        kind = KINDS_OF_VERB[verb, index]
        for tile in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
            if can_help(position, seat, tile):
                number += 1
    return number


@kernel
def mark_helpers(position: Position, seat: int, verb: int, number: int) -> None:
    """With V2, count uses of the first tiles with a verb that can help a seat."""
    if not position[R_ONCE_PER_ACTIVATION]:
        return
    for index in range(KINDS_PER_VERB[verb]):
        kind = KINDS_OF_VERB[verb, index]
        for tile in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
            if number > 0 and can_help(position, seat, tile):
                mark_used(position, seat, tile)
                number -= 1


@kernel
def find_unused(position: Position, seat: int, verb: int) -> TileNumber:
    """Return the first available tile with a verb that a seat has not used in this activation, or NONE."""
    for index in range(KINDS_PER_VERB[verb]):
        kind = KINDS_OF_VERB[verb, index]
        for tile in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
            if is_available(position, seat, tile) and not is_used(position, seat, tile):
                return int(tile)
    return NONE


@kernel
def find_helper(position: Position, seat: int, verb: int) -> TileNumber:
    """Return the first tile with a verb that can help a seat, or NONE."""
    for index in range(KINDS_PER_VERB[verb]):
        kind = KINDS_OF_VERB[verb, index]
        for tile in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
            if can_help(position, seat, tile):
                return int(tile)
    return NONE


# ---- prices of powers


@kernel
def use_price(position: Position, seat: int, kind: Kind) -> tuple[int, int, int]:
    """Return the White and Black that a seat pays for a power, and the number of Lessen tiles that lower it (P6)."""
    white = fact(position, kind, USE_WHITE)
    black = fact(position, kind, USE_BLACK)
    colour = fact(position, kind, COLOUR)
    player = int(position[PLAYER_COLOUR + seat])
    if colour == ORANGE == player:
        return 0, 0, 0  # Y3
    listed = white
    lessens = 0
    if is_lessened(position, kind):
        lessens = min(white, count_helpers(position, seat, LESSEN))
        white -= lessens
    if colour == GREEN == player and white + black > 0:  # Y6
        return (1, 0, 0) if listed > 0 else (0, 1, 0)
    if colour == PURPLE == player:  # Y4
        if white > 0:
            white -= 1
        elif black > 0:
            black -= 1
    return white, black, lessens


@kernel
def black_price(position: Position, seat: int, kind: Kind) -> int:
    """Return the White that a seat pays for 1 Black of a Tribute without Lessen (T15, Y3, Y4, Y6)."""
    white = fact(position, kind, USE_WHITE)
    colour = fact(position, kind, COLOUR)
    if colour != position[PLAYER_COLOUR + seat]:
        return white
    if colour == ORANGE:
        return 0
    if colour == PURPLE:
        return max(0, white - 1)
    return min(white, 1) if colour == GREEN else white


@kernel
def is_lessened(position: Position, kind: Kind) -> bool:
    """Whether Lessen makes the powers of a kind cheaper (T17)."""
    return fact(position, kind, COLOUR) in (PURPLE, ORANGE, GREEN)


@kernel
def can_pay(position: Position, seat: int, kind: Kind) -> bool:
    """Whether a seat can pay for a power."""
    white, black, _ = use_price(position, seat, kind)
    return bool(position[WHITE + seat] >= white and position[BLACK + seat] >= black)


@kernel
def pay_for(position: Position, seat: int, kind: Kind) -> None:
    """Pay for a power."""
    white, black, lessens = use_price(position, seat, kind)
    position[WHITE + seat] -= white
    position[BLACK + seat] -= black
    mark_helpers(position, seat, LESSEN, lessens)


@kernel
def can_protect(position: Position, seat: int) -> bool:
    """Whether a seat can buy Protection now (P9)."""
    tile = find_helper(position, seat, PROTECT)
    return tile != NONE and can_pay(position, seat, int(position[TILE_KIND + tile]))


@kernel
def buy_protection(position: Position, seat: int) -> None:
    """Pay for Protection once (T8)."""
    tile = find_helper(position, seat, PROTECT)
    pay_for(position, seat, int(position[TILE_KIND + tile]))
    if position[R_ONCE_PER_ACTIVATION]:
        mark_used(position, seat, tile)


@kernel
def conversion_price(position: Position, seat: int, kind: Kind, made: int) -> tuple[int, int]:
    """Return the White for so many conversions into Black, and the Lessen tiles that lower it (T5, Y6)."""
    each = fact(position, kind, USE_WHITE)
    least = 0 if position[R_FREE_CONVERSIONS] else 1
    lessens = min(each * made - least, count_helpers(position, seat, LESSEN))
    price = each * made - lessens
    green = made if position[R_GREEN_EACH] else 1 + each * (made - 1)
    if position[PLAYER_COLOUR + seat] == GREEN and green <= price:
        return green, 0
    return price, lessens


# ---- the price of Control


@kernel
def control_price(position: Position, seat: int, kind: Kind) -> tuple[int, int, int]:
    """Return the White and Black for Control, and the Streamline tiles that lower it (C3), without Y4 and Y5."""
    black = fact(position, kind, CONTROL_BLACK)
    lowered = min(black, count_helpers(position, seat, STREAMLINE))
    return fact(position, kind, CONTROL_WHITE), black - lowered, lowered


@kernel
def has_control_discount(position: Position, seat: int, kind: Kind) -> bool:
    """Whether Y4 or Y5 lowers the price of Control."""
    colour = fact(position, kind, COLOUR)
    return bool(colour in (PURPLE, YELLOW) and colour == position[PLAYER_COLOUR + seat])
