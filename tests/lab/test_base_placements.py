"""The placements of the opening study: their numbers match the magazine's and the rules'."""

from __future__ import annotations

from collections import Counter

import pytest

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.lab.openings.base_placements import (
    all_placements,
    canonical_joint,
    class_of,
    classes,
    format_placement,
    joints,
    parse_placement,
    spread,
    symmetric_images,
)
from tests.realm.test_placements import finals

MAGAZINE = "b11-e8-h5", "b2-e5-h8"


def test_one_player_has_96_placements_in_16_classes() -> None:
    assert len(all_placements()) == 96
    assert len(classes()) == 16
    assert Counter(each.size for each in classes()) == {4: 8, 8: 8}
    assert sum(each.size for each in classes()) == 96


def test_both_have_5088_in_666() -> None:
    assert len(joints()) == 666
    assert sum(joint.ways for joint in joints()) == 5088


@pytest.mark.slow
def test_they_are_those_that_the_rules_allow() -> None:
    allowed = {(tuple(sorted(white)), tuple(sorted(black))) for white, black in finals()}
    assert {white for white, _ in allowed} == all_placements()
    assert {canonical_joint(white, black) for white, black in allowed} == {
        (joint.white, joint.black) for joint in joints()
    }
    ways = Counter(canonical_joint(white, black) for white, black in allowed)
    assert all(joint.ways == ways[joint.white, joint.black] for joint in joints())


def test_turning_the_board_changes_no_class() -> None:
    for bases in all_placements():
        assert {class_of(image) for image in symmetric_images(bases)} == {class_of(bases)}
    white, black = (parse_placement(text) for text in MAGAZINE)
    turned = {canonical_joint(*pair) for pair in zip(symmetric_images(white), symmetric_images(black), strict=True)}
    assert turned == {canonical_joint(white, black)}


def test_classes_are_named_from_the_central_and_close_ones_on() -> None:
    assert [each.name for each in classes()] == list("ABCDEFGHIJKLMNOP")
    assert [each.central for each in classes()] == sorted((each.central for each in classes()), reverse=True)
    far, near = parse_placement("b11-h2-k5"), parse_placement(MAGAZINE[0])
    assert (class_of(far).central, class_of(near).central) == (0, 2)
    assert spread(far) > spread(near)


@pytest.mark.parametrize("text", ["b11-e8-h5", "b11-h2-k5", "b2-e5-h8"])
def test_placements_are_read_as_they_are_written(text: str) -> None:
    assert format_placement(parse_placement(text)) == text


@pytest.mark.parametrize("text", ["", "b11", "b11-e8", "b11-e11-h5", "a1-b2-c3", "b11-e8-h5-k2", "b11-b11-h5"])
def test_what_is_no_placement_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="b11-e8-h5"):
        parse_placement(text)


def test_every_joint_placement_can_be_played_from() -> None:
    game = realmtable.game("realm")
    joint = joints()[0]
    pieces = [
        ",".join(f"B{name}" for name in format_placement(bases).split("-")) for bases in (joint.white, joint.black)
    ]
    state = game.decode(f"W:{pieces[0]} B:{pieces[1]} move=W phase=powers")
    assert game.to_move(state) == (0,)
