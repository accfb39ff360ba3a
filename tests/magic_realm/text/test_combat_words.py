"""What players read in combat: prompts, notes on choices, and reasons."""

from __future__ import annotations

import pytest

from realmtable.conformance.picture_checks import MAX_PROMPT_LENGTH
from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.text import combat_notes, combat_prompts, prompts, reasons
from realmtable.games.magic_realm.text.combat_steps import label_of_combat
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.combat_evenings import fight_on, meet, skip_to
from tests.magic_realm.helpers.day_helpers import begin, day
from tests.magic_realm.helpers.fight_helpers import CATALOG
from tests.magic_realm.helpers.text_helpers import note_on, prompt_of, reason_of


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
    world = meet(heroes="Elf;Dwarf", monsters="Wolf-1;Wolf-2")
    lure = "Choose a monster to lure onto your sheet, or pass and let chance decide."
    assert prompt_of(world) == f"Combat in Borderland 2, round 1 | {lure} | E7"
    assert question(fight_on(world, "lure Wolf-2")) == "Choose another monster to lure onto your sheet, or pass. | E7"


def test_e8_whoever_is_alone_reads_that_all_monsters_come() -> None:
    world = meet(monsters="Wolf-1;Wolf-2")
    assert question(world) == "Choose Pass, or a monster to lure: all come to you either way. | E8"
    lured = question(fight_on(world, "lure Wolf-2"))
    assert lured == "Choose Pass, or another monster to lure: all come to you either way. | E8"


def test_e6_e11_c3_c4_prompts_before_the_melee() -> None:
    quiet = meet(heroes="Elf;Amazon")
    more = "or begin a round to attack, run or change gear."
    assert question(quiet) == f"Choose Rest easy to end the evening here, {more} | E6"
    charging = fight_on(quiet, "stir")
    assert question(charging) == "Choose a character to charge and a piece to charge with, or pass. | E11"
    aiming = fight_on(skip_to(charging, "next"), "next Elf")
    assert question(aiming) == "Choose whom to attack, or no one. | C3"
    charged = fight_on(skip_to(fight_on(charging, "charge Amazon with Move M4"), "next"), "next Elf")
    assert question(charged) == "Choose whether to attack the Amazon, whom you charged. | C4"


def test_e12_the_prompt_of_an_action_says_what_can_be_done() -> None:
    slow = "actions need a time below 2. | E12"
    armed = skip_to(meet("1.goods=Light_Bow-1+", monsters="Octopus"), "act")
    assert question(armed) == f"Choose Done to stay, or rearrange your belongings: other {slow}"
    assert question(skip_to(meet(monsters="Octopus"), "act")) == f"Choose Done to stay: {slow}"
    wolf = skip_to(meet("1.goods=Light_Bow-1+", monsters="Wolf-1"), "act")
    assert question(wolf) == "Choose an action (run, rearrange your belongings), or Done to stay. | E12"
    assert question(fight_on(wolf, "leave Light Bow-1")) == "Choose Done. | E19"
    both = skip_to(meet("1.goods=Light_Bow-1+;Spear-1", monsters="Wolf-1"), "act")
    assert question(fight_on(both, "leave Spear-1")) == "Choose Done, or another belonging. | E19"
    wounded = ";".join(map(str, range(1, 12)))
    weak = skip_to(fight_on(meet(f"1.wounded={wounded}", heroes="Elf;Amazon"), "stir"), "act")
    assert question(weak) == "Choose Done to stay. | E12"


def test_c26_the_prompt_says_who_holds_you() -> None:
    held = hold()
    title = "Combat in Borderland 2, round 2: the tremendous Troll 1 holds you (time 2)"
    assert prompt_of(held).startswith(f"{title} | ")
    assert question(held) == "Choose Done to stay: a monster holds you. | E15"
    assert reason_of(held, "B3") == "E15"


def hold() -> World:
    """Return the action of the second round, in which a Troll holds a character."""
    world = skip_to(meet("1.goods=Helmet-1+", heroes="White_Knight", monsters="T_Troll-1"), "play")
    world = fight_on(world, "evade duck Move H5*", "ready", "die 2")
    assert question(world) == "Choose a chit to wound: you cannot play it until you have rested. | W5"
    return skip_to(world, "act")


def test_c14_the_title_says_what_has_turned_over() -> None:
    world = skip_to(meet(heroes="White_Knight", monsters="Wolf-1;Wolf-2"), "play")
    turned = fight_on(world, "ready", "die 4", "d 6 1", "d 6 1")
    assert ": 2 counters have turned over | " in prompt_of(turned)
    assert (
        question(turned) == "Choose a chit to wound: you cannot play it until you have rested (2 wounds to take). | W5"
    )
    one = fight_on(world, "ready", "die 4", "d 6 1", "d 1 1")
    assert ": the Wolf 1 has turned over (time " in prompt_of(one)


def test_c7_the_prompt_asks_for_what_is_missing_in_a_play() -> None:
    world = fight_on(meet("1.goods=Short_Sword-1+;Shield-1+", heroes="Amazon", monsters="Wolf-1"), "pass", "done")
    world = fight_on(world, "next Amazon", "aim Wolf-1")
    parts = "an attack, a manoeuvre and a direction for your shield"
    assert question(world) == f"Choose {parts}: click a chit, then a box. | C7"
    world = fight_on(world, "shield smash")
    assert question(world) == "Choose an attack on the Wolf 1 and a manoeuvre: click a chit, then a box. | C7"
    world = fight_on(world, "strike thrust Fight M5", "evade duck Move M4")
    assert question(world) == "Choose Ready: plays are shown when everyone is ready. | C7"
    covered = fight_on(world, "back", "back", "back", "strike thrust Fight M5", "evade duck Move M4")
    assert question(covered) == "Choose a box: your shield is held against its direction. | C7"
    assert sentence(covered, "shield") == "Choose a box: your shield is held against its direction."
    assert sentence(world, "shield") != "Choose a box: your shield is held against its direction."
    idle = skip_to(fight_on(meet("1.goods=Light_Bow-1+", heroes="Elf;Amazon"), "stir"), "play")
    turn = "a piece to turn your weapon with and a manoeuvre: click a chit, then a box"
    assert question(idle) == f"Choose {turn}. | C7"
    four = skip_to(meet(monsters="Wolf-1;Wolf-2;Wolf-3;Wolf-4"), "play")
    lay = "Choose Ready, or lay the monsters on your sheet in boxes first."
    assert question(fight_on(four, "evade duck Move M4")) == f"{lay} | C11"


def test_e7_a_hidden_character_reads_that_a_lure_shows_it() -> None:
    world = fight_on(meet(monsters="Wolf-1", hidden=1), "stir")
    lure = "a monster to lure onto your sheet, to become unhidden, or to pass and stay hidden."
    assert question(world) == f"Choose {lure} | E7"
    alone = fight_on(meet(hidden=1), "stir")
    assert question(alone) == "Choose to become unhidden, or to pass and stay hidden. | E7"
    assert note_on(alone, "unhide").startswith("Monsters can then be assigned to you")


def test_e12_a_long_list_of_actions_leaves_out_what_done_means() -> None:
    world = meet("1.goods=Short_Sword-1+;Spear-1", heroes="Berserker;Elf")
    world = skip_to(fight_on(world, "stir"), "act")
    actions = "run, turn your weapon, go berserk, rearrange your belongings"
    assert question(world) == f"Choose an action ({actions}), or Done. | E12"


def test_e2_the_title_says_that_combat_is_over() -> None:
    world = fight_on(meet(monsters="Wolf-1"), "pass", "done", "next Elf", "aim Wolf-1")
    world = fight_on(world, "strike swing Fight M4", "evade charge Move M4", "ready", "die 1", "d 1 1")
    over = skip_to(world, "look")  # the Elf is dead
    title, _, rest = prompt_of(over).partition(" | ")
    assert (title, rest) == (
        "Combat in Borderland 2 is over",
        "Choose Continue when you have read how combat ended. | E2",
    )


def test_w4_the_prompt_of_fatigue() -> None:
    world = skip_to(meet(heroes="White_Knight", monsters="Wolf-1"), "play")
    tired = skip_to(fight_on(world, "evade duck Move H4**", "ready"), "fatigue")
    assert question(tired) == "Choose a chit with a star to fatigue: you played two stars in this round. | W4"


@pytest.mark.parametrize("name", [monster.name for monster in CATALOG.monsters])
def test_prompts_of_plays_stay_short_for_every_target(name: str) -> None:
    world = meet("1.goods=Short_Sword-1+;Shield-1+", heroes="Amazon", monsters=name.replace(" ", "_"))
    world = fight_on(skip_to(world, "next"), "next Amazon", f"aim {name}")
    for text in ("shield smash", "evade duck Move M4"):
        found = prompts.prompt(view(world, MACHINE, 0))
        assert found is not None
        assert len(found.text) <= MAX_PROMPT_LENGTH == combat_prompts.MAX_LENGTH
        world = fight_on(world, text)


def test_d14_q1_prompts_around_combat() -> None:
    armed = day("1.plan=A;A", "1.goods=Short_Sword-1+", heroes="Berserker", options="encounter=2")
    alert = fight_on(armed, "next Berserker", "run on")
    assert question(alert) == "Choose whether to alert your weapon or go berserk. | D14"
    assert reason_of(alert, "BV2") == "D14"
    assert note_on(alert, "berserk") == "Until midnight, only tremendous harm kills you."
    packed = meet("1.goods=Short_Sword-1", heroes="Berserker;Elf")
    tidy = fight_on(packed, "rest easy", "rest easy")
    assert question(tidy) == "Choose Continue, or rearrange your belongings after combat. | Q1"
    assert reason_of(tidy, "BV2") == "Q1"
    assert GAME.describes_button("go")
    assert (GAME.describe_move(tidy, parse_step("go")), note_on(tidy, "go")) == ("Continue", "")


# ---- notes


def test_e14_a_way_out_is_named_and_says_which_piece_it_takes() -> None:
    assert label_of_combat("run:B3") == "Run to Borderland 3"
    wolf = skip_to(meet(monsters="Wolf-1"), "act")
    assert note_on(wolf, "run:B3") == "You leave combat for the roadway, with a piece with a time below 3."
    assert reason_of(wolf, "run:BV4") == reason_of(wolf, "BV4") == "E14"
    alone = skip_to(fight_on(meet(heroes="Elf;Amazon"), "stir"), "act")
    assert note_on(alone, "run:B3") == "You leave combat for the roadway, with any piece that carries all you have."


def test_notes_compare_times_and_name_stars() -> None:
    world = meet("1.goods=Light_Bow-1+;Pony-1+", monsters="Wolf-1")
    assert note_on(world, "counter:Wolf-1") == "It attacks you with time 4; its move time is 3."
    assert note_on(world, "pass").startswith("Monsters on no sheet then go to unhidden characters")
    act = skip_to(world, "act")
    assert note_on(act, "run B2-B3 with Pony-1 gallop") == "Time 4 against 3: you are too slow."
    assert note_on(act, "chit:active Move L2*") == "Time 2 (1 star) against 3: you are fast enough."
    assert note_on(act, "chit:active Fight M4") == "Time 4: your Light Bow then has harm L and time 1."
    assert [note_on(act, handle) for handle in ("B3", "activate Pony-1", "chit:wounded Move M4")] == ["", "", ""]
    aim = skip_to(act, "aim")
    assert note_on(aim, "counter:Wolf-1").startswith("Its move time is 3: a faster attack hits it")
    assert note_on(aim, "aim none") == "You cannot attack in this round."
    play = fight_on(aim, "aim Wolf-1")
    match = "it hits only where the directions match."
    assert note_on(play, "strike swing Fight M4") == f"Time 4 against the Wolf 1's 3: {match}"
    assert note_on(play, "piece:Pony-1") == "Time 5: the Wolf 1 (4) is faster and hits you anyway."
    dodge = "Time 2 (1 star) against the Wolf 1's 4: you are hit only where the directions match."
    assert note_on(play, "evade dodge Move L2*") == dodge
    assert note_on(play, "ready").startswith("You can no longer change your play")
    assert note_on(play, "shield") == ""
    assert note_on(play, "shield smash").startswith("It is struck before your other armour")
    assert note_on(play, "set Wolf-1 swing").startswith("It begins here")
    assert all(text.endswith(".") and text.count(".") == 1 for text in combat_notes.NOTES.values())


def test_notes_on_clubs_daggers_and_alerted_weapons() -> None:
    giant = fight_on(
        skip_to(meet("1.goods=Helmet-1+;Spear-1;Light_Bow-1+!", monsters="Giant-1"), "next"), "next Elf", "aim Giant-1"
    )
    assert note_on(giant, "chit:active Fight M4") == "Time 1 against the Giant 1's 5: it hits in any direction."
    both = "Time 4 against the Giant 1's 5 and the Giant 1's club with 6: you are hit only where the directions match."
    assert note_on(giant, "chit:active Move M4") == both
    bats = skip_to(meet(monsters="Giant_Bat-1;Giant_Bat-2"), "play")
    assert note_on(bats, "chit:active Move M4").endswith(" are faster and hit you anyway.")
    bare = skip_to(meet(monsters="Octopus"), "act")
    assert note_on(bare, "chit:active Fight M4") == ""
    dagger = fight_on(skip_to(bare, "next"), "next Elf", "aim Octopus")
    assert note_on(dagger, "chit:active Fight M4").startswith("Time 4 against the Octopus's 2: it hits only")


def test_notes_about_other_characters() -> None:
    quiet = meet("1.goods=Light_Bow-1+", heroes="Elf;Amazon")
    assert note_on(quiet, "stir") == "A round of combat begins."
    charge = fight_on(quiet, "stir")
    assert note_on(charge, "charge Amazon with Move L2*").startswith("Time 2 (1 star): whoever wants to run")
    assert note_on(charge, "warrior:Amazon") == ""
    assert note_on(charge, "chit:active Move M4") == ""
    act = skip_to(charge, "act")
    assert note_on(act, "chit:active Move M4") == "Time 4: nothing on your sheet stops you."
    aim = skip_to(act, "aim")
    assert note_on(aim, "warrior:Amazon") == "You both become unhidden, and you can attack."
    play = skip_to(fight_on(aim, "aim Amazon"), "play")
    assert note_on(play, "chit:active Fight M4").endswith("faster than the manoeuvre, or matches it.")
    assert note_on(play, "chit:active Move M4") == "Time 4: nothing on your sheet attacks."
    idle = fight_on(aim, "aim none")
    assert note_on(skip_to(idle, "play"), "turn weapon Fight M4").endswith("turned over at the end of the round.")


def test_notes_for_the_hidden_and_for_runners() -> None:
    hidden = meet(heroes="Elf;Amazon", monsters="Wolf-1;Spear_Goblin-1", hidden=1)
    assert note_on(hidden, "lure Wolf-1").startswith("You become unhidden, and it attacks you")
    assert note_on(hidden, "lure Spear Goblin-1").startswith("You become unhidden, and it comes to your sheet")
    aim = fight_on(skip_to(hidden, "next"), "next Elf")
    assert note_on(aim, "aim none") == "You cannot attack in this round and stay hidden."
    swift = skip_to(meet(heroes="Swordsman", monsters="Wolf-1"), "act")
    assert (
        note_on(swift, "chit:active Move L2**") == "Time 2 (2 stars) against 3: you are fast enough; it costs a star."
    )


def test_d14_the_note_on_alert_depends_on_the_option() -> None:
    assert (
        note_on(begin(day(options="recording=as_you_go")), "phase:A") == "Alert has no effect in games without combat."
    )
    fighting = begin(day(options="recording=as_you_go,encounter=2"))
    assert (
        note_on(fighting, "phase:A")
        == "You turn your active weapon over: an alerted one strikes differently, most often faster."
    )


# ---- reasons


def test_reasons_in_combat_are_those_of_the_rules() -> None:
    world = meet("1.goods=Light_Bow-1+;Pony-1+", "1.tired=1", monsters="Wolf-1")
    assert (reason_of(world, "chit:active Move M4"), reason_of(world, "Elf"), reason_of(world, "BV2")) == ("E7",) * 3
    act = skip_to(world, "act")
    assert sentence(act, "chit:active Fight M4") == "The time must be below 3, because of what is on your sheet."
    assert (reason_of(act, "BV2"), reason_of(act, "piece:Pony-1"), reason_of(act, "shield")) == ("E14", "E12", "E12")
    tired = next(chit for chit in view(world, MACHINE, 0)["players"][0]["chits"] if chit["state"] == "fatigued")
    assert sentence(act, f"chit:fatigued {tired['label']}") == "This chit is fatigued: play an active one."
    aim = skip_to(act, "aim")
    assert (reason_of(aim, "warrior:Elf"), reason_of(aim, "counter:Wolf-2")) == ("C3", "C3")
    play = fight_on(aim, "aim Wolf-1")
    assert reason_of(play, "counter:Wolf-1") == "C11"
    assert reason_of(play, "box:swing") == "C7"
    assert reason_of(play, "chit:active Magic III4*") == "C7"
    struck = fight_on(play, "strike swing Fight M4")
    assert sentence(struck, "chit:active Fight M3*") == "You have chosen that already: undo it to choose again."
    assert reason_of(struck, "no such handle") == ""


def test_c8_c9_c12_reasons_for_pieces() -> None:
    knight = skip_to(meet(heroes="White_Knight", monsters="Wolf-1"), "play")
    two_stars = fight_on(knight, "evade duck Move H4**")
    assert reason_of(two_stars, "chit:active Fight H5*") == "C12"
    aimed = fight_on(skip_to(meet(heroes="White_Knight", monsters="Wolf-1"), "next"), "next White Knight", "aim Wolf-1")
    assert reason_of(fight_on(aimed, "evade duck Move H4**"), "chit:active Fight H5*") == "C8"
    duck = skip_to(meet(heroes="Dwarf", monsters="Wolf-1"), "play")
    chit = next(chit["label"] for chit in view(duck, MACHINE, 0)["players"][0]["chits"] if "Duck" in chit["label"])
    assert sentence(duck, "box:swing", f"chit:active {chit}") == "The Duck chit can only duck."
