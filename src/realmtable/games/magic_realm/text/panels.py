"""The panels beside the map: the viewer's character, their belongings, the day, and what they know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from realmtable.engine.protocol import Panel, PanelRow, View
from realmtable.games.magic_realm import INFO
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.picture.action_chits import draw_action_chits
from realmtable.games.magic_realm.picture.handles import CHIT_STATES, GOODS_VERBS
from realmtable.games.magic_realm.picture.melee.sheet import shows_combat
from realmtable.games.magic_realm.text.conditions import (
    BERSERK,
    CURSE_EFFECTS,
    count_chits,
    describe_state,
    list_ailments,
)
from realmtable.games.magic_realm.text.describe import label, name_phase
from realmtable.games.magic_realm.text.news import list_prowling
from realmtable.games.magic_realm.text.rolls import format_result
from realmtable.games.magic_realm.text.scores import KIND_NAMES
from realmtable.games.magic_realm.text.wording import WEIGHTS, capitalise, describe_values, format_place
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.kit.wording import format_count, join_words

_EXTRA: Final = {"any": "phase for any activity", "peer afar": "Peer through the telescope"}
MARKS: Final = {"done": "✓ ", "now": "→ ", "later": ""}


def panels(view: View) -> list[Panel]:
    """Return the panels of a view."""
    return [_character_panel(view), _goods_panel(view), _places_panel(view), _plan_panel(view)]


def _own_player(view: View) -> Mapping[str, Any] | None:
    """Return the viewer's player, if they have a character."""
    if view["viewer"] is None or not view["players"][view["viewer"]]["character"]:
        return None
    return dict(view["players"][view["viewer"]])


# ---- characters


def _character_panel(view: View) -> Panel:
    player = _own_player(view)
    rows = [*_list_own_rows(view, player)] if player else []
    for other in view["players"]:
        if player is None or other["seat"] != player["seat"]:
            rows += _list_player_rows(view, other)
    wounds = sum(chit["state"] == "wounded" for chit in player["chits"]) if player else 0
    badge = f"{wounds} wounded" if wounds else ""
    has_handles = not shows_combat(view)  # the melee sheet draws the chits that can be chosen
    picture = _draw_chits(player, has_handles=has_handles) if player else ""
    return Panel("character", "Hero", badge, picture, tuple(rows), opens=has_handles and _uses_chits(view))


def _draw_chits(player: Mapping[str, Any], *, has_handles: bool) -> str:
    title = f"Action chits of the {player['character']}"
    return draw_action_chits(player["chits"], title=title, has_handles=has_handles)


def _uses_chits(view: View) -> bool:
    """Whether the viewer is asked to choose action chits; whoever runs chooses a clearing of the map first."""
    return any(parse_step(move).verb in CHIT_STATES for move in _list_moves(view))


def _list_moves(view: View) -> list[str]:
    return view["question"]["moves"] if view["question"] else []


def _list_own_rows(view: View, player: Mapping[str, Any]) -> Iterator[PanelRow]:
    yield PanelRow(f"You are the {player['character']}", _describe_status(view, player))
    yield from _list_condition_rows(player)
    yield from _list_goal_rows(view["own"], is_over=view["scores"] is not None)
    for advantage in _find_character(player["character"]).advantages:
        yield PanelRow(advantage.name, advantage.text)


def _list_condition_rows(player: Mapping[str, Any]) -> Iterator[PanelRow]:
    """Yield what hampers the character, or helps it, until it passes."""
    for curse in player["curses"]:
        yield PanelRow(f"☠ Curse: {curse}", f"{capitalise(CURSE_EFFECTS[curse])}. A midnight at the Chapel lifts it.")
    if player["berserk"]:
        yield PanelRow("‼ Berserk", capitalise(BERSERK))
    unable = count_chits(player["chits"])
    if unable:
        yield PanelRow("Chits to rest", unable)


def _list_goal_rows(own: Mapping[str, Any], *, is_over: bool) -> Iterator[PanelRow]:
    """Yield what counts for the character, by kinds of points, what it needs, and what that would score now (Q8)."""
    if own["points_left"]:
        yield PanelRow("Victory points", f"{own['points_left']} to assign")
    for row in own["score"]:
        if row["kind"] != "spells":
            name, needed = KIND_NAMES[row["kind"]], f" of {row['needed']}" if row["needed"] else ""
            title = f"Goal: {name.lower()}" if row["kind"] in own["points"] else name
            yield PanelRow(title, f"{_write_number(row['owned'])}{needed}")
    if own["score"] and own["dropped"]:
        yield PanelRow("Too heavy to count", join_words([name.replace("-", " ") for name in own["dropped"]]))
    if not own["points_left"]:
        yield PanelRow(
            "Score" if is_over else "Score if the game ended now", f"{_write_number(own['total'])}; 0 reaches the goal"
        )


def _write_number(number: int) -> str:
    return str(number).replace("-", "−")


def _find_goods(name: str) -> Any:  # noqa: ANN401 - a row of the catalog
    catalog = load_catalog()
    return catalog.goods[catalog.names.by_name("goods")[name]]


def _find_character(name: str) -> Any:  # noqa: ANN401 - a row of the catalog
    catalog = load_catalog()
    return catalog.characters[catalog.names.by_name("character")[name]]


def _list_player_rows(view: View, player: Mapping[str, Any]) -> list[PanelRow]:
    """Return one line on another player: where they are, what they have, and the state of their chits."""
    if not player["character"]:
        return [PanelRow(INFO.seat_names[player["seat"]], "no character yet")]
    ailments = list_ailments(player["curses"], is_berserk=player["berserk"])
    parts = [*filter(None, [_describe_status(view, player), *ailments, count_chits(player["chits"])])]
    parts.append(f"fame {player['fame']}, notoriety {player['notoriety']}")
    if player["gold"] is not None:
        parts.append(f"{player['gold']} gold")
    if player["goods"]:
        parts.append(_list_goods(player["goods"]))
    return [PanelRow(player["character"], "; ".join(parts))]


def _describe_status(view: View, player: Mapping[str, Any]) -> str:
    words = ["dead"] if player["dead"] else [format_place(player["at"])] if player["at"] else ["not on the map yet"]
    flags = (("hidden", "hidden"), ("blocked", "blocked"), ("found", "sees hidden characters"))
    words += [word for key, word in flags if player[key] and player["at"]]
    if player["guide"] is not None:
        words.append(f"follows the {view['players'][player['guide']]['character']}")
    return ", ".join(words)


# ---- belongings


def _list_goods(goods: Iterable[Mapping[str, Any]]) -> str:
    known = [thing["name"].replace("-", " ") for thing in goods if thing["name"]]
    backs = [thing["back"] for thing in goods if not thing["name"]]
    known += [format_count(backs.count(back), f"{back} treasure") for back in ("large", "small") if back in backs]
    return ", ".join(known)


def _goods_panel(view: View) -> Panel:
    player = _own_player(view)
    goods = player["goods"] if player else []
    rows = [row for thing in goods for row in (_describe_thing(thing), *_list_uses(view, thing["name"]))]
    rows = rows or [PanelRow("Belongings", "none")]
    return Panel("belongings", "Bag", str(len(goods) or ""), rows=tuple(rows))


def _describe_thing(thing: Mapping[str, Any]) -> PanelRow:
    found = _find_goods(thing["name"])
    facts = ["active" if thing["active"] else "inactive"]
    state = describe_state(
        thing["name"], is_alerted=thing.get("alerted", False), is_damaged=thing.get("damaged", False)
    )
    facts += [state] if state else []
    facts += [f"{WEIGHTS[found.weight]} weight"] if found.weight else []
    facts += filter(None, [describe_values(thing["name"])])
    return PanelRow(thing["name"].replace("-", " "), ", ".join(facts))


def _list_uses(view: View, name: str) -> list[PanelRow]:
    """Return what the viewer can do with a belonging now (D25)."""
    moves = [move for move in (f"{verb} {name}" for verb in GOODS_VERBS) if move in _list_moves(view)]
    return [PanelRow(label(move).rpartition("/")[2], "", move) for move in moves]


# ---- the day


def _plan_panel(view: View) -> Panel:
    own = view["own"]
    rows = [PanelRow("Day", f"{view['day']} of {view['last_day']}" if view["day"] else "set-up")]
    if view["rows"]:
        rows.append(PanelRow("Prowling today", list_prowling(*view["rows"])))
    if own is not None:
        rows += _list_phases(view)
        rows.append(PanelRow("Phases of a day", _describe_allowance(own)))
    if view["roll"] is not None:
        rows.append(_describe_roll(view))
    rows += _list_orders(view)
    return Panel("plan", "Plan", rows=tuple(rows))


def _list_orders(view: View) -> list[PanelRow]:
    """Return the standing orders that can be given now; they are rarely needed, so they are not buttons (Z9)."""
    orders = [move for move in _list_moves(view) if move.startswith("order ")]
    return [PanelRow("Standing order", label(order).rpartition("/")[2], order) for order in orders]


def _list_phases(view: View) -> list[PanelRow]:
    own, question = view["own"], view["question"]
    rows = []
    for number, text in enumerate(own["plan"]):
        now = question is not None and question["phase"] == number + 1
        mark = MARKS["done" if number < own["phase"] else "now" if now else "later"]
        rows.append(PanelRow(f"{mark}Phase {number + 1}", name_phase(parse_step(text))))
    return rows


def _describe_allowance(own: Mapping[str, Any]) -> str:
    parts = [f"{own['basic']} basic"]
    if own["sunlight"]:
        parts.append(f"{own['sunlight']} sunlight, outside caves")
    parts += [f"1 extra {_EXTRA.get(activity) or capitalise(activity)}" for activity in own["extra"]]
    return "; ".join([*parts, *(["a pony's Move after each other Move"] if own["pony"] else [])])


def _describe_roll(view: View) -> PanelRow:
    roll = view["roll"]
    add = f" {roll['add']:+d}".replace("-", "−") if roll["add"] else ""
    dice = " and ".join(map(str, roll["dice"]))
    name = view["players"][roll["seat"]]["character"]
    result = f"{roll['result']}: {format_result(tuple(roll['words']))}"
    return PanelRow("Last roll", f"{name}, {roll['table']}: {dice}{add}, {result}")


# ---- what the viewer knows


def _places_panel(view: View) -> Panel:
    own = view["own"]
    rows = []
    if own is not None:
        sites = own["sites"]
        if sites:
            rows.append(PanelRow("Discovered", ", ".join(sites)))
        if own["knows_all_roads"]:
            rows.append(PanelRow("Secret roads", "all hidden paths and secret passages"))
        elif own["roads"]:
            rows.append(PanelRow("Secret roads", "; ".join(map(format_place, own["roads"]))))
    rows += _list_chit_rows(view)
    rows += [PanelRow(f"{box['name']}", _list_goods(box["goods"])) for box in view["boxes"] if _is_known(view, box)]
    rows += [PanelRow(f"Pile in {format_place(pile['at'])}", _list_goods(pile["goods"])) for pile in view["piles"]]
    return Panel("places", "Places", rows=tuple(rows) or (PanelRow("Known places", "none yet"),))


def _is_known(view: View, box: Mapping[str, Any]) -> bool:
    """Whether the viewer knows where a box is, and something is left in it."""
    names = {chit["name"] for chit in view["map"]["chits"]} | {*(view["own"] or {"sites": ()})["sites"]}
    return box["name"] in names and bool(box["goods"])


def _list_chit_rows(view: View) -> list[PanelRow]:
    tiles: dict[str, list[str]] = {}
    for chit in view["map"]["chits"]:
        if chit["name"]:
            tiles.setdefault(chit["tile"], []).append(chit["name"].replace("-", " "))
    return [PanelRow(format_place(tile), ", ".join(names)) for tile, names in tiles.items()]
