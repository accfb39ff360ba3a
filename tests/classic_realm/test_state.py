"""A state is a value; its view is plain data; a step has its number and its clicks; the board has no preferred side."""

from __future__ import annotations

import json
from itertools import product
from typing import cast

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.layout import DOUBLE_MOVE_HOLDER, NOBODY, OWED_TURNS, SEAT, STEP_CODES
from realmtable.games.classic_realm.rules import position_key
from realmtable.games.classic_realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import Symmetry, cell_name, center_of, find_cell, realm_of, transform_cell
from tests.classic_realm.helpers import GAME, TESTED, play, position, random_game, seat_of, start
from tests.classic_realm.test_codec import WON
from tests.classic_realm.test_rules import FAR, FULL, RING
from tests.state_checks import StateChecks, check_clicks, check_unused_keys_do_not_matter


class TestState(StateChecks):
    tested = TESTED
    shown = f"<Classic Realm {FAR} move=W>"
    step_codes = STEP_CODES
    others = (
        "options=max_plies=20",
        "options=double_moves=on",
        "owed=1 options=double_moves=on",
        "right=W owed=0 options=double_moves=on",
        "right=W owed=0 phase=second options=double_moves=on",
        "seen=",
    )


# ---- values


def test_positions_have_other_keys_if_the_turn_or_the_right_to_a_double_move_differs() -> None:
    """T2 compares them by their key, so two of these must not have the same."""
    keys = set()
    changed = position(FAR).position.copy()
    for seat, holder, owed in product((0, 1), (NOBODY, 0, 1), (0, 1, 2)):
        changed[SEAT], changed[DOUBLE_MOVE_HOLDER], changed[OWED_TURNS] = seat, holder, owed
        keys.add(position_key(changed))
    assert len(keys) == 2 * 3 * 3


def test_what_lies_beyond_the_seen_keys_does_not_matter() -> None:
    check_unused_keys_do_not_matter(position(FAR))


def test_a_key_follows_the_frogs_there_and_back() -> None:
    state = position(FAR)
    assert GAME.rules.key(play(state, RING).position) == GAME.rules.key(state.position)
    assert play(state, RING) != state  # the turns


def test_two_sit_down() -> None:
    with pytest.raises(BadOptions, match="2 players, not 3"):
        GAME.initial(3)
    assert GAME.initial() == start()


# ---- views


def test_what_a_view_says() -> None:
    view = GAME.view(position(FULL + " turns=6 owed=1", double_moves=True), 1)
    assert json.loads(json.dumps(view)) == view
    assert (view["phase"], view["turn"], view["to_move"]) == ("turn", {"number": 4, "seat": 0}, [0])
    assert (view["pads"], view["water"], view["unplaced"]) == ([4, 3], [4, 5], [0, 0])
    assert (view["right"], view["outcome"]) == ({"seat": 1, "owed": 1}, None)
    assert view["pieces"][0] == {"at": "b2", "seat": 0, "swims": False}
    assert {"at": "d4", "seat": 0, "swims": True} in view["pieces"]
    assert len(view["pieces"]) == 16


def test_the_view_of_a_set_up_and_of_an_end() -> None:
    view = GAME.view(play(start(free_setup=True), "Fb2 Fk11 Fe2"), None)
    assert (view["phase"], view["unplaced"], view["right"]) == ("place", [6, 7], None)
    view = GAME.view(position(WON), None)
    assert view["to_move"] == []
    assert view["outcome"] == {
        "scores": [1, 0],
        "winner": 0,
        "reason": "all_in_water",
        "text": "All of Black's frogs are in the water: White wins.",
    }


# ---- steps


@pytest.mark.parametrize(
    ("text", "clicks"), [("Fb2e2", ("b2", "e2")), ("Fb2", ("b2",)), ("end", ("end",)), ("pass", ("pass",))]
)
def test_the_clicks_that_mean_a_step(text: str, clicks: tuple[str, ...]) -> None:
    check_clicks(TESTED, start(), text, clicks)


# ---- symmetry: the pond may be turned or mirrored, and the colours swapped


def transform_text(state: State, symmetry: Symmetry, swap: bool) -> str:
    """The line of a state after a symmetry of the board, without its history."""
    sides = ["", ""]
    view = GAME.view(state, None)
    for seat in range(2):
        frogs = []
        for piece in view["pieces"]:
            cell = find_cell(piece["at"])
            assert cell is not None
            if piece["seat"] == seat:
                pad = transform_cell(center_of(realm_of(cell)), symmetry)
                frogs.append(("~" if piece["swims"] else "F") + cell_name(pad))
        sides[seat ^ swap] = ",".join(frogs)
    fields = [f"W:{sides[0]}", f"B:{sides[1]}", f"move={'WB'[seat_of(state) ^ swap]}"]
    if view["right"]:
        fields.append(
            f"right={'WB'[view['right']['seat'] ^ swap]} owed={view['right']['owed']} options=double_moves=on"
        )
    if view["phase"] == "second":
        fields.append("phase=second")
    return " ".join(fields)


def transform_step(step: Step, symmetry: Symmetry) -> Step:
    if step.kind != StepKind.MOVE:
        return step
    return Step(step.kind, transform_cell(step.at, symmetry), transform_cell(step.to, symmetry))


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("symmetry", range(8))
def test_turned_ponds_have_turned_steps(symmetry: int, swap: bool) -> None:
    way = cast("Symmetry", symmetry)
    for seed in range(3):
        for state, step in list(random_game(seed, free_setup=False))[5:60:9]:
            if step is None:
                continue
            image = GAME.decode(transform_text(state, way, swap))
            steps = {transform_step(each, way) for each in GAME.legal_moves(state, seat_of(state))}
            assert steps == set(GAME.legal_moves(image, seat_of(image)))
            after = GAME.play(state, seat_of(state), step)
            image_after = GAME.play(image, seat_of(image), transform_step(step, way))
            if GAME.outcome(after) is None and GAME.outcome(image_after) is None:
                expected, found = transform_text(after, way, swap), transform_text(image_after, 0, False)
                assert GAME.decode(expected) == GAME.decode(found)
            assert GAME.evaluate(state, 0) == pytest.approx(GAME.evaluate(image, int(swap)))


def test_where_the_frogs_swim_matters() -> None:
    assert position(FAR) != position(FAR.replace("~e5*4,~h8*3", "~e5*3,~h8*4"))
