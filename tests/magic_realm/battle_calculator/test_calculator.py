"""The report of the battle calculator: plain data, and sentences that say why."""

from __future__ import annotations

import json

import pytest

from realmtable.games.magic_realm.battle_calculator import forecast
from realmtable.games.magic_realm.battle_calculator.calculator import CALCULATOR

UNDERCUT = "time 3 undercuts 4, so it always hits"
NO_UNDERCUT = "does not undercut 3, so it hits only if the directions match"
BOXES = "thrust and charge, swing and dodge, smash and duck"


@pytest.fixture(autouse=True)
def few_melees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow fights less far: while coverage is measured, each melee takes long."""
    monkeypatch.setattr(forecast, "MAX_MELEES", 1_000)
    monkeypatch.setattr(forecast, "MIN_SITUATIONS", 2)


def calculate(text: str) -> dict[str, object]:
    report = CALCULATOR.calculate(CALCULATOR.read(text))
    json.dumps(report)
    return report


def test_a_report_names_the_battle_its_plays_and_reasons() -> None:
    report = calculate("Elf, Light Bow alerted : Giant")
    assert report["title"] == "Elf against Giant"
    assert report["gear"] == ["Light Bow (alerted)"]
    assert isinstance(report["plays"], list)
    assert report["plays"][0]["words"] == "Attack the Giant with Fight M4 (thrust) and charge with Move L2*."
    assert report["plays"][0]["kill"] == pytest.approx(1 / 3)
    assert report["reasons"] == [
        "Your Light Bow: time 1 undercuts 5, so it always hits. Harm T kills the Giant.",
        "It does H, changed by the Missile table from two levels more to three levels less.",
        "The Giant: time 5 does not undercut 2, so it hits only if the directions match.",
        "Its giant club: time 6 does not undercut 2, so it hits only if the directions match.",
        f"Any directions will do, as long as attack and manoeuvre are in the same box ({BOXES}).",
    ]
    assert report["kills"] == [{"name": "Giant", "number": pytest.approx(1 / 3)}]


def test_plays_differ_in_what_they_bring() -> None:
    plays = calculate("White Knight : Giant, Wolf")["plays"]
    assert isinstance(plays, list)
    assert len(
        {(play["words"].split(" with ")[0], play["kill"], play["die"], play["wounded"]) for play in plays}
    ) == len(plays)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "Dwarf : Spear Goblin",
            f"The Spear Goblin: it does not attack with this side; if it turns over (31%), time 5 {NO_UNDERCUT}.",
        ),
        ("White Knight, Warhorse-1 : T Troll", "It does above T. One star is lost on its armour."),
        ("Dwarf : Wolf", "It does T."),
        (
            "Elf : Wolf",
            f"Your Light Bow: time 3 {NO_UNDERCUT}; if the Wolf turns over (31%), {UNDERCUT}. Harm M kills the Wolf.",
        ),
    ],
)
def test_reasons_tell_what_is_special(text: str, sentence: str) -> None:
    reasons = calculate(text)["reasons"]
    assert isinstance(reasons, list)
    assert sentence in reasons


@pytest.mark.long
def test_titles_count_monsters_and_name_sides_and_damage() -> None:
    report = calculate("Amazon, Helmet damaged, Pony-1 : 2 Wolf, Wolf dark")
    assert report["title"] == "Amazon against 2 × Wolf, Wolf (dark)"
    assert report["gear"] == ["Helmet (damaged)", "Pony-1", "Short Sword (unalerted)"]


def test_a_character_that_cannot_move_is_told_so() -> None:
    chits = "Move M4, Move M3*, Move M4, Move M3*, Move M3*"
    moves = ", ".join(f"wounded {label}" for label in chits.split(", "))
    report = calculate(f"Amazon, {moves}, no armour : Wolf")
    assert isinstance(report["reasons"], list)
    assert "The Wolf: it always hits, because you do not manoeuvre." in report["reasons"]


def test_a_character_that_can_do_nothing_plays_nothing() -> None:
    chits = ", ".join(
        f"wounded {label}"
        for label in (
            "Move M4",
            "Move M3*",
            "Move M4",
            "Move M3*",
            "Move M3*",
            "Fight M5",
            "Fight M4*",
            "Fight M3**",
            "Fight H4**",
            "Fight M4*",
            "Fight M3**",
        )
    )
    report = calculate(f"Amazon, Great Axe, no armour, {chits} : Wolf")
    assert isinstance(report["plays"], list)
    assert [play["words"] for play in report["plays"]] == ["Play nothing."]


def test_a_shield_is_part_of_the_play() -> None:
    plays = calculate("Amazon : Giant")["plays"]
    assert isinstance(plays, list)
    assert "hold the shield against " in plays[0]["words"]


def test_without_a_weapon_the_dagger_is_used_and_not_listed() -> None:
    report = calculate("Swordsman, no weapon : Wolf")
    assert report["gear"] == []
    assert isinstance(report["reasons"], list)
    assert report["reasons"][0].startswith("Your dagger: ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("White Knight : Giant", []),
        ("Elf, no weapon : 2 Giant", ["% chance of dying", "Run with Move M4: its time, 4, is below 5."]),
        ("Swordsman, no weapon : Giant, Wolf", ["Run with Move L2**", "One Move star has to be paid afterwards."]),
        ("Wizard, no weapon : 2 Giant Bat, Giant", ["you have nothing to run with: it would need a time below 3."]),
        ("Elf, no weapon : T Troll dark", ["a monster that is red side up does not let you run."]),
    ],
)
def test_e14_running_is_advised_when_death_is_likely(text: str, words: list[str]) -> None:
    advice = calculate(text)["running"]
    assert isinstance(advice, str)
    assert bool(advice) == bool(words)
    assert [word for word in words if word not in advice] == [], advice
