"""The picture of a view: the map, the map while it is built, a melee sheet, or the characters to choose from."""

from __future__ import annotations

from typing import Final, cast

from realmtable.engine.protocol import PictureLayer, View
from realmtable.games.magic_realm.picture import map_layers
from realmtable.games.magic_realm.picture.characters import draw_character_choice
from realmtable.games.magic_realm.picture.map_building import Building, draw_building, read_building
from realmtable.games.magic_realm.picture.map_ground import place_tiles
from realmtable.games.magic_realm.picture.melee.sheet import draw_melee, shows_combat
from realmtable.games.magic_realm.picture.plan import read_plan
from realmtable.games.magic_realm.view_parts.map_schema import MapData

SETUP_KINDS: Final = ("be", "gear", "secrets")  # what is done before the game, when the map is complete
NEW_LIFE_KINDS: Final = ("life", "outfit", "goals")  # what a player is asked who chooses another character (K8)
_TITLE: Final = "Magic Realm"


def draw(view: View, theme: str = "auto") -> str:
    """Return what moves in the picture of a view as SVG; `theme` is one of `picture_style.THEMES`."""
    title = f"{_TITLE}: {headline(view)}"
    if _shows_characters(view):
        taken = {player["character"]: player["seat"] for player in view["players"]}
        return draw_character_choice(taken, theme, title)
    if shows_combat(view):
        return draw_melee(view, theme, title)
    building = _find_building(view)
    marked = {handle for path in view.get("last") or () for handle in path}
    if building is None:
        return map_layers.draw(_map_of(view), theme, title, marked, plan=read_plan(view))
    return map_layers.draw(_map_of(view), theme, title, marked, (building.box, draw_building(building)))


def layers(view: View, theme: str = "auto") -> list[PictureLayer]:
    """Return the map under the picture; none while the picture shows characters or a melee sheet."""
    if _shows_characters(view) or shows_combat(view):
        return []
    building = _find_building(view)
    return map_layers.layers(_map_of(view), theme, None if building is None else building.box)


def headline(view: View) -> str:
    """Return the time of the game in a few words."""
    if view["part"] in ("setup", "over"):
        return {"setup": "set-up", "over": "the end"}[view["part"]]
    return f"day {view['day']} of {view['last_day']}, {view['part']}"


def _map_of(view: View) -> MapData:
    return cast("MapData", view["map"])


def _shows_characters(view: View) -> bool:
    """Whether the viewer chooses a character, or looks on while characters are chosen before the game."""
    if view["part"] == "setup":
        return view["doing"]["kind"] in SETUP_KINDS
    return view["question"] is not None and view["question"]["kind"] in NEW_LIFE_KINDS


def _find_building(view: View) -> Building | None:
    return read_building(view, place_tiles(view["map"]["tiles"]))
