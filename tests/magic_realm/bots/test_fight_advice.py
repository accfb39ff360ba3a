"""Advice in combat names the best answer with its chances."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.games.magic_realm.bots.advice import advise_view
from realmtable.games.magic_realm.bots.fight_advice import describe_answer
from realmtable.games.magic_realm.combat_flow.state import Fight
from tests.magic_realm.helpers.bot_fight_helpers import ROAD, look
from tests.magic_realm.helpers.fight_helpers import clash, go, skip, warrior

KNIGHT = warrior("White Knight", 0, "Great Sword", "Suit of Armor-1", exits=(ROAD,))
ELF = warrior("Elf", 1, exits=(ROAD,))


def advise(fight: Fight, seat: int = 0) -> dict[str, Any]:
    return advise_view({**look(fight, seat)}, Random(1))


def test_the_best_play_is_named_with_its_chances() -> None:
    aiming = skip(clash(KNIGHT, monsters=["Giant-1"]), "aim")
    aimed = advise(aiming)
    assert (aimed["move"], aimed["words"]) == ("aim Giant-1", "Aim at the Giant 1")
    assert aimed["charts"][0]["choices"][-1]["words"] == "Aim at no one"
    found = advise(go(aiming, "aim Giant-1"))
    assert found["words"].startswith("Attack the Giant with Fight ")
    assert found["move"].startswith("strike ")
    assert "chance of killing the Giant" in found["reason"]
    assert "undercut" in found["reason"]
    assert [row["best"] for row in found["charts"][0]["choices"]][:2] == [True, False]
    idle = advise(go(aiming, "aim none"))
    assert idle["reason"].startswith("You have a ")
    assert "killing" not in idle["reason"]


def test_actions_are_compared() -> None:
    found = advise(skip(clash(warrior("Elf", 0, exits=(ROAD,)), monsters=["T Troll-1"]), "act"))
    assert found["words"].startswith("Run onto the roadway")
    assert [row["words"] for row in found["charts"][0]["choices"]][-1] == "Do nothing"
    assert found["charts"][0]["choices"][0]["value"] > 0


def test_an_attack_from_hiding_is_advised_without_a_blow_in_return() -> None:
    hidden = warrior("White Knight", 0, "Great Sword", "Suit of Armor-1", exits=(ROAD,), is_hidden=True)
    quiet = clash(hidden, monsters=["Giant-1"])
    assert advise(quiet)["words"] == "Begin a round of combat"
    found = advise(go(skip(go(quiet, "stir"), "aim"), "aim Giant-1"))
    assert "a 0% chance of being killed" in found["reason"]
    assert "undercut" not in found["reason"]


def test_characters_are_answered_with_what_is_fast() -> None:
    amazon = warrior("Amazon", 0, "Short Sword-1", exits=(ROAD,))
    charging = go(clash(amazon, ELF), "stir")
    assert advise(charging)["words"] == "Charge no one"
    fight = go(skip(go(charging, "charge Elf with Move M4"), "next"), "next Elf")
    assert advise(fight, 1)["words"] == "Aim at the Amazon"
    found = advise(go(fight, "aim Amazon", "next Amazon", "aim Elf"), 1)
    assert "guess" in found["reason"]
    assert " with Fight " in found["words"]


@pytest.mark.parametrize(
    ("kind", "step", "words"),
    [
        ("quiet", "rest easy", "Rest easy"),
        ("lure", "lure Wolf-2", "Lure the Wolf 2"),
        ("lure", "lure H Spider-2", "Lure the heavy Spider 2"),
        ("lure", "pass", "Lure no one"),
        ("act", "alert Fight M4", "Turn your weapon over with Fight M4"),
        ("act", "berserk", "Go berserk"),
        ("play", "evade duck Move M4", "Duck with Move M4"),
        ("play", "shield smash", "Hold your shield against smash"),
        ("wounds", "wound Move M4", "Take the wound on Move M4"),
    ],
)
def test_answers_read_as_on_their_buttons(kind: str, step: str, words: str) -> None:
    assert describe_answer(kind, step) == words
