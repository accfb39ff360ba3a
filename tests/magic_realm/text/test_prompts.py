"""What players are asked, with the number of the phase and the clause."""

from __future__ import annotations

from itertools import product

import pytest

from realmtable.conformance.picture_checks import MAX_PROMPT_LENGTH
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character
from realmtable.games.magic_realm.combat_flow import machine as fight_machine
from realmtable.games.magic_realm.combat_flow import refusals
from realmtable.games.magic_realm.combat_flow.agenda import Question as FightQuestion
from realmtable.games.magic_realm.flow.agenda import Question
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.evening_with_combat import CHOICE
from realmtable.games.magic_realm.flow.handlers import HANDLERS, MACHINE
from realmtable.games.magic_realm.text import combat_prompts, news, prompts, reasons, setup_prompts
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.position_defaults import gear_kinds
from realmtable.games.magic_realm.world.step_text import format_step
from tests.magic_realm.flow.test_new_life import POINTS, reborn
from tests.magic_realm.helpers.day_helpers import at_site, begin, box_without, day, goods, play, search
from tests.magic_realm.helpers.evening_helpers import midnight
from tests.magic_realm.helpers.flow_helpers import CATALOG, VALLEYS
from tests.magic_realm.helpers.text_helpers import news_of, progress_of, prompt_of, rows_of


def test_d16_the_prompt_of_a_search_names_phase_and_tables() -> None:
    assert prompt_of(search("CN6")) == "Phase 1 of 2: Search | Choose how to search: Peer or Locate. | D16"
    assert prompt_of(at_site("Hoard")) == "Phase 1 of 3: Search | Choose how to search: Peer, Locate or Loot. | D16"
    far = "Choose how to search: Peer or Locate here, or a clearing to peer at."
    assert prompt_of(search("CG2")) == f"Phase 1 of 2: Search | {far} | D17"
    assert prompts.prompt(view(search("CG2"), MACHINE, 0)).progress == (1, 2)  # type: ignore[union-attr]  # asked


def test_d22_the_prompt_of_magic_sight_says_what_may_be_taken() -> None:
    card = play(at_site("Hoard", heroes="Witch_King"), "sight", "d 3 3")
    assert prompt_of(card).endswith(" | Choose where to take the top treasure card, or take nothing. | D22")
    piece = play(search("CN6", "piles=CN6:Spear-1", heroes="Witch_King"), "sight", "d 2 2")
    assert prompt_of(piece).endswith(" | Choose where to take the top weapon, armour or horse, or take nothing. | D22")


def test_b2_prompts_of_the_morning() -> None:
    morning = f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS}"
    first = "Choose a clearing to move to, or another activity, for the first phase of your day."
    assert prompt_of(decode(MACHINE, morning)) == f"Day 1 of 28, birdsong | {first} | B2"
    written = decode(MACHINE, f"{morning} 1.plan=H")
    assert (
        prompt_of(written)
        == "Day 1 of 28, birdsong | Choose your next phase (1 phase written), or that your day is ready. | B3"
    )
    full = decode(MACHINE, f"{morning} 1.plan=H;H;H;H;H")
    assert prompt_of(full) == "Day 1 of 28, birdsong | Choose that your day is ready: it is full (5 phases). | B3"
    following = decode(MACHINE, f"{morning} 1.plan=F_Dwarf")
    assert (
        prompt_of(following)
        == "Day 1 of 28, birdsong | Choose that your day is ready, or take back your choice to follow. | B4"
    )


def test_d28_a_phase_that_is_chosen_when_it_comes_has_a_number_and_the_most_that_the_day_can_have() -> None:
    """How many follow is open: a cave takes some away, and a pony gives more."""
    choosing = begin(day("1.goods=-", "1.used=basic,basic", "1.plan=H;H", "1.phase=2", options="recording=as_you_go"))
    assert prompt_of(choosing).startswith("Phase 3 of up to 5 | ")
    assert prompt_of(play(choosing, "S")).startswith("Phase 3 of up to 5: Search | ")
    rider = begin(day("1.goods=Pony-1+", options="recording=as_you_go"))
    assert prompt_of(rider).startswith("Phase 1 | ")


def test_d25_the_question_before_a_phase_says_what_it_is_for_and_where() -> None:
    world = begin(day("1.plan=H", "1.goods=Shield-1+;Helmet-1", heroes="Elf"))
    assert prompt_of(world).endswith(" | Choose Continue, or first change something under Bag. | D25")


def test_d28_the_prompt_says_where_to_loot_until_the_character_has_a_treasure() -> None:
    site = {"chits": "CN:Dank;CN:Hoard/1", "options": "recording=as_you_go"}
    usual = "Move to a clearing, choose an activity, or end your turn."
    fields = ("1.goods=-", "1.knows=Hoard")
    assert prompt_of(begin(day(*fields, "1.at=CN6", **site))).endswith(
        " | Choose Search to loot the Hoard here, or something else. | D28"
    )
    assert prompt_of(begin(day(*fields, "1.at=B2", **site))).endswith(
        " | Choose a clearing or an activity; you can loot the Hoard in Cavern 6. | D28"
    )
    assert f" | {usual} | " in prompt_of(begin(day("1.goods=-", "1.at=CN6", **site)))
    card = (goods("Deft Gloves/1"), box_without("Deft Gloves/1"), "1.knows=Hoard", "1.at=CN6")
    assert f" | {usual} | " in prompt_of(begin(day(*card, **site)))


def test_d28_the_prompt_names_no_site_that_cannot_be_looted() -> None:
    usual = "Move to a clearing, choose an activity, or end your turn."
    options = "recording=as_you_go"
    vault = {"chits": "CN:Dank;CN:Vault/1", "options": options}
    fields = ("1.goods=-", "1.knows=Vault", "1.at=CN3")
    assert f" | {usual} | " in prompt_of(begin(day(*fields, **vault)))  # its door is closed (D19)
    opened = prompt_of(begin(day(*fields, "open", **vault)))
    assert " | Choose Search to loot the Vault here, or something else. | " in opened
    hoard = {"chits": "CN:Dank;CN:Hoard/1", "options": options}
    king = day("1.goods=-", "1.knows=Hoard", "1.at=CN6", heroes="Witch_King", **hoard)
    assert f" | {usual} | " in prompt_of(begin(king, "Witch King"))  # Magic Sight must be used instead (D22)


def test_l3_the_prompt_says_what_blocking_costs() -> None:
    world = begin(day("1.plan=A;A", "1.goods=-", "2.goods=-", "2.unhidden", heroes="Elf;Dwarf"))
    whom = "Choose whether to block the Dwarf; you both do nothing more today."
    assert prompt_of(world) == f"Phase 1 of 2: Alert | {whom} | L3"
    pass_on = play(world, "pass")
    assert prompt_of(pass_on, 1).startswith("The turn of the Elf | Choose whether to block the Elf")


def test_l3_players_are_asked_whom_they_block_in_the_phase_that_ends() -> None:
    world = begin(day("1.plan=H;A", "1.goods=-", "2.goods=-", "2.unhidden", "2.orders=block:never", heroes="Elf;Dwarf"))
    first = play(world, "d 1 1")
    assert prompt_of(first).startswith("Phase 1 of 2: Hide | Choose whether to block")
    assert (rows_of(first, "plan")["✓ Phase 1"], rows_of(first, "plan")["Phase 2"]) == ("Hide", "Alert")
    last = play(first, "pass")
    assert prompt_of(last).startswith("Phase 2 of 2: Alert | Choose whether to block")
    assert progress_of(last) == (2, 2)


def test_d18_the_prompt_asks_to_exchange_only_what_can_be_exchanged() -> None:
    world = play(search("LW5"), "peer", "d 5 5")
    assert prompt_of(play(world, "chit LW Bones")).split(" | ")[1] == "Put the chits back."
    fire = prompt_of(play(world, "chit LW Stink")).split(" | ")[1]
    assert fire == "Choose whether to show everyone the chit that you found and exchange it."


def test_every_frame_that_asks_has_a_prompt_and_a_usual_reason() -> None:
    asking = {kind for kind, handler in HANDLERS.items() if isinstance(handler, Question)}
    assert {*prompts._QUESTIONS} == {*reasons.USUAL} == asking - {CHOICE}
    in_combat = {kind for kind, handler in fight_machine.HANDLERS.items() if isinstance(handler, FightQuestion)}
    assert {*combat_prompts.QUESTIONS} == {*refusals.USUAL} == in_combat


@pytest.mark.parametrize("row", CATALOG.characters, ids=lambda row: row.name)
def test_m9_every_piece_of_gear_is_described(row: Character) -> None:
    world = decode(MACHINE, "options=map=stock1,encounter=2 heroes=- day=0 part=setup agenda=be:1")
    world, kinds = play(world, f"be {row.name}"), gear_kinds(row.id)
    while world.agenda[-1].kind == "gear":  # pieces that one group has are taken from it without a question
        title, text, _ = prompt_of(world).split(" | ")
        number = world.agenda[-1].a
        assert title == f"Set-up: piece {number + 1} of {len(kinds)} of your gear"
        assert text.startswith(f"Choose any group for your {kinds[number]} (")
        assert any(word in text for word in ("protects ", "weapon)"))
        assert len(text) <= MAX_PROMPT_LENGTH
        world = play(world, format_step(MACHINE.legal_moves(world, 0)[0]))


def test_m9_weapons_are_described_too() -> None:
    """Only after losses can several groups have the weapon of a new character."""
    kinds = ("Light Bow", "Great Axe")
    assert [*map(setup_prompts._describe_gear, kinds)] == ["a light missile weapon", "a heavy weapon"]


def test_m9_k8_prompts_of_characters_say_how_to_read_about_them() -> None:
    start = decode(MACHINE, "options=map=stock1 heroes=- day=0 part=setup agenda=be:1")
    assert prompt_of(start).startswith("Set-up | Choose your character: pick one to read what it can do")
    assert "| Choose the character of your new life: pick one to read" in prompt_of(midnight(dying=[0]))


def test_prompts_of_the_set_up() -> None:
    setup = "options=days=7,map=stock1 heroes=Captain day=0 part=setup"
    gear = decode(MACHINE, f"{setup} agenda=gear:1:1 1.goods=Short_Sword-1+")
    title = "Set-up: piece 2 of 4 of your gear"
    assert prompt_of(gear) == f"{title} | Choose any group for your Helmet (no use without combat): all are alike. | M9"
    fights = decode(MACHINE, f"{setup.replace('stock1', 'stock1,encounter=2')} agenda=gear:1:1 1.goods=Short_Sword-1+")
    assert prompt_of(fights) == f"{title} | Choose any group for your Helmet (protects from smash): all are alike. | M9"
    assert progress_of(gear) == (2, 4)
    (_, group) = MACHINE.legal_moves(gear, 0)[0].args
    name = CATALOG.boxes[group].name
    assert news_of(gear, f"gear Helmet {name}").startswith(f"You take the Helmet from the {name}")
    secret = decode(MACHINE, f"{setup} agenda=secrets 1.points=fame")
    goal = "Choose what you must have on the last day (1 point left): gold is the hardest to get."
    assert prompt_of(secret) == f"Set-up | {goal} | M10"
    place = "Choose where you start; you see in which valley that is when everyone is ready."
    assert prompt_of(play(secret, "want gold")) == f"Set-up | {place} | M10"
    ready = play(secret, "want gold", "start Inn")
    assert prompt_of(ready) == "Set-up | Choose Ready if your secret goal is 10 fame, 65 gold. | M10"
    treasures = play(decode(MACHINE, f"{setup} agenda=secrets 1.points=treasures"), "want treasures", "start Inn")
    assert prompt_of(treasures) == "Set-up | Choose Ready if your secret goal is 2 great treasures. | M10"
    one = play(decode(MACHINE, f"{setup} agenda=secrets 1.points=treasures"), "want fame", "start Inn")
    assert prompt_of(one) == "Set-up | Choose Ready if your secret goal is 1 great treasure, 10 fame. | M10"


def test_m10_every_secret_goal_fits_into_a_prompt() -> None:
    """With all four kinds of goals, and the gold that a character starts with."""
    for treasures, fame, notoriety, gold in product(range(1, 4), repeat=4):
        needed = {"treasures": treasures, "fame": 10 * fame, "notoriety": 20 * notoriety, "gold": 20 + 30 * gold}
        asked = setup_prompts.ask_for_secret_choices({"own": {"points_left": 0, "start": "Inn", "needed": needed}})
        assert len(asked[0]) <= MAX_PROMPT_LENGTH


def test_a_new_life_has_its_own_goals() -> None:
    """K8: a dead character has no score while the player chooses."""
    ready = play(reborn("Witch King"), *POINTS)
    goals = "Choose Ready if your secret goal is 1 great treasure, 30 fame, 40 gold."
    assert prompt_of(ready).endswith(f" | {goals} | M10")


def test_prompts_and_news_of_the_turn() -> None:
    any_result = play(search("CG2"), "peer", "d 1 1")
    assert prompt_of(any_result).endswith("Choose a result for Crag 2. | D18")
    chosen = "You choose to look at the map chits of the tile and discover hidden paths"
    assert news_of(any_result, "choose clues+paths").startswith(chosen)
    several = begin(day("1.plan=A;A", "1.goods=-", "2.goods=-", "2.unhidden", "3.goods=-", "3.unhidden",
                        heroes="Elf;Amazon;Captain"))  # fmt: skip
    assert "Choose whom to block, or block no one; you both do nothing more today." in prompt_of(several)
    tired = begin(day("1.plan=R;H", "1.goods=-", "1.tired=2;3"))
    assert prompt_of(tired) == "Phase 1 of 2: Rest | Choose a chit to rest. | D15"
    rested = MACHINE.legal_moves(tired, 0)[0]
    assert news.news(MACHINE, tired, 0, rested, 0).startswith(f"You rest {format_step(rested).removeprefix('rest ')}")
    choosing = begin(day("1.goods=-", options="recording=as_you_go"))
    assert news_of(choosing, "done").startswith("You end your turn")
    assert news_of(choosing, "S") == "You choose “Search”"
    sight = play(at_site("Hoard", heroes="Witch_King"), "sight", "d 3 3")
    assert news_of(sight, "take card Hoard").startswith("You take the top treasure card of the Hoard")
