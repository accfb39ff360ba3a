"""Who knows what (X1).

Each member of `SeatView` returns what one viewer may know. Views read everything that some viewers may not know through
it; from the world itself they take only public facts, and the steps, phases and score of the viewer's own seat. A chit
or card stores the seats that know it as bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import BoxId, DwellingId, GoodsId, MapChitId, Place, TileId
from realmtable.games.magic_realm.catalog.placement import Layout
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.belongings import pile_at
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_SLOT, OPEN, Denizen
from realmtable.games.magic_realm.world.map_layout import layout_of
from realmtable.games.magic_realm.world.places import MAX_SEATS
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.step_text import is_following_plan
from realmtable.games.magic_realm.world.steps import Agenda, RollResult, Step
from realmtable.games.magic_realm.world.world import World


def everyone(world: World) -> int:
    """Return the bits of all seats."""
    return (1 << len(world.heroes)) - 1


def let_seats_know_slot(world: World, slot: int, seats: int) -> None:
    """Let seats, as bits, know the chit of a slot that is decided."""
    if seats & ~world.slots[slot].seen:
        world.writable_slot(slot).seen |= seats


def turn_up(world: World, slot: int) -> None:
    """Turn the chit of a slot face up."""
    found = world.writable_slot(slot)
    found.face_up = True
    found.seen = everyone(world)


def let_seats_know_goods(world: World, goods: GoodsId, seats: int) -> None:
    """Let seats, as bits, know where goods are."""
    if seats & ~world.goods[goods].seen:
        world.writable_goods(goods).seen |= seats


def hide_in_pack(world: World, seat: Seat, goods: GoodsId, knowing: int) -> None:
    """Forget which card is which before an inactive card leaves a pack face down.

    The seats in `knowing`, as bits, handle the card. Every other viewer no longer knows which of the inactive cards of
    the same class in that pack has left, and so knows none of them.
    """
    back = card_back(goods)
    for other in world.heroes[seat].pack:
        card = world.goods[other]
        if not card.active and card_back(other) == back and card.seen & ~knowing:
            world.writable_goods(other).seen &= knowing


def list_alike(pack: Sequence[tuple[GoodsId, bool]], goods: GoodsId) -> list[GoodsId]:
    """Return the inactive cards of a pack that look like one of them, which is among these; none if it is alone (X1).

    A pack lists goods and whether they are active.
    """
    back = card_back(goods)
    alike = [other for other, active in pack if back and not active and card_back(other) == back]
    return alike if goods in alike and len(alike) > 1 else []


def card_back(goods: GoodsId) -> int:
    """Return what the back of a card shows: `OPEN_LARGE` or `OPEN_SMALL`, the same as an open slot; 0 for counters.

    Cards that lead to other treasures lie among the large ones and look like them.
    """
    return catalog_lookups().backs[goods]


class SeenHero(NamedTuple):
    """What a viewer may know of a hero; None stands for what the viewer does not know."""

    character: int
    place: Place
    hidden: bool
    found: int
    blocked: bool
    turn_taken: bool
    dead: bool
    anywhere: bool
    guide: Seat
    came_by: Place
    climbs: Place
    chits: tuple[int, ...]
    fame: int | Fraction
    notoriety: int | Fraction
    curses: int
    berserk: bool
    gold: int | None
    discoveries: int | None
    points: tuple[int, ...] | None
    start: DwellingId | None
    plan: tuple[Step, ...]  # of others: the phases that have been done, and from sunrise on whom they follow
    orders: int | None
    backs: int | None
    phase: int  # how many phases have been done today
    used: tuple[int, ...]  # the sources of these
    ordered: int | None
    ready: bool | None


class SeenTile(NamedTuple):
    """A tile; its chits and piles are seen separately."""

    column: int
    row: int
    turn: int
    placed: bool
    owner: Seat  # the seat that lays it, while players build the map: their tiles are public
    dwelling: int


class SeenGoods(NamedTuple):
    """A thing in a pack, a pile or a box: its number, or what its back shows if the viewer does not know it."""

    goods: int
    active: bool = False
    alerted: bool = False
    damaged: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the viewer knows what it is."""
        return self.goods >= 0


def _spectator_bits(world: World) -> int:
    """Return the seats that must all know something, so that spectators may know it.

    What one player alone has looked at is not public, so spectators of a solo game see only what is face up.
    """
    return everyone(world) if len(world.heroes) > 1 else 1 << MAX_SEATS


class SeatView:
    """A world as one viewer sees it: a seat, or a spectator."""

    __slots__ = ("_bits", "_world", "seat")

    def __init__(self, world: World, seat: Seat | None) -> None:
        self._world = world
        self.seat = seat
        self._bits = _spectator_bits(world) if seat is None else 1 << seat

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self._world.heroes)

    @property
    def day(self) -> int:
        """The day, 0 during the set-up."""
        return self._world.day

    @property
    def part(self) -> str:
        """The part of the day."""
        return self._world.part

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of the appearance chart that prowl today."""
        return self._world.rows

    @property
    def counters(self) -> tuple[Seat, ...]:
        """The seats whose counter has not been drawn today."""
        return self._world.counters

    @property
    def first(self) -> Seat:
        """The seat that took the first turn today."""
        return self._world.first

    @property
    def options(self) -> MagicOptions:
        """The options of the game."""
        return self._world.options

    @property
    def last_roll(self) -> RollResult | None:
        """The last roll of the day on a table."""
        return self._world.last_roll

    @property
    def agenda(self) -> Agenda:
        """What is being done. What is asked and of whom follows from what everyone knows (Z3)."""
        return self._world.agenda

    @property
    def layout(self) -> Layout:
        """Where the tiles lie that have been laid."""
        return layout_of(self._world)

    def is_open(self, box: BoxId) -> bool:
        """Whether the Vault has been opened."""
        return self._world.boxes[box].opened

    def tile(self, tile: TileId) -> SeenTile:
        """Return where a tile lies, and its dwelling."""
        found = self._world.tiles[tile]
        return SeenTile(found.column, found.row, found.turn, found.placed, found.owner, found.dwelling)

    def chit(self, slot: int) -> MapChitId:
        """Return the chit of a slot, `OPEN` if the viewer does not know it, `NO_SLOT` if there is none."""
        found = self._world.slots[slot]
        return found.chit if found.chit == NO_SLOT or found.face_up or self._knows(found.seen) else OPEN

    def is_face_up(self, slot: int) -> bool:
        """Whether the chit of a slot is face up."""
        return self._world.slots[slot].face_up

    def denizen(self, number: int) -> Denizen:
        """Return a denizen: everything about it is public."""
        return self._world.denizens[number]

    def hero(self, seat: Seat) -> SeenHero:
        """Return what the viewer may know of a hero."""
        world, hero, own = self._world, self._world.heroes[seat], seat == self.seat
        over, writing = world.part == "over", world.part in ("setup", "birdsong")
        return SeenHero(
            hero.character,
            hero.place,
            hero.hidden,
            hero.found,
            hero.blocked,
            hero.turn_taken,
            hero.dead,
            hero.anywhere,
            hero.guide,
            hero.came_by,
            hero.climbs,
            hero.chits,
            hero.fame,
            hero.notoriety,
            hero.curses,
            hero.berserk,
            gold=hero.gold if own or over or not world.options.secret_gold else None,
            discoveries=hero.discoveries if own else None,
            points=hero.points if own or over else None,
            start=hero.start if own or world.day else None,
            plan=hero.plan if own or (is_following_plan(hero.plan) and not writing) else hero.plan[: hero.phase],
            orders=hero.orders if own or not writing else None,
            backs=hero.backs if own else None,
            phase=hero.phase,
            used=hero.used,
            ordered=hero.ordered if own else None,
            ready=hero.ready if own else None,
        )

    def pack(self, seat: Seat) -> list[SeenGoods]:
        """Return what a hero carries: known things in the order it got them, then the backs of the others."""
        seen = [self._see(goods) for goods in self._world.heroes[seat].pack]
        return [*(thing for thing in seen if thing.is_known), *sorted(thing for thing in seen if not thing.is_known)]

    def knows_goods(self, goods: GoodsId) -> bool:
        """Whether the viewer knows where something is."""
        found = self._world.goods[goods]
        return found.active or not is_card(goods) or self._knows(found.seen)

    def newest(self, seat: Seat) -> SeenGoods:
        """Return what a hero with belongings got last."""
        return self._see(self._world.heroes[seat].pack[-1])

    def pile(self, place: Place) -> list[SeenGoods]:
        """Return the abandoned goods in a clearing, the top one first."""
        return [self._see(goods) for goods in pile_at(self._world, place)]

    def has_piles(self, tile: TileId) -> bool:
        """Whether abandoned goods lie in a tile."""
        return any(self._world.tiles[tile].piles)

    def box(self, box: BoxId) -> list[SeenGoods]:
        """Return the content of a box, the top one first. A decided card looks like an open slot of its kind."""
        entries = self._world.boxes[box].entries
        return [SeenGoods(entry) if entry < 0 else self._see(entry) for entry in entries]

    def _see(self, goods: GoodsId) -> SeenGoods:
        found = self._world.goods[goods]
        if not self.knows_goods(goods):
            return SeenGoods(card_back(goods))
        return SeenGoods(goods, found.active, found.alerted, found.damaged)

    def _knows(self, seen: int) -> bool:
        return seen & self._bits == self._bits
