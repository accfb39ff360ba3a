"""Groups of choices stand for the same choices in the same order, whatever the game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import CHANCE
from realmtable.server.tables.scenes.legal_choices import (
    add_words,
    expand_choices,
    group_choices,
    labels_of,
    list_choices,
)


@pytest.mark.parametrize("game_id", [info.id for info in registry.infos()])
def test_groups_stand_for_all_choices_in_order(game_id: str) -> None:
    game, rng = registry.game(game_id), Random(3)
    state = game.initial(game.info.seats[0])
    for _ in range(25):
        if not (acting := game.to_move(state)):
            break
        seat = acting[0]
        if seat == CHANCE:
            state = game.play(state, seat, rng.choice(game.chance(state)).move)
            continue
        choices = list_choices(game, state, seat, game.view(state, seat))
        assert expand_choices(group_choices(choices)) == choices
        state = game.play(state, seat, rng.choice(game.legal_moves(state, seat)))


@pytest.mark.parametrize(
    "choice",
    [
        {"move": "Ab2d1", "path": ["b2", "d1"], "words": "Archer to d1"},
        {"move": "Ab2d1!", "path": ["b2", "d1"]},
        {"move": "take a card", "path": ["a card"]},
        {"move": "wait", "path": []},
        {"move": "Ab2d1(H b5)", "path": ["b2", "d1"]},
        {"move": "Ab2d(1", "path": ["b2", "d(1"]},
        {"move": "(d1)", "path": ["d1"]},
    ],
)
def test_a_choice_that_groups_cannot_express_stays_as_it_is(choice: dict[str, Any]) -> None:
    group = {"move": "Ab2", "path": ["b2"], "ends": "d1"}
    others = expand_choices([group])
    assert group_choices([*others, choice, *others]) == [group, choice, group]


def test_groups_end_where_the_beginnings_differ() -> None:
    choices = [{"move": f"{kind}{at}{to}", "path": [at, to]} for kind, at, to in ("Abc", "Abd", "Bbc", "Aac", "Abe")]
    assert [group["ends"] for group in group_choices(choices)] == ["c d", "c", "c", "e"]
    assert choices == expand_choices(group_choices(choices))


def test_buttons_tell_what_their_step_costs_where_the_choices_have_words() -> None:
    game = registry.game("realms_of_etherium")
    tiles = "tiles=Portal@0,0;Transmute@1,0;Generate@1,-1 mages=1,0;1,-1;portal/portal;portal;portal"
    reserve = "reserve=Draw;Shift;Lessen;Accord;Bond;Network"
    state = game.decode(f"{tiles} {reserve} etherium=2.0/0.0 phase=enter active=1 entering=1.1 held=1,0")
    choices = list_choices(game, state, 0, game.view(state, 0))
    plain = labels_of(game, choices)
    assert plain == {"make:1:black": "Make Black/Make 1 Black", "skip": "Skip"}
    add_words(game, state, 0, choices)
    told = {"make:1:black": "Make Black/Turn 2 White into 1 Black and gain 1 Black", "skip": "Leave Transmute unused"}
    assert labels_of(game, choices) == told
    longer = [
        {"move": "use", "path": ["use", "again"], "words": "Use it"},
        {"move": "wait", "path": [], "words": "Wait"},
    ]
    assert labels_of(game, longer) == {"use": "Use the power"}
