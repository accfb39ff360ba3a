"""Numbers of steps: every verb of a player has them, and roadways are numbered by their other end."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.magic_realm.actions import CHANCE_VERBS, VERBS, action_of, find_move, numbering
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.world import step_text
from realmtable.games.magic_realm.world.places import road_place
from realmtable.games.magic_realm.world.steps import Step

GAME_WITH_TWO = GAME.initial(2)


def test_every_verb_has_numbers_or_belongs_to_chance() -> None:
    assert {*VERBS, *CHANCE_VERBS} == {*step_text.VERBS}
    assert not {*VERBS} & {*CHANCE_VERBS}


def test_verbs_have_as_many_arguments_as_in_notation() -> None:
    for verb, kinds in VERBS.items():
        pony = verb == "M"  # a Move of the pony has one argument more
        assert len(kinds) == len(step_text.VERBS[verb]) + pony, verb


def test_the_numbers_of_verbs_follow_each_other() -> None:
    """The first numbers of some verbs are written down: they must not change."""
    first = numbering().first
    assert [*first] == [*VERBS]
    assert (first["M"], first["H"], first["activate"], first["run"], first["set"]) == (0, 288, 3266, 22067, 64469)
    assert numbering().size == GAME.count_actions() == 64946


@pytest.mark.parametrize(
    "texts",
    [
        ("M AV1", "M AV2", "M AV1 pony", "M AV2 pony", "H"),
        ("peer", "peer AV1", "peer DV5"),
        ("tire Move L4", "tire Move L4 for Move L3*", "tire Move L3* for Move L4"),
        ("place -19 19", "place 19 -19", "place 0 0", "turn 0", "turn 5"),
        ("strike thrust Move L4", "strike smash Move L4", "evade charge Move L4", "alert", "alert Move L4"),
    ],
)
def test_different_steps_have_different_numbers(texts: tuple[str, ...]) -> None:
    actions = [action_of(GAME_WITH_TWO, 0, step_text.parse_step(text)) for text in texts]
    assert len({*actions}) == len(texts)
    assert all(0 <= action < GAME.count_actions() for action in actions)


def test_roadways_are_numbered_by_their_other_end() -> None:
    here, east, west = (step_text.CLEARING.read(name) for name in ("BV4", "BV2", "BV5"))
    assert here is not None
    assert east is not None
    assert west is not None
    world = GAME_WITH_TWO.fork()
    world.move_hero(0, here)
    toward = [action_of(world, 0, Step("run", (road_place(here, end), 3))) for end in (east, west)]
    assert len({*toward}) == 2
    world.move_hero(0, east)
    back, far = (action_of(world, 0, Step("run", (road_place(east, end), 3))) for end in (here, west))
    assert far == toward[1], "the number is that of the clearing at the other end"
    assert back not in toward


def test_numbers_without_a_legal_step_are_refused() -> None:
    legal = [Step("H"), Step("S")]
    assert find_move(GAME_WITH_TWO, 0, action_of(GAME_WITH_TWO, 0, Step("S")), legal) == Step("S")
    with pytest.raises(IllegalMove, match="No legal step has the number 64944 now"):
        find_move(GAME_WITH_TWO, 0, 64944, legal)
