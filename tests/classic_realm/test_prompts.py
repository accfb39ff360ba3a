"""What the acting seat is asked to do."""

from __future__ import annotations

from tests.classic_realm.helpers import TESTED, play, position, start

DOUBLE = "W:Fb2,Fe2,~k11*6 B:Fb8,Fk8,~h11*6 right=W owed=0"


def test_the_phases() -> None:
    assert TESTED.prompt(start(free_setup=True)) == "Place a frog on an empty pad."
    assert TESTED.prompt(start()) == "Move one of your frogs."


def test_the_right_to_two_moves() -> None:
    state = position(DOUBLE, double_moves=True)
    assert TESTED.prompt(state) == "Move one of your frogs; you may move twice this turn."
    assert TESTED.prompt(play(state, "Fb2b5")) == "Move a frog again, or end your turn."
    assert TESTED.prompt(play(state, "Fb2b5 end")) == "Move one of your frogs."
    assert TESTED.prompt(start(double_moves=True)) == "Move one of your frogs."
