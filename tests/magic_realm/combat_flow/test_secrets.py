"""Secret plays, and refusals in a fight."""

from __future__ import annotations

import random

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.secrets import are_plays_secret, hide_plays, redraw_plays
from realmtable.games.magic_realm.combat_flow.state import Fight
from tests.clause_checks import clauses_of
from tests.magic_realm.helpers.fight_helpers import clash, go, random_fight, skip, step, warrior
from tests.magic_realm.helpers.rules_text import COMBAT_RULES, RULES


def _playing() -> Fight:
    fight = clash(warrior("Amazon", 0, "Mace-1", "Shield-1"), warrior("Elf", 1), warrior("Druid", 2))
    fight = go(skip(go(fight, "stir"), "next"), "next Amazon", "aim Elf")
    return skip(fight, "play")


def test_c7_others_see_only_who_is_ready() -> None:
    before = _playing()
    after = go(before, "0: strike swing Fight M5", "0: shield smash")
    assert hide_plays(after, 1) == hide_plays(before, 1)
    assert hide_plays(after, None) == hide_plays(before, None)
    assert hide_plays(after, 0) == after
    ready = go(after, "0: ready")
    other = go(before, "0: shield thrust", "0: ready")
    assert hide_plays(ready, 1) == hide_plays(other, 1) != hide_plays(before, 1)
    shown = go(ready, "1: ready", "2: ready")
    assert hide_plays(shown, 1) == shown


def test_c7_redrawn_plays_look_the_same_and_differ() -> None:
    fight = go(_playing(), "0: strike swing Fight M5", "0: shield smash", "0: ready", "1: evade duck Move M4")
    rng = random.Random(1)
    drawn = [redraw_plays(fight, 2, rng) for _ in range(20)]
    assert all(hide_plays(each, 2) == hide_plays(fight, 2) for each in drawn)
    assert all(machine.list_answers(each, 2) == machine.list_answers(fight, 2) for each in drawn)
    assert len({each.warrior(0).draft for each in drawn}) > 5
    assert {each.warrior(1).draft for each in drawn} == {()}
    assert redraw_plays(fight, 0, rng).warrior(0).draft == fight.warrior(0).draft
    quiet = clash(warrior("Elf", 0))
    assert redraw_plays(quiet, 0, rng) == quiet
    assert not are_plays_secret(go(quiet, "rest easy"))


# ---- refusals


def _refusal(fight: Fight, text: str) -> str:
    seat = machine.list_deciding(fight)[0]
    with pytest.raises(IllegalMove) as caught:
        machine.play(fight, seat, step(text))
    return caught.value.clause


def test_refusals_name_their_clause() -> None:
    quiet = clash(warrior("Elf", 0))
    assert _refusal(quiet, "pass") == "E6"
    wolf = clash(warrior("Swordsman", 0), monsters=["Wolf-1"])
    assert _refusal(wolf, "done") == "E7"
    acting = go(wolf, "pass")
    refused = ("pass", "run Move L3*", "run Fight L2**", "alert Fight L2**", "berserk")
    assert [_refusal(acting, text) for text in refused] == ["E12", "E12", "E14", "E13", "E13"]
    assert _refusal(acting, "pack Mace-1") == "E19"
    assert _refusal(go(acting, "done"), "die 3") == "Z7"
    aiming = go(acting, "done", "next Swordsman")
    assert _refusal(aiming, "aim Elf") == "C3"
    rivals = go(clash(warrior("Amazon", 0), warrior("Elf", 1), monsters=["Wolf-1"]), "lure Wolf-1", "pass")
    assert _refusal(rivals, "done") == "E11"
    charged = skip(go(rivals, "charge Elf with Move M3*"), "next")
    assert _refusal(go(charged, "next Amazon"), "aim Wolf-1") == "C4"


def test_e15_refused_while_held() -> None:
    fight = skip(clash(warrior("White Knight", 0, "Suit of Armor-1"), monsters=["Octopus"]), "reposition")
    fight = skip(go(fight, "die 1"), "act")
    assert _refusal(fight, "run Move H5*") == "E15"


def test_refused_plays_name_their_clause() -> None:
    knight = warrior("White Knight", 0, "Great Sword", "Warhorse-3")
    fight = go(clash(knight, monsters=["Wolf-1"]), "pass", "done", "next White Knight")
    idle, aimed = go(fight, "aim none"), go(fight, "aim Wolf-1")
    assert _refusal(idle, "strike swing Fight H6") == "C3"
    assert _refusal(aimed, "turn weapon Fight H6") == "C12"
    assert _refusal(aimed, "strike swing Fight M4") == "C7"
    assert _refusal(aimed, "evade duck Fight H6") == "C7"
    assert _refusal(go(aimed, "evade duck Move H4**"), "strike swing Fight T5*") == "C8"
    assert _refusal(go(aimed, "evade duck Move H4**"), "evade duck Move H6") == "C7"
    assert _refusal(go(aimed, "strike swing Fight H6"), "strike swing Fight T5*") == "C7"
    assert _refusal(aimed, "set Wolf-1 swing") == "C11"
    assert _refusal(aimed, "shield swing") == "C7"
    weak = skip(clash(warrior("Amazon", 0, "Great Sword", "-Suit of Armor-1"), monsters=["Wolf-1"]), "aim")
    weak = go(weak, "aim Wolf-1")
    assert [_refusal(weak, text) for text in ("strike swing Fight M5", "evade duck Move M4")] == ["C9", "C9"]
    dwarf = go(skip(clash(warrior("Dwarf", 0), monsters=["Wolf-1"]), "aim"), "aim Wolf-1")
    assert _refusal(dwarf, "evade charge Duck T3*") == "C7"
    alerted = go(clash(warrior("Elf", 0, "Light Bow-1")), "stir", "alert Fight M4")
    assert _refusal(skip(alerted, "play"), "turn weapon Fight M4") == "C7"
    rider = go(clash(warrior("Captain", 0, "Pony-1"), warrior("Elf", 1)), "stir", "charge Elf with Pony-1 gallop")
    assert _refusal(skip(rider, "play"), "evade duck Pony-1 gallop") == "C1"


def test_c7_no_riding_while_held() -> None:
    knight = warrior("White Knight", 0, "Suit of Armor-1", "Warhorse-1")
    fight = skip(clash(knight, monsters=["Octopus"]), "reposition")
    fight = skip(go(fight, "die 1"), "act")
    assert _refusal(skip(fight, "play"), "evade duck Warhorse-1 walk") == "C7"


def test_costs_are_refused_with_their_clause() -> None:
    fight = go(clash(warrior("Swordsman", 0), monsters=["Wolf-1"]), "pass", "run Move L2**")
    assert _refusal(fight, "tire Fight L3*") == "W4"
    struck = skip(clash(warrior("Amazon", 0, "Breastplate-1"), monsters=["Giant Bat-1"]), "wounds")
    assert _refusal(struck, "tire Move M3*") == "W5"


def test_every_refusal_in_random_fights_has_a_clause() -> None:
    known = {*clauses_of(COMBAT_RULES), *clauses_of(RULES)}
    rng = random.Random(7)
    asked = []
    for _ in range(6):
        fight = machine.begin(random_fight(rng))
        while fight.agenda:
            seat = rng.choice(machine.list_deciding(fight))
            answers = machine.list_answers(fight, seat)
            asked += answers
            other = rng.choice(asked)
            if other not in answers:
                with pytest.raises(IllegalMove) as caught:
                    machine.play(fight, seat, other)
                assert caught.value.clause in known
            usable = [each for each in answers if each.verb != "back"]
            fight = machine.play(fight, seat, rng.choice(usable))
    assert len(asked) > 100
