"""The heroes of a view: what everyone sees of them, and what their own player knows."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.day_rules.carry import list_dropped_at_the_end
from realmtable.games.magic_realm.day_rules.curses import list_curses
from realmtable.games.magic_realm.day_rules.phases import count_phases
from realmtable.games.magic_realm.flow.score import find_needed_goals, plain_number, score_seat, total_of
from realmtable.games.magic_realm.view_parts.map_part import knows_all_roads
from realmtable.games.magic_realm.view_parts.names import goods_data, name_place
from realmtable.games.magic_realm.view_parts.schema import OwnData, PlayerData
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import (
    CHIT_STATES,
    FOUND,
    GOALS,
    MAX_BACKS,
    MAX_ORDERS,
    NO_CHARACTER,
    NO_SEAT,
    NO_START,
    ORDERS,
)
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.places import TILES, is_clearing, is_road
from realmtable.games.magic_realm.world.position_words import write_source
from realmtable.games.magic_realm.world.step_text import ORDER, format_step
from realmtable.games.magic_realm.world.world import World


def player_data(seen: SeatView, seat: Seat) -> PlayerData:
    """Return what the viewer may know of a seat."""
    hero = seen.hero(seat)
    chosen = hero.character != NO_CHARACTER
    row = load_catalog().characters[hero.character]
    return {
        "seat": seat,
        "character": row.name if chosen else "",
        "at": name_place(hero.place),
        "hidden": hero.hidden,
        "found": [word for bit, word in enumerate(FOUND) if hero.found >> bit & 1],
        "blocked": hero.blocked,
        "turn_taken": hero.turn_taken,
        "dead": hero.dead,
        "anywhere": hero.anywhere,
        "guide": None if hero.guide == NO_SEAT else hero.guide,
        "came_by": name_place(hero.came_by),
        "climbs": name_place(hero.climbs),
        "chits": [
            {"label": chit.label, "state": CHIT_STATES[state]}
            for chit, state in zip(row.chits, hero.chits, strict=True)
        ] if chosen else [],
        "fame": plain_number(hero.fame),
        "notoriety": plain_number(hero.notoriety),
        "curses": list_curses(hero.curses),
        "berserk": hero.berserk,
        "gold": hero.gold if chosen else None,
        "goods": [goods_data(thing) for thing in seen.pack(seat)],
        "done": [format_step(step) for step in (hero.plan[: hero.phase] if seat == seen.seat else hero.plan)],
        "orders": None if hero.orders is None else _list_orders(hero.orders),
        "hand": _list_hand(seen, seat),
    }  # fmt: skip


def _list_orders(orders: int) -> list[str]:
    return [ORDER.write(2 * kind + 1) for kind in range(len(ORDERS)) if orders >> kind & 1]


def _list_hand(seen: SeatView, seat: Seat) -> list[str]:
    if seen.part != "setup":
        return []
    return [load_catalog().tiles[tile].code for tile in range(TILES) if seen.tile(tile).owner == seat]


def own_data(world: World, seen: SeatView) -> OwnData | None:
    """Return what the viewer knows of their own character; None for spectators and seats without one."""
    if seen.seat is None or seen.hero(seen.seat).character == NO_CHARACTER:
        return None
    hero, options, names = seen.hero(seen.seat), seen.options, load_catalog().names
    discovered = [
        (number, name) for number, name in names.by_number("discovery").items() if (hero.discoveries or 0) >> number & 1
    ]
    first_site, points = len(load_catalog().secret_roads), hero.points or ()
    on_map = is_clearing(hero.place) or is_road(hero.place)
    allowance = count_phases(world, seen.seat) if on_map else None
    score = [] if hero.dead else score_seat(world, seen.seat)
    return {
        "roads": [name for number, name in discovered if number < first_site],
        "knows_all_roads": knows_all_roads(hero.character),
        "sites": [name for number, name in discovered if number >= first_site],
        "points": dict(Counter(GOALS[goal] for goal in sorted(points))),
        "needed": find_needed_goals(world, seen.seat),
        "points_left": options.points_to_assign - len(points),
        "start": "" if hero.start in (None, NO_START) else names.by_number("start")[hero.start or 0],
        "starts": [names.by_number("start")[start] for start in catalog_lookups().starts[hero.character]],
        "plan": [format_step(step) for step in hero.plan],
        "phase": hero.phase,
        "used": [write_source(source).replace("_", " ") for source in hero.used],
        "basic": allowance.basic if allowance else 0,
        "sunlight": allowance.sunlight if allowance else 0,
        "extra": [*allowance.extra] if allowance else [],
        "pony": bool(allowance and allowance.pony),
        "backs_left": MAX_BACKS - (hero.backs or 0),
        "orders_left": MAX_ORDERS - (hero.ordered or 0),
        "score": [cast("Any", row._asdict()) for row in score],
        "total": load_catalog().numbers.victory.dead if hero.dead else total_of(score),
        "dropped": [load_catalog().goods[number].name for number in list_dropped_at_the_end(world, seen.seat)],
    }
