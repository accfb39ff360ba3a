"""Steps of Realm in words, and the labels of buttons."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.realm.view import BUTTON_HANDLES
from tests.realm.helpers import GAME, SETUP, TESTED, play, position, start

PLAY = "W:Bh11,Pa7,Ea9E B:Be8,Bk2"


@pytest.mark.parametrize(
    ("text", "step", "expected"),
    [
        ("W: B: phase=bases", "Bh11", "Base on h11"),
        ("W:Bh11,Pa7 B:Bk2", "Pa7d7", "Power from a7 to d7, founding a Base on e8"),
        ("W:Bh11,Pa7 B:Bk2", "Pa7j7", "Power from a7 to j7, founding a Base on k8"),
        ("W:Bh11,Pa7,Be8 B:Bk2", "Pa7d7", "Power from a7 to d7, creating an Enforcer"),
        (PLAY, "Pa7d7", "Power from a7 to d7"),
        (PLAY, "Ea9d9", "Enforcer from a9 to d9"),
        (
            "W:Bh11,Pf8,Ea9E B:Be8,Bk2", "Ea9d9",
            "Enforcer from a9 to d9, capturing the Base on e8 and becoming immobile",
        ),
        ("W:Bh11,Pf8,Pf7,Ea9E B:Be8,Bk2", "Ea9d9", "Enforcer from a9 to d9, capturing the Base on e8"),
        (
            "W:Bh11,Ea9E B:Be8,Ef8N,Bk2", "Ea9d9",
            "Enforcer from a9 to d9, immobilising the Enforcer on f8 and becoming immobile",
        ),
        ("W:Bh11,Pd7,Ea9E B:Be8,Ef8N,Bk2", "Ea9d9", "Enforcer from a9 to d9, immobilising the Enforcer on f8"),
        (
            "W:Bh11,Ea9E B:Be8,Ef8N,Ef7N,Bk2", "Ea9d9",
            "Enforcer from a9 to d9, immobilising one of the Enforcers there",
        ),
        (PLAY, "Rb8", "Rearrange the Realm b8"),
        (PLAY, "offer", "Offer to end the game"),
        (PLAY + " offer=standing", "accept", "Accept the offer to end the game; the game ends"),
    ],
)  # fmt: skip
def test_a_step_is_described_with_its_effects(text: str, step: str, expected: str) -> None:
    assert TESTED.describe_last(position(text), step) == expected


@pytest.mark.parametrize(
    ("text", "steps", "expected"),
    [
        (PLAY, "Pa7d7 end", "End turn"),
        ("W:Bh11,Pa7,Be8 B:Bk2", "Pa7d7 Ef9S", "New Enforcer on f9, facing south"),
        ("W:Bh11,Ea9E B:Be8,Ef8N,Ef7N,Bk2", "Ea9d9 xEf7", "Enforcer on f7 immobilised, and the moving one too"),
        ("W:Bh11,Pe9,Ea9E B:Be8,Ef8N,Ef7N,Bk2", "Ea9d9 xEf7", "Enforcer on f7 immobilised"),
        (PLAY, "Rb8 Pc7", "Power put on c7"),
        (PLAY, "Rb8 Pc7 Ea9N", "Enforcer put on a9, facing north"),
        ("W:Bh11,Ea9x,Pb9 B:Be8", "Rb8 Pc7 Ea8x", "Immobile Enforcer put on a8"),
    ],
)
def test_later_steps_of_a_turn_are_described(text: str, steps: str, expected: str) -> None:
    assert TESTED.describe_last(position(text), steps) == expected


def test_the_set_up_is_described() -> None:
    state = play(start(), " ".join(SETUP.split()[:6]))
    assert GAME.describe_move(state, GAME.parse_move(state, "Pi10")) == "Power on i10"


def test_choices_and_variants_are_described() -> None:
    lone = "W:Bh11,Pa7 B:Bk2"
    assert (
        TESTED.describe_last(position(lone, optional_creation=True), "Pa7d7")
        == "Power from a7 to d7, which may found a Base on e8"
    )
    assert TESTED.describe_last(position(lone, optional_creation=True), "Pa7d7 Be8") == "New Base on e8"
    assert TESTED.describe_last(position(lone, optional_creation=True), "Pa7d7 -") == "No new Base"
    own = "W:Bh11,Pa7,Be8 B:Bk2"
    assert (
        TESTED.describe_last(position(own, optional_creation=True), "Pa7d7")
        == "Power from a7 to d7, which may create an Enforcer"
    )
    assert TESTED.describe_last(position(own, optional_creation=True), "Pa7d7 -") == "No new Enforcer"
    both = "W:Bh11,Pa9 B:Be8,Ec9x,Pc7"
    assert TESTED.describe_last(position(both, rearrange_both=True), "Rb8 Pa7 Pb7") == "Black's Power put on b7"
    assert (
        TESTED.describe_last(position(both, rearrange_both=True), "Rb8 Pa7 Pb7 Ea8x")
        == "Black's immobile Enforcer put on a8"
    )
    sacrifice = "W:Bh11,Pa1,Ec3x,Pc1,Pg10 B:Be8,Bh2,Bb2,Be5"
    expected = "Power on a1 sacrificed; the Enforcer on c3 is freed, facing east"
    assert TESTED.describe_last(position(sacrifice, power_sacrifice=True), "xPa1(Ec3E)") == expected
    conquest = "W:Bh11,Pf8,Pf7,Ea9E B:Be8,Bk2"
    expected = "Enforcer from a9 to d9, capturing the Base on e8 and founding a Base on e8"
    assert TESTED.describe_last(position(conquest, capture_replaces=True), "Ea9d9") == expected


def test_the_choice_of_the_first_player_is_described() -> None:
    state = start(choose_seat="both")
    assert GAME.describe_move(state, GAME.parse_move(state, "place:Black")) == "Black places first"
    state = play(state, "place:White " + SETUP)
    assert GAME.describe_move(state, GAME.parse_move(state, "move:White")) == "White moves first"


def test_an_illegal_step_is_refused() -> None:
    state = start()
    with pytest.raises(IllegalMove):
        GAME.describe_move(state, GAME.parse_move(state, "Pa1a9"))


def test_every_button_has_a_label_and_a_space_is_its_own() -> None:
    buttons = [*BUTTON_HANDLES.values(), "rearrange", "sacrifice", "first:White", "first:Black"]
    assert all(GAME.label(button) != button for button in buttons)
    view = GAME.view(GAME.initial(), 0)
    assert GAME.note(view, "rearrange").startswith("Choose the Realm to rearrange. You lift your Powers")
    assert GAME.note(view, "end") == ""
    assert (GAME.label("face:E"), GAME.label("first:Black")) == (
        "Which way should it face?/► Right (east)",
        "Black goes first",
    )
    assert (GAME.label("end"), GAME.label("c10")) == ("End turn", "c10")
