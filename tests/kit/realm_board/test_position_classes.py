"""Positions that differ only in spaces and facings, or by a symmetry, are in one class."""

from __future__ import annotations

import realmtable
from realmtable.kit.realm_board.position_classes import position_class, symmetry_class

REALM = realmtable.game("realm")


def test_spaces_and_facings_make_no_other_class() -> None:
    texts = [
        "W:Pa1,Bb2,Ec3N B:Bk11,Pl12 move=W",
        "W:Pa3,Bb2,Eb1W B:Bk11,Pj10 move=W",
        "W:Pa4,Bb2,Ec3N B:Bk11,Pl12 move=W",
    ]
    one, same, other = (position_class(REALM, REALM.decode(text)) for text in texts)
    assert one == same != other


def test_a_turned_board_with_changed_colours_is_in_the_same_class() -> None:
    texts = ["W:Pa1,Bb2 B:Bk5,Pj10 move=W", "W:Be2,Pc12 B:Pl12,Bk11 move=B"]
    one, other = (symmetry_class(REALM, REALM.decode(text)) for text in texts)
    assert one == symmetry_class(REALM, REALM.decode("W:Pl1,Bk2 B:Bb5,Pc10 move=W"))
    assert one != other


def test_in_a_game_without_pieces_on_spaces_each_state_is_a_class() -> None:
    game = realmtable.game("fantasy_realms")
    state = game.initial(3)
    assert position_class(game, state) == (game.encode(state),)
