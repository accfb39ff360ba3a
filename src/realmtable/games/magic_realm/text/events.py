"""What a step has changed, in words: the differences between what a viewer knew before it and knows after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm import INFO
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MapChitId, MonsterId, Place, TileId, place_of
from realmtable.games.magic_realm.day_rules.search import site_count
from realmtable.games.magic_realm.text.describe import name_phase
from realmtable.games.magic_realm.text.trace import TracedActivity
from realmtable.games.magic_realm.text.wording import (
    name_back,
    name_character,
    name_chit,
    name_clearing,
    name_goods,
    name_monsters,
    name_road,
)
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_CHARACTER, NO_SEAT
from realmtable.games.magic_realm.world.knowledge import SeatView, SeenGoods, SeenHero, card_back
from realmtable.games.magic_realm.world.open_slots import site_slot, stack_slots, warning_slot
from realmtable.games.magic_realm.world.places import GONE, HOME, TILES
from realmtable.kit.wording import join_words

LOST_REASONS: Final = {
    "D30": "from a roadway, only a Move to one of its ends is possible",
    "C27": "a curse prevents it",
    "D4": "after a sunlight phase, no one can enter a cave",
    "D5": "there is no phase for it",
    "D6": "there is no active pony",
    "D8": "no chit is active",
    "D9": "no open roadway leads there",
    "T1": "the telescope shows only other mountains, from a mountain",
}


class AlreadyReported(NamedTuple):
    """What the news of a step has already said."""

    moving: Seat = NO_SEAT  # that this seat moves
    hiding: Seat = NO_SEAT  # that this seat hides
    fighting: bool = False  # what combat has done: belongings that are gone were lost


NOTHING_REPORTED: Final = AlreadyReported()


def name_seat(seen: SeatView, seat: Seat) -> str:
    """Return what a viewer calls a seat: "you", "the Elf", or the name of the seat without a character."""
    if seat == seen.seat:
        return "you"
    character = seen.hero(seat).character
    return INFO.seat_names[seat] if character == NO_CHARACTER else name_character(character)


def say(seen: SeatView, seat: Seat, third: str, second: str) -> str:
    """Return a clause about a seat: "the Elf hides" or "you hide"."""
    return f"{name_seat(seen, seat)} {second if seat == seen.seat else third}"


def list_events(
    before: SeatView, after: SeatView, begun: tuple[TracedActivity, ...], reported: AlreadyReported = NOTHING_REPORTED
) -> list[str]:
    """Return what a viewer notices, one clause for each event, except what other lines say."""
    movers = {reported.moving, *(one.seat for one in begun)}
    heroes = [(seat, before.hero(seat), after.hero(seat)) for seat in range(after.seats)]
    dying = [seat for seat, was, now in heroes if now.dead and not was.dead]
    living = [row for row in heroes if row[1].character == row[2].character and not row[2].dead]
    return [
        *(event for seat, was, now in living for event in _list_sight_events(after, seat, was, now, reported.hiding)),
        *_list_activities(after, begun),
        *_list_places(after, [row for row in living if row[0] not in movers]),
        *(event for seat, _, _ in living for event in _list_goods_events(before, after, seat, reported)),
        *_list_map_events(before, after),
        *_list_monster_events(before, after),
        *(say(after, seat, "is", "are") + " blocked" for seat, was, now in living if now.blocked and not was.blocked),
        *(say(before, seat, "dies", "die") for seat in dying),
        *_list_card_events(before, after),
        *_list_own_events(before, after),
        *_list_day_events(before, after),
    ]


def _list_activities(seen: SeatView, begun: tuple[TracedActivity, ...]) -> Iterator[str]:
    for seat, step, clause, is_climb in begun:
        if clause:
            phase = name_phase(step)
            yield say(seen, seat, "loses", "lose") + f" the phase “{phase}”: {LOST_REASONS[clause]} ({clause})"
        elif is_climb:
            yield say(seen, seat, "begins", "begin") + f" to climb to {name_clearing(step.args[0])}"
        else:
            yield say(seen, seat, "moves", "move") + f" to {name_clearing(step.args[0])}"


# ---- heroes


def _list_sight_events(seen: SeatView, seat: Seat, was: SeenHero, now: SeenHero, hiding: Seat) -> Iterator[str]:
    if now.guide not in (was.guide, NO_SEAT):
        yield say(seen, seat, "follows", "follow") + f" {name_seat(seen, now.guide)}"
    if now.hidden != was.hidden and seat != hiding:
        yield say(seen, seat, "is", "are") + (" hidden now" if now.hidden else " no longer hidden")
    if now.found & ~was.found:
        yield say(seen, seat, "finds", "find") + " hidden enemies"


def _list_places(seen: SeatView, heroes: list[tuple[Seat, SeenHero, SeenHero]]) -> Iterator[str]:
    """Yield where followers have gone, and where characters start, those in the same clearing together."""
    starting: dict[Place, list[Seat]] = {}
    for seat, was, now in heroes:
        if now.place != was.place and was.guide != NO_SEAT:
            yield say(seen, seat, "goes", "go") + f" along to {name_clearing(now.place)}"
        elif now.place != was.place:
            starting.setdefault(now.place, []).append(seat)
    for place, seats in starting.items():
        names = join_words([name_seat(seen, seat) for seat in seats])
        is_one = len(seats) == 1 and seats[0] != seen.seat
        yield f"{names} {'starts' if is_one else 'start'} in {name_clearing(place)}"


def _list_goods_events(before: SeatView, after: SeatView, seat: Seat, reported: AlreadyReported) -> Iterator[str]:
    """Yield what a hero got, lost, activated or packed away.

    A card can also become known to the viewer, or unknown (X1), without leaving its owner.
    """
    old, new = before.pack(seat), after.pack(seat)
    got, lost = ([*map(_name_thing, list_missing(*packs))] for packs in ((new, old), (old, new)))
    if got and after.part != "setup":
        yield say(after, seat, "takes", "take") + f" {join_words(got)}"
    if lost:
        verbs = ("loses", "lose") if reported.fighting else ("leaves", "leave")
        yield say(after, seat, *verbs) + f" {join_words(lost)}"
    was_active = {thing.goods for thing in old if thing.active}
    for thing in new:
        name = _name_thing(thing)
        if thing.active and thing.goods not in was_active and name not in got:
            yield say(after, seat, "activates", "activate") + f" {name}"
        elif not thing.active and thing.goods in was_active:
            yield say(after, seat, "packs", "pack") + f" {name} away"


def list_missing(first: list[SeenGoods], second: list[SeenGoods]) -> list[SeenGoods]:
    """Return the things that only the first list has; backs where the viewer cannot tell which."""
    counts = Counter(map(_kind_of, first)) - Counter(map(_kind_of, second))
    found: list[SeenGoods] = []
    for kind, number in counts.items():
        candidates = [thing for thing in _subtract(first, second) if _kind_of(thing) == kind]
        is_certain = len(candidates) == number
        found += candidates if is_certain else [SeenGoods(kind)] * number
    return found


def _kind_of(thing: SeenGoods) -> int:
    """Return a number that stays the same while a thing becomes known or unknown: the back of a card."""
    return (card_back(thing.goods) or thing.goods) if thing.is_known else thing.goods


def _subtract(first: list[SeenGoods], second: list[SeenGoods]) -> list[SeenGoods]:
    """Return the things that only the first list has; backs are counted one by one."""
    left = [thing.goods for thing in second]
    found = []
    for thing in first:
        if thing.goods in left:
            left.remove(thing.goods)
        else:
            found.append(thing)
    return found


def _name_thing(thing: SeenGoods) -> str:
    return f"the {name_goods(thing.goods)}" if thing.is_known else name_back(thing.goods)


# ---- monsters and the map


def _list_monster_events(before: SeatView, after: SeatView) -> Iterator[str]:
    for (place, is_new), monsters in group_monster_moves(before, after).items():
        several = len(monsters) > 1
        if place == HOME:
            yield f"{name_monsters(monsters)} {'return' if several else 'returns'} to the chart"
        else:
            verb = ("appear" if is_new else "move") + ("" if several else "s")
            yield f"{name_monsters(monsters)} {verb} {'in' if is_new else 'to'} {name_clearing(place)}"


def group_monster_moves(before: SeatView, after: SeatView) -> dict[tuple[Place, bool], list[MonsterId]]:
    """Return the monsters that have moved, by where they are now and whether they come from the chart."""
    moved: dict[tuple[Place, bool], list[MonsterId]] = {}
    for monster in load_catalog().monsters:
        was, now = before.denizen(monster.id).place, after.denizen(monster.id).place
        if was != now != GONE and before.day:  # in the set-up only the Ghosts come, and the news of the map says so
            moved.setdefault((now, was == HOME), []).append(monster.id)
    return moved


def _list_map_events(before: SeatView, after: SeatView) -> Iterator[str]:
    for tile in range(TILES):
        yield from _list_tile_events(before, after, tile)


def _list_tile_events(before: SeatView, after: SeatView, tile: TileId) -> Iterator[str]:
    name = load_catalog().tiles[tile].name
    shown, learned, is_replaced = find_new_chits(before, after, tile)
    if shown:
        yield f"{name} shows {join_words([name_chit(chit) for chit in shown])}"
    if learned:
        who = "everyone sees" if after.seat is None else "you see"
        yield f"{who} {join_words([name_chit(chit) for chit in learned])} in {name}"
    if is_replaced:
        yield f"{_name_dwelling(after, tile)} in {name_clearing(place_of(tile, after.tile(tile).dwelling))}"


class NewChits(NamedTuple):
    """What a step has shown of the chits of a tile."""

    shown: list[MapChitId]  # turned up
    learned: list[MapChitId]  # seen by the viewer, who may be everyone
    is_replaced: bool  # whether a dwelling or the Ghosts are there now in place of the warning


def find_new_chits(before: SeatView, after: SeatView, tile: TileId) -> NewChits:
    """Return what a viewer has seen of the chits of a tile."""
    slots = [warning_slot(tile), site_slot(tile), *_list_stack(after, tile)]
    turned_up = [slot for slot in slots if after.is_face_up(slot) and not before.is_face_up(slot)]
    # The dwelling then shows what the warning was.
    is_replaced = bool(after.tile(tile).dwelling) and not before.tile(tile).dwelling
    shown = [slot for slot in turned_up if slot != warning_slot(tile) or not is_replaced]
    learned = [
        slot
        for slot in slots
        if after.chit(slot) >= 0 and before.chit(slot) != after.chit(slot) and slot not in turned_up
    ]
    return NewChits([*map(after.chit, shown)], [*map(after.chit, learned)], is_replaced)


def _name_dwelling(seen: SeatView, tile: TileId) -> str:
    chit = seen.chit(warning_slot(tile))
    found = [f"the {dwelling.name} is" for dwelling in load_catalog().dwellings if dwelling.chit == chit]
    return found[0] if found else "the Ghosts are"


def _list_stack(seen: SeatView, tile: TileId) -> list[int]:
    """Return the slots of the Lost City or Lost Castle, if it is laid out in a tile."""
    red, chit = catalog_lookups().red_chits, seen.chit(site_slot(tile))
    return [*stack_slots(red.index(chit))] if chit in red and seen.is_face_up(site_slot(tile)) else []


def _list_card_events(before: SeatView, after: SeatView) -> Iterator[str]:
    """Yield the special cards that everyone has just seen (T5)."""
    for card in catalog_lookups().within:
        if card not in catalog_lookups().portable and after.knows_goods(card) and not before.knows_goods(card):
            yield f"the card {name_goods(card)} is shown"


# ---- the viewer and the day


def _list_own_events(before: SeatView, after: SeatView) -> Iterator[str]:
    """Yield what the viewer has discovered and earned."""
    if after.seat is None:
        return
    was, now = before.hero(after.seat), after.hero(after.seat)
    if was.character != now.character:
        return
    found = list_discoveries(was, now)
    if found:
        yield f"you discover {join_words([name_discovery(bit) for bit in found])}"
    if (now.gold or 0) > (was.gold or 0):
        yield f"you get {(now.gold or 0) - (was.gold or 0)} gold"


def list_discoveries(was: SeenHero, now: SeenHero) -> list[int]:
    """Return the roads, sites and site cards that the viewer's hero has discovered, as numbers."""
    found = (now.discoveries or 0) & ~(was.discoveries or 0)
    return [bit for bit in range(found.bit_length()) if found >> bit & 1]


def name_discovery(bit: int) -> str:
    """Return what has been discovered, with its article."""
    first_site = len(load_catalog().secret_roads)
    name = load_catalog().names.by_number("discovery")[bit]
    return name_road(bit) if bit < first_site else f"the {name}" + " site" * (bit - first_site < site_count())


def _list_day_events(before: SeatView, after: SeatView) -> Iterator[str]:
    if after.part == "over" and before.part != "over":
        yield "the game is over"
    elif after.day != before.day:
        yield f"day {after.day} begins"
    elif after.part == "evening" != before.part:
        yield "evening falls"
