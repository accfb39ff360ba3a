"""What the acting seat is asked to do."""

from __future__ import annotations

from itertools import islice

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.realm.first_state import State
from realmtable.games.realm.steps import StepKind
from realmtable.kit.realm_board.geometry import realm_name, realm_of
from tests.realm.helpers import GAME, SETUP, TESTED, ending, open_plays, phase_of, play, position, random_game, start

START = "Move a piece, or several out of or into one Realm."
QUIET = "W:Bh11,Bk11,Pa1 B:Bb2,Be2,Pg12"


@pytest.mark.parametrize(
    ("steps", "options", "expected"),
    [
        ("", {"choose_seat": "both"}, "Choose who places first."),
        ("", {}, "Place a Base on a highlighted Center."),
        ("Bh11 Bh2 Be8 Be5 Bb5 Bb8", {}, "Place a Power next to one of your Bases."),
        (SETUP, {"choose_seat": "move"}, "Choose who moves first."),
        (SETUP, {}, START),
        (SETUP, {"first_turn_single_power": True}, "Move a single Power."),
        (f"{SETUP} Pf7i7", {"first_turn_single_power": True}, "End your turn."),
    ],
)
def test_the_set_up_and_the_first_turn(steps: str, options: dict[str, OptionValue], expected: str) -> None:
    assert TESTED.prompt(play(start(**options), steps)) == expected


@pytest.mark.parametrize(
    ("board", "step", "expected"),
    [
        ("W:Bh11,Pa1,Pc1 B:Bb2,Bh2", "Pc1f1", "Keep moving from the Realm around b2, or end your turn."),
        (
            "W:Bh11,Pb1,Pc1 B:Bb2,Bh2",
            "Pc1f1",
            "Keep moving from the Realm around b2 into the Realm around e2, or end your turn.",
        ),
        ("W:Bh11,Pc1,Pf9 B:Bb2,Bh2", "Pc1f1", "Keep moving into the Realm around e2, or end your turn."),
        (
            "W:Bh11,Pa1,Pc1,Pf9 B:Bb2,Bh2",
            "Pc1f1",
            "Keep moving from the Realm around b2 or into the Realm around e2, or end your turn.",
        ),
        ("W:Bh11,Pc1 B:Bb2,Bh2", "Pc1f1", "End your turn."),
    ],
)
def test_a_turn_goes_on_from_or_into_a_realm(board: str, step: str, expected: str) -> None:
    assert TESTED.prompt(play(position(board), step)) == expected


def test_agreement() -> None:
    state = play(position(QUIET), "offer Pa1d1 end")
    assert TESTED.prompt(state) == "Accept the offer to end the game, or play on."
    assert TESTED.prompt(play(state, "offer")) == START


def test_without_a_move() -> None:
    assert TESTED.prompt(position("W:Bh11 B:Bh2")) == "Rearrange a Realm, or pass if you cannot."
    assert TESTED.prompt(position("W:Bh11,Eg10x B:Bh2")) == "Rearrange a Realm, or pass if you cannot."


def test_after_a_sacrifice() -> None:
    state = position("W:Bh11,Pa1,Ec3x,Pc1,Pg10 B:Be8,Bh2,Bb2,Be5", power_sacrifice=True)
    assert TESTED.prompt(play(state, "xPa1(Ec3N)")) == "Move a piece out of the Realm around b2."


def test_events() -> None:
    board = "W:Bh11,Be8,Pa7 B:Bk2"
    create = "Place the new Enforcer and choose where it faces"
    assert TESTED.prompt(play(position(board), "Pa7d7")) == f"{create}."
    assert TESTED.prompt(play(position(board, optional_creation=True), "Pa7d7")) == f"{create}, or decline it."
    state = play(position("W:Bh11,Pa7 B:Bk2", optional_creation=True), "Pa7d7")
    assert TESTED.prompt(state) == "Place the new Base, or decline it."
    state = play(position("W:Bh11,Ea7E B:Be8,Bk2,Ef8N,Ef9S"), "Ea7d7")
    assert TESTED.prompt(state) == "Choose an enemy Enforcer to immobilise."


def test_a_rearrangement() -> None:
    state = play(position("W:Bh11,Pg10,Eg11N,Eg12x B:Bh2,Pi10", rearrange_both=True), "Rh11")
    assert TESTED.prompt(state) == "Put your Power back on a highlighted space."
    state = play(state, "Ph10")
    assert TESTED.prompt(state) == "Put your Enforcer back and choose where it faces."
    state = play(state, "Eg10N")
    assert TESTED.prompt(state) == "Put your immobile Enforcer back on a highlighted space."
    state = play(state, "Ei12x")
    assert TESTED.prompt(state) == "Put Black's Power back on a highlighted space."


@pytest.mark.parametrize("seed", range(6))
def test_a_prompt_names_the_plays_that_can_go_on(seed: int) -> None:
    for state, _ in islice(random_game(seed), 200):
        if ending(state) is None and phase_of(state) == "turn" and GAME.view(state, None)["open"]["moves"]:
            assert set(TESTED.prompt(state).removesuffix(".").split(", or ")) == plays_of(state)


def plays_of(state: State) -> set[str]:
    """The words of a prompt in the middle of a turn, from the legal moves."""
    moves = [step for step in TESTED.steps(state) if step.kind == StepKind.MOVE]
    origin, target = open_plays(state)
    kinds = {(realm_name(realm_of(step.at)) == origin, realm_name(realm_of(step.to)) == target) for step in moves}
    if not kinds:
        return {"End your turn"}
    plays = [f"from the Realm around {origin}"] * ((True, False) in kinds) + [f"into the Realm around {target}"] * (
        (False, True) in kinds
    )
    both = f"from the Realm around {origin} into the Realm around {target}"
    return {f"Keep moving {' or '.join(plays) or both}", "end your turn"}
