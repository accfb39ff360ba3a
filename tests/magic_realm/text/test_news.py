"""What the players read of a step, each as far as they may know it."""

from __future__ import annotations

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text import news, secrecy, topics
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import at_site, begin, box_without, day, goods, play, search, texts
from tests.magic_realm.helpers.evening_helpers import meet, midnight
from tests.magic_realm.helpers.flow_helpers import VALLEYS
from tests.magic_realm.helpers.text_helpers import news_of, prompt_of

STARTS = ("Inn", "Inn", "House")


def test_news_call_players_without_a_character_by_their_seats() -> None:
    world = decode(MACHINE, "options=map=stock1 heroes=-;- day=0 part=setup agenda=be:1")
    assert news_of(world, "be Elf", 1).startswith("Scarlet plays the Elf")


def test_m10_news_of_the_first_morning_say_where_everyone_starts() -> None:
    setup = "options=days=7,map=stock1 heroes=Elf;Dwarf;Wizard day=0 part=setup agenda=valleys;chit:-:4:4"
    decided = "chits=AV:Bones;BV:Stink;CV:Smoke;DV:Dank"
    starts = " ".join(f"{seat}.points=fame,fame {seat}.start={start}" for seat, start in enumerate(STARTS, 1))
    world = decode(MACHINE, f"{setup} {decided} {starts}")
    told = news_of(world, "chit EV Ruins", 0)
    assert told.startswith(
        "You and the Dwarf start in Bad Valley 5; the Wizard starts in Curst Valley 5; the Ghosts are in"
    )
    assert told.endswith("the Guardhouse is in Evil Valley 5; day 1 begins")


def test_b4_news_of_followers() -> None:
    morning = decode(MACHINE, f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS} 1.ready 2.plan=F_Elf")
    assert news_of(morning, "done") == "The Dwarf has written the day; the Dwarf follows you"


def test_g3_news_of_a_roll_name_dice_modifiers_and_row() -> None:
    world = play(search("CG2"), "peer")
    told = "roll 3 and 2 on Peer: 3, hidden enemies and hidden paths; you find hidden enemies"
    assert news_of(world, "d 3 2").startswith(f"You {told}")
    assert news_of(world, "d 3 2", None).startswith("The Elf rolls 3 and 2 on Peer: 3, hidden enemies and hidden paths")
    dwarf = play(search("CN6", heroes="Dwarf"), "locate")
    assert news_of(dwarf, "die 5") == "You roll 5 with one die (Cave Knowledge) on Locate: 5, nothing"
    hoof = play(search("CG2", cards=("Cloven Hoof+",)), "peer")
    assert news_of(hoof, "d 5 2").startswith("You roll 5 and 2, +1 (Cloven Hoof) on Peer: 6, nothing")
    charm = play(search("CG2", cards=("Lucky Charm+",)), "locate")
    assert news_of(charm, "die 6").startswith("You roll 6 with one die (Lucky Charm) on Locate: 6, nothing")
    ruins = play(search("R1", cards=("Map of Ruins+",)), "locate")
    assert news_of(ruins, "d 6 6").startswith("You roll 6 and 6, −1 (Map of Ruins) on Locate: 5, nothing")


def test_d19_only_the_finder_reads_what_was_found() -> None:
    world = play(at_site("Hoard", "2.at=B2", heroes="Elf;Dwarf"), "loot Hoard")
    assert news_of(world, "d 3 2").startswith("You roll 3 and 2 on Loot: 3, the third from the top")
    world = play(world, "d 3 2")
    assert news_of(world, "card Hoard 3 Golden Crown") == "You take the Golden Crown"
    assert news_of(world, "card Hoard 3 Golden Crown", 1) == "The Elf takes a large treasure"
    step = parse_step("card Hoard 3 Golden Crown")
    assert [secrecy.text_for_viewer(MACHINE, world, CHANCE, step, viewer) for viewer in (0, 1, None)] == [
        "card Hoard 3 Golden Crown", "a treasure", "a treasure",
    ]  # fmt: skip
    found = play(world, "card Hoard 3 Golden Crown")
    assert prompt_of(found).split(" | ")[1] == "Keep or leave Golden Crown (a great treasure, notoriety −15)."
    assert news_of(found, "leave", 1) == "The Elf leaves a large treasure"
    assert news_of(found, "keep", 1) == "The Elf keeps it"


def test_x1_a_card_that_is_left_stays_unknown() -> None:
    cards = ("Golden Crown/1", "Deft Gloves/1")
    world = begin(day("1.at=CN6", "1.plan=H", goods(*cards), box_without(*cards), heroes="Elf;Dwarf"))
    step = parse_step("leave Golden Crown")
    assert [secrecy.text_for_viewer(MACHINE, world, 0, step, viewer) for viewer in (0, 1)] == [
        "leave Golden Crown", "leave a large treasure",
    ]  # fmt: skip
    small = parse_step("leave Deft Gloves")
    assert secrecy.text_for_viewer(MACHINE, world, 0, small, None) == "leave a small treasure"
    assert news_of(world, "leave Golden Crown") == "You leave the Golden Crown"
    assert news_of(world, "activate Deft Gloves", 1) == "The Elf activates the Deft Gloves"
    active = play(world, "activate Deft Gloves", "run on", "d 6 6")
    assert active.last_roll is not None


def test_d18_only_those_who_look_read_the_chits() -> None:
    world = play(search("CG2", "2.at=B2", heroes="Elf;Dwarf"), "peer", "d 5 5")
    step = parse_step("chit CG Stink")
    texts = [secrecy.text_for_viewer(MACHINE, world, CHANCE, step, viewer) for viewer in (0, 1, None)]
    assert texts == ["chit CG Stink", "a map chit", "a map chit"]
    world = play(world, "chit CG Stink")
    assert news_of(world, "chit CG Howl-4") == "You see Stink and Howl 4 in Crag"
    assert news_of(world, "chit CG Howl-4", 1) == ""


def test_p2_everyone_reads_the_chits_that_are_turned_up_and_what_they_summon() -> None:
    world = begin(day("1.at=CG6", "1.plan=A", "1.goods=-", "2.goods=-", "rows=4", heroes="Elf;Dwarf"))
    step = parse_step("chit CG Bones")
    assert secrecy.text_for_viewer(MACHINE, world, CHANCE, step, 1) == "chit CG Bones"
    told = news_of(play(world, "chit CG Bones"), "chit CG Howl-4", 1)
    assert told == "Crag shows Bones and Howl 4; a Giant appears in Crag 6; the Elf is blocked"


def test_m6_news_of_a_campfire() -> None:
    world = play(search("LW5"), "peer", "d 5 5", "chit LW Stink")
    told = "You exchange the chit; the Large Campfire is in Linden Woods 5"
    assert news_of(world, "exchange").startswith(told)


def test_p2_news_of_the_lost_city() -> None:
    world = begin(day("1.at=CN6", "1.plan=A", "1.goods=-", chits="CN:Dank;CN:Lost_City", options="encounter=2"))
    shown = end_of_turn_news(world)
    assert "Cavern shows Dank, Lost City, " in shown


def end_of_turn_news(world: World) -> str:
    """Return the news of the last chit that is decided at the end of a turn."""
    told = ""
    while MACHINE.to_move(world) == (CHANCE,) and MACHINE.label(world).startswith("chit"):
        step = MACHINE.chance(world)[0].move
        told = news.news(MACHINE, world, CHANCE, step, 0)
        world = MACHINE.play(world, CHANCE, step)
    return told


def test_d3_news_tell_why_a_phase_was_lost() -> None:
    lost = begin_news("1.at=CG2", "1.plan=M_CG3;A")
    assert "you lose the phase “Move to Crag 3”: no open roadway leads there (D9)" in lost
    tired = ";".join(map(str, range(1, 13)))
    assert "you lose the phase “Hide”: no chit is active (D8)" in begin_news("1.plan=H", f"1.tired={tired}")
    assert "you begin to climb to Crag 2" in begin_news("1.at=CG5", "1.plan=M_CG2;A")
    assert "you move to Crag 2" in begin_news("1.at=CG5", "1.plan=M_CG2;M_CG2")


def begin_news(*fields: str) -> str:
    return news_of(day("1.goods=-", *fields), "next Elf")


def test_b6_news_of_monsters_that_return() -> None:
    head = "options=map=stock1 heroes=Elf day=7 part=sunrise agenda=prowl"
    one_wolf = decode(MACHINE, f"{head} {VALLEYS} denizens=Wolf-1:B2")
    assert news_of(one_wolf, "die 3").endswith("prowl today; a Wolf returns to the chart")
    two = decode(MACHINE, f"{head} {VALLEYS} denizens=Wolf-1:B2;Wolf-2:B2")
    assert news_of(two, "die 3").endswith("2 Wolves return to the chart")
    imp = news_of(one_wolf, "die 5")
    assert imp == "The die shows 5: the tremendous Spider, heavy Spiders, the Imp and Ghosts prowl today"


def test_t5_news_of_special_cards() -> None:
    world = play(at_site("Statue", "2.at=B2", heroes="Elf;Dwarf"), "loot Statue", "d 1 1")
    thief = news_of(world, "card Statue 1 Remains of Thief")
    assert thief.startswith("You take the Living Sword; the card Remains of Thief is shown; you get 20 gold")
    assert news_of(world, "card Statue 1 Toadstool Circle", 1) == "The card Toadstool Circle is shown"
    found = news_of(world, "card Statue 1 Toadstool Circle")
    assert "you discover the Toadstool Circle" in found
    path = play(search("DW3"), "peer")
    assert "you discover the hidden path between Deep Woods 3 and 6" in news_of(path, "d 3 3")
    site = play(search("CN6", chits="CN:Dank/1;CN:Hoard/1"), "locate")
    assert "you discover the Hoard site" in news_of(site, "d 4 4")


def test_w3_d8_news_of_a_death() -> None:
    world = meet(f"1.tired={';'.join(map(str, range(1, 13)))}", "1.curses=Ill_Health")
    assert news_of(world, "rest easy").startswith("You rest easy; combat ends; you die")


def test_q7_news_of_the_end() -> None:
    assert news_of(meet("day=28"), "rest easy") == "You rest easy; combat ends; the game is over"


def test_e14_news_of_someone_who_runs() -> None:
    world = play(meet("1.unhidden", "1.goods=Pony-1+", monsters="Giant-1:B2"), "pass")
    told = news_of(world, "run B2-B3 with Move L2*")
    assert told.startswith("You run onto the roadway between Borderland 2 and Borderland 3 with Move L2*")
    assert "with Pony 1" in news_of(world, "run B2-B3 with Pony-1 gallop")


def test_z4_a_player_reads_their_own_secret_choices() -> None:
    morning = decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS}")
    assert news_of(morning, "M BV2") == "Your choice: Move to Bad Valley 2"
    assert news_of(morning, "M BV2", None) == ""
    assert news_of(morning, "done").startswith("You have written your day")


def test_steps_are_sorted_by_topics_as_far_as_viewers_know_them() -> None:
    def topic_of(world: World, text: str, viewer: Seat | None = None) -> str:
        return topics.topic(world, MACHINE.to_move(world)[0], parse_step(text), viewer)

    morning = decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS}")
    assert [topic_of(morning, "H", viewer) for viewer in (0, None)] == ["days", ""]
    assert topic_of(search("CG2"), "peer") == "searches"
    assert topic_of(midnight(dying=[0]), "be Elf") == "dangers"
    assert topic_of(decode(MACHINE, "options=map=stock1 heroes=- day=0 part=setup agenda=be:1"), "be Elf") == "setup"


def test_m3_the_draws_of_the_set_up_share_a_line() -> None:
    world = decode(MACHINE, "options=days=7 heroes=- day=0 part=setup map=B:0,0,0 agenda=draw")
    assert news.fold_label(world, parse_step("draw Crag")) == "The map is dealt"
    assert news.fold_label(world, parse_step("chit BV Stink")) == "The valleys are turned up"
    assert news.fold_label(search("CG2"), parse_step("die 3")) == ""


def test_d28_a_move_that_is_made_at_once_is_told_once() -> None:
    choosing = begin(day("1.goods=-", options="recording=as_you_go"))
    move = next(text for text in texts(choosing) if text.startswith("M "))
    assert news_of(choosing, move).startswith("You move to ")
    climbing = begin(day("1.goods=-", "1.at=CG5", options="recording=as_you_go"))
    assert news_of(climbing, "M CG2") == "You begin to climb to Crag 2"
