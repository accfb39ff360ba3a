"""The viewer's plan as the map shows it: numbered phases, where the hero will be, and which monsters await it there."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.picture.counters import Ghost, group_denizens
from realmtable.games.magic_realm.picture.map_layers import NO_PLAN, Plan
from realmtable.games.magic_realm.picture.tonight import expect_monsters


def read_plan(view: View) -> Plan:
    """Return the plan for what is left of the viewer's day; none for spectators, the dead and small pictures."""
    own = view["own"]
    if own is None or view["viewer"] is None:
        return NO_PLAN
    player = view["players"][view["viewer"]]
    at = player["at"]
    if player["dead"] or not at or player["turn_taken"] or view["part"] not in ("birdsong", "sunrise", "daylight"):
        return NO_PLAN
    phases: dict[str, list[str]] = {}
    end = at
    for number, text in enumerate(own["plan"][own["phase"] :], own["phase"] + 1):
        verb, *places = text.split()
        end = places[0] if verb == "M" else end
        if "-" not in end:
            phases.setdefault(end, []).append(str(number))
    numbers = {place: " ".join(found) for place, found in phases.items()}
    ghost = Ghost(player["character"], player["seat"]) if end != at else None
    here = {one["name"] for one in view["map"]["denizens"] if one["at"] == end}
    monsters = [one for one in expect_monsters(view, end).sure if one.name not in here]
    coming = group_denizens([{"at": end, "name": monster.name, "side": "light"} for monster in monsters])
    return Plan(numbers, end if ghost else "", ghost, end if coming else "", coming)
