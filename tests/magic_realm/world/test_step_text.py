"""Steps as text (Z2, Z7, Z11, Z12, Z15)."""

from __future__ import annotations

import re
from random import Random

import pytest

from realmtable.engine.errors import BadNotation
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.step_text import VERBS, format_step, parse_step
from realmtable.games.magic_realm.world.steps import Step
from tests.magic_realm.helpers.flow_helpers import MACHINE, random_game
from tests.magic_realm.helpers.rules_text import clause_texts

WRITTEN = [
    "draw Crag", "lay 3 -1 2", "deal High Pass", "chit BV Stink", "chit CG Stink", "chit CG Howl-4", "chit B Lost City",
    "die 4", "next Woods Girl", "tile Crag", "place 3 -1", "turn 2", "be Black Knight", "gear Suit of Armor Order",
    "want treasures", "start Ghosts", "ready", "M BV4", "M BV4 pony", "H", "S", "R", "A", "P CG2", "-",
    "F White Knight", "back", "done", "order block never", "d 3 5", "now", "later", "activate Shield-1",
    "pack Suit of Armor-1", "leave Golden Crown", "go", "run on", "along", "stop", "shed Elf", "block Woods Girl",
    "block Giant-1", "pass", "peer", "peer CG2", "locate", "sight", "loot Hoard", "loot pile", "loot Toadstool Circle",
    "choose clues+paths", "exchange", "put back", "take counter Hoard", "take card pile", "take nothing",
    "force Fight T5*", "force Gloves of Strength", "card Hoard 3 Golden Crown", "card Remains of Thief 1 Golden Crown",
    "activate", "keep", "leave", "tire Move M3*", "tire Fight H4** for Fight M4*", "rest Move M3*",
    "rest wounded Move M3*", "rest Fight H4** with Move M3*", "enough", "to CN3",
    "run BV2-BV5 with Move M3*", "run BV5-CG2 with Quick Boots", "wound Fight M5",
    "clearing BV5", "rest easy", "continue",
    "stir", "lure Wolf-2", "unhide", "unalert", "charge Elf with Move M4", "charge Elf with Pony-1 gallop",
    "alert Fight M4", "alert Power Gauntlets", "berserk", "run BV2-BV5 with Pony-1 gallop", "aim Giant-1", "aim Elf",
    "aim none", "strike swing Fight M4", "turn weapon Fight M4", "evade duck Move H5*", "evade dodge Pony-1",
    "shield smash", "set Wolf-2 swing", "set Giant-1 club thrust",
]  # fmt: skip


@pytest.mark.parametrize("text", WRITTEN)
def test_steps_of_the_rules_are_read_and_written_alike(text: str) -> None:
    assert format_step(parse_step(text)) == text


@pytest.mark.parametrize(
    ("clause", "verbs"),
    [
        ("Z11", {"tile", "place", "turn", "be", "gear", "want", "start", "ready"}),
        ("Z12", {"M", "H", "S", "R", "A", "P", "-", "F", "done"}),
    ],
)
def test_z11_z12_the_examples_of_a_clause_are_steps_of_its_verbs(clause: str, verbs: set[str]) -> None:
    assert {step.verb for step in steps_in(clause)} == verbs


def test_z12_entries_of_a_day_are_written_with_letters() -> None:
    assert [format_step(Step(verb)) for verb in ("H", "S", "R", "A", "-")] == ["H", "S", "R", "A", "-"]
    assert parse_step("M BV4 pony").args[:1] == parse_step("M BV4").args


def test_z15_a_run_names_the_roadway_and_the_piece() -> None:
    run = parse_step("run BV2-BV5 with Move M3*")
    assert run.args[0] == parse_step("run BV2-BV5 with Quick Boots").args[0]
    assert run.args != parse_step("run BV2-BV5 with Move M4*").args


def steps_in(clause: str) -> list[Step]:
    """The steps that a clause writes in code."""
    texts = [text for part in re.findall(r"`([^`]+)`", clause_texts()[clause]) for text in part.split(" / ")]
    return [parse_step(text) for text in texts if "_" not in text and text != "tire"]


def test_spaces_do_not_matter() -> None:
    assert parse_step("  M  BV4   pony ") == parse_step("M BV4 pony")


def test_the_ends_of_a_roadway_are_read_in_any_order() -> None:
    assert parse_step("run BV5-BV2 with Move M3*") == parse_step("run BV2-BV5 with Move M3*")


def test_every_verb_has_an_example() -> None:
    assert {parse_step(text).verb for text in WRITTEN} == {*VERBS}


def test_a_warning_is_written_without_its_letter_and_read_by_the_tile() -> None:
    valley, mountain = parse_step("chit BV Stink"), parse_step("chit CG Stink")
    assert valley.args[1] != mountain.args[1]
    assert mountain.args[1] - valley.args[1] == 15


@pytest.mark.parametrize(
    "text",
    ["", "fly", "M", "M XX9", "M BV4 BV5", "H now", "lay 3 -1", "lay 3 -1 +2", "lay 3 -1 02", "die 999",
     "lay 3 -0 2", "die ٣", "gear Shield", "gear Patrol Shield", "be", "be elf", "P BV3", "want spells",
     "run BV2-BV2 with Move M3*", "run BV2-XX9 with Move M3*", "run BV2 with Move M3*", "run BV2-BV5"],
)  # fmt: skip
def test_other_texts_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadNotation, match=r"\.$"):
        parse_step(text)


@pytest.mark.parametrize("seed", range(4))
def test_z2_texts_of_all_legal_steps_are_unique_and_read_back(seed: int) -> None:
    options = MagicOptions(map="dealt" if seed == 0 else "stock2", days="7")
    for world in random_game(2 + seed, options, Random(seed), 250):
        for seat in MACHINE.to_move(world):
            steps = MACHINE.legal_moves(world, seat) if seat != CHANCE else [o.move for o in MACHINE.chance(world)]
            assert steps
            assert steps == sorted({*steps}) or seat == CHANCE
            texts = [format_step(step) for step in steps]
            assert len({*texts}) == len(texts)
            assert [parse_step(text) for text in texts] == steps
            assert all(isinstance(step, Step) for step in steps)
