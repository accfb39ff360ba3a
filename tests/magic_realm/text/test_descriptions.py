"""Every step has a description, every handle a label, and every choice a note."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.text import describe, notes
from realmtable.games.magic_realm.text.wording import format_place, name_clearing, name_monsters
from realmtable.games.magic_realm.world.places import road_place
from realmtable.games.magic_realm.world.step_text import VERBS, parse_step
from tests.magic_realm.helpers.day_helpers import MONSTER, begin, day, search
from tests.magic_realm.helpers.flow_helpers import VALLEYS
from tests.magic_realm.helpers.text_helpers import note_on, prompt_of


@pytest.mark.parametrize(
    ("handle", "words"),
    [
        ("BV4", "Bad Valley 4"),
        ("tile:CG", "Crag"),
        ("Elf", "The Elf"),
        ("chit:active Move M3*", "Move M3*"),
        ("chit:wounded Move M3*", "Move M3*, wounded"),
        ("phase:H", "Hide"),
        ("phase:-", "Do nothing"),
        ("pony", "Ride the pony to …"),
        ("peer", "Peer: paths, map chits"),
        ("be Elf", "Characters/Play the Elf"),
        ("activate Shield-1", "Activate/Activate Shield 1"),
        ("force Gloves of Strength", "Open it with the Gloves of Strength"),
        ("force Fight T5*", "Open it with Fight T5*"),
        ("block Giant-1", "Block/Block the Giant 1"),
        ("rest Fight H4** with Move M3*", "Rest/Rest Fight H4**; Move M3* becomes fatigued"),
        ("M BV4 pony", "Ride the pony to Bad Valley 4"),
        ("pass", "Pass"),
        ("lure Wolf-2", "Lure/Lure the Wolf 2"),
        ("strike swing Fight M4", "Attack/Swing with Fight M4"),
        ("alert Fight M4", "Turn your weapon/Turn your weapon over with Fight M4"),
        ("alert", "Alert your weapon"),
        ("box:swing", "Swing and dodge"),
        ("counter:Giant-1 club", "The Giant 1's club"),
        ("warrior:Elf", "The Elf"),
        ("piece:Pony-1 gallop", "Pony 1, galloping"),
        ("shield", "Your shield"),
        ("no such handle", "no such handle"),
    ],
)
def test_handles_have_labels(handle: str, words: str) -> None:
    assert describe.label(handle) == words


SAMPLES = (
    "M BV4", "H", "S", "R", "A", "P CG2", "F Elf", "-", "order block never", "back", "done", "ready", "draw Crag",
    "lay 1 0 2", "deal Crag", "tile Crag", "place 1 0", "turn 2", "be Elf", "gear Shield Patrol", "want fame",
    "start Inn", "chit CG Howl-4", "die 3", "next Elf", "d 3 4", "now", "later", "activate Shield-1", "activate",
    "pack Shield-1", "leave Shield-1", "leave", "go", "run on", "along", "stop", "shed Elf", "block Elf",
    "block Giant-1", "pass", "peer", "peer CG2", "locate", "sight", "loot pile", "choose clues+paths", "exchange",
    "put back", "take card Hoard", "take nothing", "force Fight T5*", "force Gloves of Strength",
    "card Hoard 3 Golden Crown", "keep", "tire Move M3*", "tire Fight H4** for Fight M4*", "rest Move M3*",
    "rest wounded Move M3* with Fight M4*", "enough", "to CN3", "run B2-B3 with Move L2*", "unalert", "wound Fight M5",
    "clearing BV5", "rest easy", "continue", "stir", "lure Wolf-2", "unhide", "charge Elf with Move M4",
    "charge Elf with Pony-1 gallop", "charge Elf with Pony-1", "alert Fight M4", "alert", "berserk",
    "run B2-B3 with Pony-1 gallop", "aim Giant-1", "aim Elf", "aim none", "strike swing Fight M4",
    "turn weapon Fight M4", "evade duck Move H5*", "evade charge Move M4", "shield smash", "set Wolf-2 swing",
    "set Giant-1 club thrust",
)  # fmt: skip


def test_z13_steps_of_every_verb_have_their_own_descriptions() -> None:
    steps = [parse_step(text) for text in SAMPLES]
    assert {step.verb for step in steps} == {*VERBS}
    words = [describe.describe_step(step) for step in steps]
    assert len({*words}) == len(words)
    assert all(text[0].isupper() and not text.endswith(".") for text in words)
    assert words[SAMPLES.index("tire Fight H4** for Fight M4*")] == "Fatigue Fight H4**; Fight M4* becomes active"
    assert words[SAMPLES.index("charge Elf with Pony-1 gallop")] == "Charge the Elf with Pony 1, galloping"
    assert words[SAMPLES.index("set Giant-1 club thrust")] == "Lay the Giant 1's club in thrust"
    assert words[SAMPLES.index("take card Hoard")] == "Take the top treasure card of the Hoard"


def test_notes_say_what_choices_do() -> None:
    morning = decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS}")
    assert note_on(morning, "CG2") == "Entering a mountain clearing takes two Moves in a row."
    assert note_on(morning, "CN6") == "You have no sunlight phases on a day when you enter a cave."
    assert [note_on(morning, handle) for handle in ("BV2", "Elf", "want love")] == ["", "", ""]
    assert note_on(morning, "phase:R") == "A fatigued chit becomes active again, or a wounded one gets better."
    assert note_on(morning, "phase:R", None) == ""
    assert note_on(search("CG2"), "CG5") == ""
    assert note_on(morning, "want gold").startswith("This point needs 30 gold, besides")
    assert note_on(morning, "want treasures") == "This point needs 1 great treasure, most of which lie at sites."
    assert note_on(morning, "want fame") == "This point needs 10 fame, from treasures."
    fights = decode(MACHINE, f"options=map=stock1,encounter=2 heroes=Elf {VALLEYS}")
    assert note_on(fights, "want notoriety") == "This point needs 20 notoriety, from treasures and killed monsters."
    same = "Each Great Axe is the same, whichever group gives it."
    assert note_on(morning, "gear Great Axe Bashkars") == same
    assert (
        note_on(morning, "block Elf")
        == "You both become unhidden and do nothing more today, even if a turn is still to come."
    )
    assert all(text.endswith(".") and text.count(".") == 1 for text in notes.NOTES.values())


def test_places_and_monsters_have_whole_names() -> None:
    assert format_place("BV2-BV5") == "the roadway between Bad Valley 2 and Bad Valley 5"
    assert format_place("nowhere") == "nowhere"
    assert name_clearing(road_place(1, 2)) == "the roadway between Awful Valley 1 and Awful Valley 2"
    kinds = ("Wolf-1", "Wolf-2", "Imp", "H Spider-1", "T Troll-1")
    assert name_monsters([MONSTER[name] for name in kinds]) == "2 Wolves, an Imp, a heavy Spider and a tremendous Troll"


@pytest.mark.parametrize("text", ["later", "now", "pass", "run on"])
def test_a_step_is_called_the_same_on_its_button_and_in_the_list(text: str) -> None:
    assert describe.label(text) == describe.describe_step(parse_step(text))


def test_the_button_done_says_what_it_does_where_phases_are_chosen_as_they_come() -> None:
    done, heroes = parse_step("done"), f"heroes=Elf;Dwarf {VALLEYS} 2.at=B2 1.at=B2"
    writing, morning = (
        decode(MACHINE, f"options=map=stock1{recording} {heroes}") for recording in ("", ",recording=as_you_go")
    )
    choosing = begin(day("1.goods=-", options="recording=as_you_go"))
    assert [GAME.describe_move(world, done) for world in (writing, morning, choosing)] == [
        "Done",
        "Begin the day",
        "End your turn",
    ]
    assert [handle for handle in ("done", "ready", "phase:H") if GAME.describes_button(handle)] == ["done"]
    assert prompt_of(morning).endswith(" | Begin the day, or choose someone to follow. | B2")
