"""The map in a terminal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.picture.terminal import sketch
from realmtable.games.magic_realm.view import view
from realmtable.kit.terminal_picture import STYLE_WORDS, plain_text, width
from tests.magic_realm.helpers.day_helpers import day
from tests.magic_realm.helpers.random_states import OPTIONS, random_states


def show(*fields: str, seat: int | None = 0, chits: str = "") -> str:
    return plain_text(sketch(view(day(*fields, heroes="Elf;Dwarf", chits=chits), MACHINE, seat)))


@pytest.mark.parametrize("options", OPTIONS)
def test_lines_fit_a_terminal(options: MagicOptions) -> None:
    for number, world in enumerate(random_states(4, options, Random(2), 300)):
        if number % 30 == 29:
            lines = sketch(view(world, MACHINE, 1))
            assert max(map(width, lines)) <= 80
            assert {word for line in lines for span in line for word in span.style.split()} <= STYLE_WORDS.keys()


def test_a_map_without_tiles_says_so() -> None:
    text = plain_text(sketch(view(first_state(2, MagicOptions(map="players")), MACHINE, 0)))
    assert text.splitlines()[:3] == ["Set-up", "", "No tile has been laid yet."]
    assert "  1 no character yet" in text
    assert "Roads" not in text


def test_tiles_show_who_is_there_and_words_say_where() -> None:
    text = show("1.at=CG2", "2.at=CG2", "2.unhidden", "denizens=Giant-1:CG6;Wolf-1:CG6")
    lines = text.splitlines()
    row = next(number for number, line in enumerate(lines) if "[CG]" in line)
    column = lines[row].index("[CG]")
    assert lines[row + 1][column : column + 7].strip() == "12 +2"
    assert "Crag 2, mountain. Elf, hidden. Dwarf" in text
    assert "1 Elf at CG2, hidden, 10 gold, 0 fame, 0 notoriety, 12 of 12 chits" in text
    assert "2 Dwarf at CG2, 0 fame" in text
    assert lines[-1].startswith("Roads from CG2: CG3")


def test_known_chits_are_named_and_unknown_ones_are_not() -> None:
    text = show("1.at=CG2", chits="CG:Bones/1;CG:Howl-4/1")
    assert "CG   Crag, mountain tile. Bones M, seen face down" in text
    assert "Crag 4, mountain. Howl 4, seen face down" in text
    assert "Howl" not in show("1.at=CG2", chits="CG:Bones/1;CG:Howl-4/1", seat=1)


def test_roads_that_are_not_discovered_are_marked() -> None:
    assert "(not discovered)" in show("1.at=DW1")
    assert "(not discovered)" not in show("1.at=DW1", "1.knows=DW1-DW4")
    assert "Roads" not in show("1.at=DW1", seat=None)


def test_a_character_on_a_road_is_in_its_first_tile() -> None:
    shown: dict[str, Any] = view(day(heroes="Elf;Dwarf"), MACHINE, 0)
    shown["map"]["heroes"][0]["at"] = shown["players"][0]["at"] = "BV2-BV5"
    shown["players"][1]["dead"] = True
    text = plain_text(sketch(shown))
    assert "Elf at BV2-BV5" in text
    assert "dead" in text
    assert "Roads" not in text
