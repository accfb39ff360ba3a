"""What a viewer may know of a state, as plain data: the one source of pictures, prompts, panels and bots.

`view_parts.schema` describes each key. Secrets are read only through `SeatView`; questions and phases are those of the
viewer's own seat. The server adds `last`, the handles of the last turn.
"""

from __future__ import annotations

from typing import Any, cast

from realmtable.engine.options import as_pairs
from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.day_rules.carry import list_dropped_at_the_end
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of, find_place, world_if_combat_ended
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.flow.score import score_seat, total_of
from realmtable.games.magic_realm.view_parts.combat_part import combat_data
from realmtable.games.magic_realm.view_parts.combat_schema import CombatData
from realmtable.games.magic_realm.view_parts.hero_part import own_data, player_data
from realmtable.games.magic_realm.view_parts.map_part import boxes_data, find_focus, map_data, piles_data
from realmtable.games.magic_realm.view_parts.question_part import (
    doing_data,
    place_of_frame,
    question_data,
    roll_data,
)
from realmtable.games.magic_realm.view_parts.schema import MagicView, ScoreData
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.places import NOWHERE
from realmtable.games.magic_realm.world.world import World


def view(world: World, machine: Machine, seat: Seat | None) -> dict[str, Any]:
    """Return a state as a viewer may know it; chance sees what spectators see."""
    return cast("dict[str, Any]", make_view(world, machine, seat))


def make_view(world: World, machine: Machine, seat: Seat | None) -> MagicView:
    """Return the view with its types."""
    viewer = None if seat is None or seat < 0 else seat
    fight, place = fight_of(world), find_place(world)
    shown = world_if_combat_ended(world)
    seen = SeatView(shown, viewer)
    piles = piles_data(seen)
    doing, question = doing_data(seen, fight), question_data(world, machine, seen, fight)
    return {
        "viewer": viewer,
        "seats": seen.seats,
        "options": as_pairs(seen.options),
        "recording": seen.options.recording,
        "day": seen.day,
        "last_day": seen.options.last_day,
        "part": seen.part,
        "rows": [*seen.rows],
        "first": None if seen.first == NO_SEAT else seen.first,
        "counters": [*seen.counters],
        "acting": [acting for acting in machine.to_move(world) if acting >= 0],
        "map": map_data(seen, piles, _find_focus(seen, viewer if question else doing and doing["turn"], viewer)),
        "piles": piles,
        "boxes": boxes_data(seen),
        "players": [player_data(seen, other) for other in range(seen.seats)],
        "own": own_data(shown, seen),
        "doing": doing,
        "question": question,
        "roll": roll_data(seen),
        "scores": list_scores(world) if seen.part == "over" else None,
        "combat_rules": seen.options.has_combat,
        "combat": None if fight is None or place is None else _combat_of(seen, fight, place),
    }


def _combat_of(seen: SeatView, fight: Fight, place: Place) -> CombatData:
    return combat_data(fight, place, seen.seat, seen.knows_goods, lambda seat: seen.hero(seat).gold is not None)


def _find_focus(seen: SeatView, acting: Seat | None, viewer: Seat | None) -> str:
    """Return what the question is about, or where the acting character is, or the viewer's."""
    place = place_of_frame(seen.agenda[-1]) if seen.agenda else NOWHERE
    return find_focus(seen, viewer if acting is None else acting, place)


def list_scores(world: World) -> list[ScoreData]:
    """Return the scores of a game that is over, by seats (Q8)."""
    rows = [[] if hero.dead else score_seat(world, seat) for seat, hero in enumerate(world.heroes)]
    dead = load_catalog().numbers.victory.dead
    totals = [dead if hero.dead else total_of(found) for hero, found in zip(world.heroes, rows, strict=True)]
    goods = load_catalog().goods
    return [
        {
            "seat": seat,
            "rank": 1 + sum(other > total for other in totals),
            "total": total,
            "reached": total >= 0,
            "dead": world.heroes[seat].dead,
            "rows": [cast("Any", row._asdict()) for row in found],
            "dropped": [goods[number].name for number in list_dropped_at_the_end(world, seat)],
        }
        for seat, (total, found) in enumerate(zip(totals, rows, strict=True))
    ]
