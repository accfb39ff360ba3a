"""Say why something that was clicked does not begin a legal step, from the view alone (X4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.errors import BadNotation
from realmtable.engine.protocol import HandlePath, Reason, View
from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.placement import Placement
from realmtable.games.magic_realm.catalog.tiles import OPEN
from realmtable.games.magic_realm.picture.handles import CHIT, IDLE_ALERT, PHASE, list_handles
from realmtable.games.magic_realm.text.combat_reasons import why_not_in_combat
from realmtable.games.magic_realm.text.combat_steps import label_of_combat
from realmtable.games.magic_realm.world.step_text import parse_step

# The reply to a click that does not answer the question at all; the clause is the question's own.
USUAL: Final[Mapping[str, Reason]] = {
    "tile": Reason("M3", "Choose one of your own tiles that has a legal place."),
    "place": Reason("M1", "Lay the tile where it touches two others and its roads can meet theirs."),
    "angle": Reason("M1", "Turn the tile so that roads meet roads."),
    "be": Reason("M9", "Choose a character that no one has."),
    "gear": Reason("M9", "Choose a native group that has this piece of gear."),
    "secrets": Reason("M10", "Make your secret choices first."),
    "life": Reason("K8", "Choose a character for your new life that no one has."),
    "outfit": Reason("M9", "Choose a native group that has this piece of gear."),
    "goals": Reason("M10", "Assign the victory points of your new life first."),
    "write": Reason("B2", "Write your day, then choose Done."),
    "moment": Reason("D1", "Take your turn now, or later."),
    "choose": Reason("D28", "Choose what to do in this phase, or end your turn."),
    "arrange": Reason("D25", "Rearrange your belongings, or choose Continue."),
    "along": Reason("D24", "Go along with your guide, or stop following."),
    "shed": Reason("D24", "Leave behind a follower who has not found hidden enemies, or move on with the others."),
    "search": Reason("D16", "Choose how to search: peer, locate, loot something, or use Magic Sight if you have it."),
    "pick": Reason("D18", "Choose one of the results of the Peer and Locate tables."),
    "exchange": Reason("D18", "Put the chits back; a campfire, the Lost City or the Lost Castle can be exchanged."),
    "take": Reason("D22", "Take the top piece of the kind that you saw, or nothing."),
    "force": Reason("D19", "Open it with an active piece of tremendous strength."),
    "pay": Reason("W1", "Pay one star with an active chit."),
    "found": Reason("D20", "Activate what you have found if it can be active, keep it, or leave it."),
    "to": Reason("T5", "Choose a cave clearing."),
    "rest": Reason("D15", "Rest a fatigued or wounded chit; for one with two stars, another one becomes fatigued."),
    "block": Reason("L3", "Block someone you see in your clearing who is not blocked yet, or no one."),
    "meet": Reason("L4", "Block monsters that have just arrived in your clearing, or no one."),
    "alerting": Reason("D14", "Alert your active weapon; one that is alerted can be unalerted or left as it is."),
    "tidy": Reason("Q1", "Rearrange your belongings, or choose Continue."),
}


def reason(view: View, path: HandlePath, handle: str) -> Reason | None:
    """Return why a handle cannot follow the handles chosen so far; None if it can, or if the handle is unknown."""
    question = view["question"]
    if question is None or not is_handle(handle) or _begins_step(view, (*path, handle)):
        return None
    if view["combat"] is not None:
        return why_not_in_combat(view, path, handle)
    kind = question["kind"]
    special = _SPECIAL.get(kind)
    found = special(view, path, handle) if special else None
    return found or USUAL[kind]


def _begins_step(view: View, path: HandlePath) -> bool:
    """Whether some clicks are those of a legal step, or the first of them."""
    legal = list_handles(view, [parse_step(text) for text in view["question"]["moves"]])
    return any(found[: len(path)] == path for found in legal)


def is_handle(handle: str) -> bool:
    """Whether a text is a handle of the map, of an action chit or of a step."""
    names = load_catalog().names
    if any(handle.removeprefix("tile:") in names.by_name(kind) for kind in ("clearing", "tile code", "character")):
        return True
    if handle.startswith(CHIT) or handle == IDLE_ALERT or label_of_combat(handle):
        return True
    try:
        parse_step(handle.removeprefix(PHASE))
    except BadNotation:
        return False
    return True


def _is_clearing(handle: str) -> bool:
    return handle in load_catalog().names.by_name("clearing")


def list_near(view: View, place: str, *, is_open: bool = False) -> list[str]:
    """Return the clearings that roadways join to a clearing; if `is_open`, only those that the viewer can use."""
    names = load_catalog().names
    tiles = names.by_name("tile code")
    layout = tuple(
        Placement(tiles[tile["tile"]], tile["column"], tile["row"], tile["turn"]) for tile in view["map"]["tiles"]
    )
    known = {*view["map"]["known_roads"]}
    ways = map_graph(layout).ways[names.by_name("clearing")[place]]
    return [
        names.by_number("clearing")[way.to] for way in ways if not is_open or way.secret == OPEN or way.road in known
    ]


def _list_exits(view: View) -> list[str]:
    """Return the clearings to which the viewer can go by one roadway."""
    at = view["players"][view["viewer"]]["at"]
    return list(at.split("-")) if "-" in at else list_near(view, at, is_open=True)


def _why_not_written(view: View, path: HandlePath, handle: str) -> Reason | None:
    plan = view["own"]["plan"]
    if plan and plan[0].startswith("F "):
        return Reason("B4", "You are following today, so you write nothing else.")
    if view["recording"] == "as_you_go":
        return Reason("B2", "In this game you choose each activity when its phase begins.")
    if handle.startswith(PHASE):
        return Reason("D5", "You have no phase left for this.")
    if not _is_clearing(handle):
        return None
    if path == ("P",):
        return Reason("T1", "The telescope shows mountain clearings.")
    if path == ("pony",):
        return Reason("D6", "The pony's Move follows another Move, from a place where your plan may have brought you.")
    at = view["players"][view["viewer"]]["at"]
    near = at.split("-") if "-" in at else list_near(view, at)
    for text in plan:
        near += list_near(view, text.split()[1]) if text.startswith("M ") else []
    if handle in near:
        return Reason("D5", "You have no phase left for this Move.")
    return Reason("Z5", "A Move follows a roadway from a place where your plan may have brought you.")


def _why_not_chosen(view: View, _path: HandlePath, handle: str) -> Reason | None:
    if handle.startswith(PHASE):
        return Reason("D28", "You have no phase left for this.")
    if not _is_clearing(handle):
        return None
    if handle in _list_exits(view):
        return Reason("D28", "You have no phase left for this Move.")
    return Reason("D28", "You can move only along a roadway that is open to you.")


def _why_not_searched(view: View, _path: HandlePath, handle: str) -> Reason | None:
    if not _is_clearing(handle):
        return None
    if "sight" in view["question"]["moves"]:
        return Reason("D22", "You search with Magic Sight, which works in your own clearing.")
    return Reason(
        "D17", "From a mountain you can peer at clearings of your tile and the tiles next to it, not at caves."
    )


def _why_not_wanted(view: View, _path: HandlePath, _handle: str) -> Reason | None:
    own = view["own"]
    if own["points_left"]:
        return Reason("M10", "Assign all your victory points first, to treasures, fame, notoriety or gold.")
    if not own["start"]:
        return Reason("M10", "Choose one of your character's starting places.")
    return Reason("M10", "Choose Ready, or undo a choice.")


_SPECIAL: Final[Mapping[str, Callable[[View, HandlePath, str], Reason | None]]] = {
    "secrets": _why_not_wanted,
    "goals": _why_not_wanted,
    "write": _why_not_written,
    "choose": _why_not_chosen,
    "search": _why_not_searched,
}
