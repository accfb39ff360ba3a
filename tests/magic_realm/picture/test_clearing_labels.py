"""Labels beside clearings: everything of a clearing in one place, readable, and not over other clearings."""

from __future__ import annotations

from itertools import combinations

import pytest

from realmtable.games.magic_realm.picture.clearing_labels import MAX_WIDTH, Wish, lay_out, place_labels
from realmtable.games.magic_realm.picture.counters import Contents, DrawnCharacter, DrawnChit, DrawnDenizens, Ghost
from realmtable.games.magic_realm.picture.map_ground import centre_of, place_tiles, plan_of
from realmtable.games.magic_realm.picture.map_layers import draw
from realmtable.games.magic_realm.picture.view_picture import draw as draw_view
from tests.magic_realm.helpers.day_helpers import day, play
from tests.magic_realm.helpers.sample_map import make_map, make_tiles
from tests.magic_realm.helpers.text_helpers import view_of
from tests.picture_checks import parse_svg, spaces_in, with_class

WOLVES = DrawnDenizens("Wolf", False, "M", "light", False, None, False, 3)
CROWD = Contents(
    "Inn",
    tuple(DrawnCharacter(name, is_hidden=False) for name in ("Elf", "Dwarf", "Druid", "Witch")),
    (WOLVES,),
    2,
    (DrawnChit("M", "Hoard", True),),
)


def test_a_label_shows_everything_once_in_rows_of_bounded_width() -> None:
    layout = lay_out(CROWD)
    kinds = [part.kind for part in layout.parts]
    assert kinds == ["dwelling", *["hero"] * 4, "group", "pile", "slip"]
    assert layout.wide <= MAX_WIDTH + 10
    spots = [part.at for part in layout.parts]
    assert all(abs(a[0] - b[0]) >= 15 or abs(a[1] - b[1]) >= 15 for a, b in combinations(spots, 2))


def test_only_chits_need_no_plate() -> None:
    assert lay_out(Contents("", (), (), 0, CROWD.slips)).is_bare
    assert not lay_out(CROWD).is_bare


@pytest.mark.parametrize("number", [0, 1, 2])
def test_labels_of_every_second_clearing_cover_no_clearing_and_each_other_little(number: int) -> None:
    tiles = place_tiles(make_tiles(number))
    middles = [
        (centre_of(placed)[0] + x, centre_of(placed)[1] + y)
        for placed in tiles
        for x, y in plan_of(placed).clearings.values()
    ]
    wishes = tuple(Wish(str(index), at, 33, 27) for index, at in enumerate(middles[::3]))
    spots = place_labels(tiles, (), wishes)
    boxes = [(wish.clearing[0] + spots[wish.name][0], wish.clearing[1] + spots[wish.name][1]) for wish in wishes]
    covered = [1 for x, y in boxes for a, b in middles if abs(a - x) < 16 + 8 and abs(b - y) < 13 + 8]
    assert len(covered) <= 2
    assert not [1 for (x, y), (a, b) in combinations(boxes, 2) if abs(a - x) < 20 and abs(b - y) < 16]


def test_the_plan_shows_numbers_a_ghost_and_who_comes() -> None:
    world = day("1.at=CG2", "1.plan=H;M_CG5;S", "denizens=Wolf-1:CG6;Wolf-2:CG6", "rows=3")
    picture = parse_svg(draw_view(view_of(world)))
    numbers = [[text.text for text in group.iter() if text.tag.endswith("text")] for group in picture.iter()]
    assert ["1"] in numbers
    assert ["2 3"] in numbers
    assert len(with_class(spaces_in(picture)["CG5"], "mr-taken")) == 1
    assert len(with_class(spaces_in(picture)["CG5"], "mr-coming")) == 1
    assert not with_class(parse_svg(draw_view(view_of(world, None))), "mr-phase")
    assert not with_class(parse_svg(draw_view(view_of(play(world, "next Elf")))), "mr-last")


def test_a_ghost_has_the_colour_of_its_seat() -> None:
    assert lay_out(Contents("", (), (), 0, (), Ghost("Elf", 3))).parts[0].kind == "ghost"
    assert 'data-readable="1.6"' in draw(make_map())
