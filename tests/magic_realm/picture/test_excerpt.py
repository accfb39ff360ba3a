"""Small pictures: the tile in focus and those around it."""

from __future__ import annotations

from typing import Any

from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.picture.excerpt import cut_out
from realmtable.games.magic_realm.picture.view_picture import draw, layers
from realmtable.games.magic_realm.view import view
from tests.magic_realm.helpers.flow_helpers import position


def tiles_of(shown: dict[str, Any]) -> set[str]:
    return {tile["tile"] for tile in shown["map"]["tiles"]}


def test_only_the_tile_in_focus_and_its_neighbours_are_left() -> None:
    world = position("1.at=CG2", "2.at=CG2-B2", "3.at=LW5", "denizens=Giant-1:CG5;Wolf-1:LW5", heroes="Elf;Dwarf;Witch")
    whole = view(world, MACHINE, 0)
    cut = cut_out(whole)
    assert "CG" in tiles_of(cut) < tiles_of(whole)
    assert len(tiles_of(cut)) <= 7
    assert [hero["at"] for hero in cut["map"]["heroes"]] == ["CG2", "CG2-B2"]
    assert "Giant-1" in [denizen["name"] for denizen in cut["map"]["denizens"]]
    assert "Wolf-1" not in [denizen["name"] for denizen in cut["map"]["denizens"]]
    assert {chit["tile"] for chit in cut["map"]["chits"]} <= tiles_of(cut)
    assert len(draw(cut)) < len(draw(whole))
    assert len(layers(cut)[0].svg) < 0.7 * len(layers(whole)[0].svg)


def test_a_view_without_a_focus_stays_whole() -> None:
    shown = view(first_state(1, MagicOptions(map="stock1")), MACHINE, None)
    assert shown["map"]["focus"] == ""
    assert cut_out(shown) == shown


def test_a_tile_can_be_in_focus() -> None:
    shown = view(position("1.at=CG2"), MACHINE, 0)
    shown["map"]["focus"] = "CG"
    assert "CG" in tiles_of(cut_out(shown))
