"""Kernels for gains of Etherium and the reactions to them (P7, P8)."""

from __future__ import annotations

import numpy as np

from realmtable.games.realms_of_etherium.kernels.layout import (
    BLACK,
    FIRST_TILE,
    GAINED_BLACK,
    GAINED_WHITE,
    GIVES_BLACK,
    GIVES_WHITE,
    IN_REACT,
    KIND_COUNT,
    KINDS_OF_VERB,
    KINDS_PER_VERB,
    PHASE,
    PLAYER_COLOUR,
    PORTALS,
    R_ETHERIUM_CAP,
    R_FIRST_REACTS,
    R_ONCE_PER_ACTIVATION,
    R_ONE_GAIN_POWER,
    REACT,
    REACT0,
    REACTS_TO,
    RED,
    SEAT,
    TILE_KIND,
    TO_WHITE,
    WHITE,
    Kind,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.prices import can_help, mark_used
from realmtable.games.realms_of_etherium.kernels.world import Labels, colour_of, fact
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Steps


@kernel
def receive(position: Position, entry: int, seat: int, amount: int) -> int:
    """Give a seat Etherium of the colour WHITE or BLACK and return how much of it fits (U2)."""
    fits = min(amount, int(position[R_ETHERIUM_CAP] - position[entry + seat]))
    position[entry + seat] += fits
    return fits


@kernel
def gain(position: Position, seat: int, white: int, black: int) -> None:
    """Add Etherium to the gain of the power that is being resolved."""
    position[GAINED_WHITE] += receive(position, WHITE, seat, white)
    position[GAINED_BLACK] += receive(position, BLACK, seat, black)


@kernel
def could_react(position: Position, seat: int, tile: TileNumber, white: int, black: int) -> bool:
    """Whether a gaining Realm reacts to a gain of these amounts."""
    gained = white if fact(position, int(position[TILE_KIND + tile]), REACTS_TO) == TO_WHITE else black
    return gained > 0 and can_help(position, seat, tile)


@kernel
def settle_gain(position: Position, seat: int) -> bool:
    """Let Realms react to the gain; return False if the player has to choose one (V1)."""
    if position[R_ONE_GAIN_POWER] and position[PLAYER_COLOUR + seat] != RED:
        if list_reactions(position, seat, np.empty(KIND_COUNT, dtype=np.int64)) > 0:
            position[PHASE] = IN_REACT
            position[SEAT] = seat
            return False
        return True
    react_to_gain(position, seat)
    return True


@kernel
def list_reactions(position: Position, seat: int, out: Steps) -> int:
    """List the kinds of gaining Realms that could react (V1)."""
    listed = 0
    for index in range(KINDS_PER_VERB[REACT]):
        kind = int(KINDS_OF_VERB[REACT, index])
        if find_reaction(position, seat, kind) >= 0:
            out[listed] = REACT0 + kind
            listed += 1
    return listed


@kernel
def find_reaction(position: Position, seat: int, kind: Kind) -> TileNumber:
    """Return the first Realm of a kind that could react, or NONE."""
    white = int(position[GAINED_WHITE])
    black = int(position[GAINED_BLACK])
    for tile in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
        if could_react(position, seat, tile, white, black):
            return int(tile)
    return -1


@kernel
def react_to_gain(position: Position, seat: int) -> None:
    """Let gaining Realms react once each, in the order of F1; for the Red player also to Red reactions (Y1)."""
    reacted = np.empty(PORTALS, dtype=np.int64)
    for tile in range(PORTALS):
        reacted[tile] = 0
    white = int(position[GAINED_WHITE])
    black = int(position[GAINED_BLACK])
    chain_white = 0  # gained by reactions of Red Realms
    chain_black = 0
    is_red_player = position[PLAYER_COLOUR + seat] == RED
    again = True
    while again:
        again = False
        for index in range(KINDS_PER_VERB[REACT]):
            kind = int(KINDS_OF_VERB[REACT, index])
            for number in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
                tile = int(number)
                is_red = colour_of(position, tile) == RED
                chained = is_red and could_react(position, seat, tile, chain_white, chain_black)
                if reacted[tile] or not (chained or could_react(position, seat, tile, white, black)):
                    continue
                reacted[tile] = 1
                more_white, more_black = react_with(position, seat, tile)
                if is_red_player and is_red:
                    chain_white += more_white
                    chain_black += more_black
                    again = True
            if position[R_FIRST_REACTS] and not is_red_player and has_reacted(position, reacted, kind):  # V16
                if fact(position, kind, REACTS_TO) == TO_WHITE:
                    white = 0
                else:
                    black = 0


@kernel
def has_reacted(position: Position, reacted: Labels, kind: Kind) -> bool:
    """Whether a Realm of a kind has reacted."""
    for tile in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
        if reacted[tile]:
            return True
    return False


@kernel
def react_with(position: Position, seat: int, tile: TileNumber) -> tuple[int, int]:
    """Let one Realm react and return the White and Black it gave."""
    kind = int(position[TILE_KIND + tile])
    white = receive(position, WHITE, seat, fact(position, kind, GIVES_WHITE))
    black = receive(position, BLACK, seat, fact(position, kind, GIVES_BLACK))
    if position[R_ONCE_PER_ACTIVATION]:
        mark_used(position, seat, tile)
    return white, black
