"""What players read in combat: prompts, notes on choices, and reasons."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text import combat_notes, combat_prompts, prompts, reasons
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.world import World
from tests.conformance.picture_promises import MAX_PROMPT_LENGTH
from tests.magic_realm.combat_evenings import fight_on, meet, skip_to
from tests.magic_realm.day_helpers import begin, day
from tests.magic_realm.fight_helpers import CATALOG
from tests.magic_realm.text_helpers import note_on, prompt_of, reason_of


def question(world: World, seat: Seat = 0) -> str:
    """Return the sentence and clause of a prompt."""
    return prompt_of(world, seat).partition(" | ")[2]


def sentence(world: World, handle: str, *path: str) -> str:
    """Return the sentence of the reason for a click."""
    found = reasons.reason(view(world, MACHINE, 0), path, handle)
    assert found is not None
    return found.sentence


# ---- prompts


def test_e7_the_prompt_names_clearing_and_round_and_asks_for_a_lure() -> None:
    world = meet(monsters="Wolf-1;Wolf-2")
    lure = "Choose a monster to lure onto your sheet, or pass and let chance decide."
    assert prompt_of(world) == f"Combat in Borderland 2, round 1 | {lure} | E7"
    assert question(fight_on(world, "lure Wolf-2")) == "Choose another monster to lure onto your sheet, or pass. | E7"


def test_e6_e11_c3_c4_prompts_before_the_melee() -> None:
    quiet = meet(heroes="Elf;Amazon")
    assert question(quiet) == "Choose whether to rest easy or begin a round of combat. | E6"
    charging = fight_on(quiet, "stir")
    assert question(charging) == "Choose a character to charge and a piece to charge with, or pass. | E11"
    aiming = fight_on(skip_to(charging, "next"), "next Elf")
    assert question(aiming) == "Choose whom to attack, or no one. | C3"
    charged = fight_on(skip_to(fight_on(charging, "charge Amazon with Move M4"), "next"), "next Elf")
    assert question(charged) == "Choose whether to attack the Amazon, whom you charged. | C4"


def test_e12_the_prompt_of_an_action_says_what_can_be_done() -> None:
    free = fight_on(meet("1.goods=Light_Bow-1+", monsters="Octopus"), "lure Octopus")
    assert question(skip_to(free, "act")) == "Choose Done, or rearrange your belongings: no piece of yours is faster than 2. | E12"
    bare = skip_to(meet(monsters="Octopus"), "act")
    assert question(bare) == "Choose Done: no piece of yours is faster than 2. | E12"
    wolf = skip_to(meet("1.goods=Light_Bow-1+", monsters="Wolf-1"), "act")
    assert question(wolf) == "Choose an action (run, turn your weapon, rearrange your belongings), or Done. | E12"
    assert question(fight_on(wolf, "pack Light Bow-1")) == "Choose Done, or another belonging. | E19"
    assert question(fight_on(skip_to(meet("1.goods=Light_Bow-1+;Spear-1", monsters="Wolf-1"), "act"), "leave Spear-1", "leave Light Bow-1")) == "Choose Done. | E19"


def test_c26_the_prompt_says_who_holds_you() -> None:
    held = hold()
    assert prompt_of(held).startswith("Combat in Borderland 2, round 2: the tremendous Troll 1 holds you")
    assert question(skip_to(held, "act")).endswith(": a monster holds you. | E15")


def hold() -> World:
    """Return the second round, in which a Troll holds a character."""
    world = skip_to(meet("1.goods=Helmet-1+", heroes="Berserker", monsters="T_Troll-1"), "play")
    return skip_to(fight_on(world, "evade duck Move H6", "ready", "die 2"), "lure")
