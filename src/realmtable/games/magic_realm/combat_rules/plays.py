"""What a character can play in the melee, and with which pieces (C1, C7 to C9, C12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit
from realmtable.games.magic_realm.catalog.goods_and_spells import Horse, Treasure
from realmtable.games.magic_realm.catalog.ids import MANEUVERS
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import EVERY_DIRECTION, Direction, Level

FIGHT: Final = "Fight"
MOVE: Final = "Move"
DUCK: Final = "Duck"
BERSERK: Final = "Berserk"
STAR_LIMIT: Final = 2
WALK: Final = "walk"
GALLOP: Final = "gallop"
GAITS: Final = (WALK, GALLOP)


class Piece(NamedTuple):
    """Something that can be played: an action chit, gloves, boots, or one side of a horse."""

    name: str  # "Move M3*", "Quick Boots", "Pony-1"
    kind: str  # FIGHT, MOVE, DUCK or BERSERK
    strength: Level
    time: int
    stars: int = 0  # that count towards the limit: never those of horses (C8)
    gait: str = ""  # the side of a horse

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions in which it can be played."""
        return (MANEUVERS.index("duck"),) if self.kind == DUCK else EVERY_DIRECTION


@dataclass(frozen=True, slots=True)
class Hand:
    """Everything on which the plays of a character depend."""

    pieces: tuple[Piece, ...]  # active chits, gloves, boots, and both sides of the active horse outside caves
    weapon_weight: Level = 0  # of the active weapon, or of the dagger
    load: Level = 0  # the heaviest of the character and what no inactive horse carries
    played: tuple[Piece, ...] = ()  # in the encounter of this round
    is_held: bool = False  # whether a red-side-up monster is on the sheet
    star_limit: int = STAR_LIMIT
    turns_horses: bool = True  # whether a horse can be played again only with its other side (V10)


class Play(NamedTuple):
    """What a character plays in the melee."""

    fight: Piece | None = None
    attack: Direction = 0
    move: Piece | None = None
    maneuver: Direction = 0
    shield: Direction = 0


def chit_piece(chit: ActionChit) -> Piece | None:
    """Return the piece that an action chit is; None for Magic chits, which have no strength."""
    if not chit.strength:
        return None
    return Piece(chit.label, chit.kind, level_of(chit.strength), chit.time, chit.stars)


def card_pieces(card: Treasure) -> Iterator[Piece]:
    """Yield the piece that boots or gloves are."""
    kinds = {"move_piece": MOVE, "fight_piece": FIGHT}
    for effect in card.effects:
        if effect.verb in kinds:
            yield Piece(card.name, kinds[effect.verb], level_of(effect.strength), effect.time)


def horse_pieces(horse: Horse) -> tuple[Piece, Piece]:
    """Return both sides of a horse."""
    walk, gallop = horse.walk, horse.gallop
    return (
        Piece(horse.name, MOVE, level_of(walk.strength), walk.time, gait=WALK),
        Piece(horse.name, MOVE, level_of(gallop.strength), gallop.time, gait=GALLOP),
    )


def list_fight_pieces(hand: Hand, move: Piece | None = None) -> list[Piece]:
    """Return the pieces with which a character can attack or turn its weapon, beside a piece for the manoeuvre."""
    return [
        piece
        for piece in hand.pieces
        if piece.kind == FIGHT and piece.strength >= hand.weapon_weight and _can_play(hand, piece, move)
    ]


def list_move_pieces(hand: Hand, fight: Piece | None = None) -> list[Piece]:
    """Return the pieces with which a character can manoeuvre, beside a piece for the attack."""
    return [
        piece
        for piece in hand.pieces
        if piece.kind in (MOVE, DUCK)
        and piece.strength >= hand.load
        and not (piece.gait and hand.is_held)
        and _can_play(hand, piece, fight)
    ]


def _can_play(hand: Hand, piece: Piece, other: Piece | None) -> bool:
    """Whether a piece was not played before, and its stars are not too many (C1, C7, C8)."""
    can_repeat = piece.gait == WALK and not hand.turns_horses
    is_used = hand.played.count(piece) >= hand.pieces.count(piece)  # chits with the same label are equal pieces
    if is_used and not can_repeat:
        return False
    stars = sum(each.stars for each in hand.played) + piece.stars + (0 if other is None else other.stars)
    return stars <= hand.star_limit


def list_plays(hand: Hand, *, has_target: bool, has_shield: bool) -> Iterator[Play]:
    """Yield every play of a character: all that a bot has to compare."""
    shields = EVERY_DIRECTION if has_shield else (0,)
    fights = [(None, 0), *_place(list_fight_pieces(hand))] if has_target else [(None, 0)]
    for fight, attack in fights:
        for move, maneuver in ((None, 0), *_place(list_move_pieces(hand, fight))):
            for shield in shields:
                yield Play(fight, attack, move, maneuver, shield)


def _place(pieces: list[Piece]) -> list[tuple[Piece, Direction]]:
    return [(piece, direction) for piece in dict.fromkeys(pieces) for direction in piece.directions]
