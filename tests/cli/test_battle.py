"""`realmtable battle`: chances for people and for programs, and one-sentence errors."""

from __future__ import annotations

import json

import pytest

from tests.cli.command_line import expect_refusal, run_cli

BATTLE = "Elf, Light Bow alerted : Giant"


def test_a_battle_for_people() -> None:
    done = run_cli("battle", BATTLE)
    assert done.code == 0, done.err
    for words in (
        "Elf against Giant",
        "Light Bow (alerted)",
        "33%",
        "44%",
        "undercuts 5",
        "by round",
        "Wounds on average",
    ):
        assert words in done.out
    assert "Killed" not in done.out


def test_a_battle_against_several() -> None:
    done = run_cli("battle", "Elf, no weapon : Giant, Wolf")
    assert "Killed on average: Giant" in done.out
    assert "Run with Move" in " ".join(done.out.split())


def test_a_battle_for_programs() -> None:
    done = run_cli("battle", BATTLE, "--game", "magic_realm", "--json")
    report = json.loads(done.out)
    assert report["plays"][0]["kill"] == pytest.approx(1 / 3)
    assert report["running"].startswith("If you fight, you have a ")


@pytest.mark.long
def test_a_long_battle_is_not_followed_to_the_end() -> None:
    done = run_cli("battle", "Dwarf : 3 Spear Goblin")
    assert "Not followed to the end" in done.out


def test_mistakes_are_named() -> None:
    assert "Perhaps you mean" in expect_refusal("battle", "Elf : Gobblin")
    assert "Realm has no battles" in expect_refusal("battle", BATTLE, "--game", "realm")
