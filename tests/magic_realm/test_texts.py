"""Every question has a prompt, every step a label and a description, and every refusal a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.flow.agenda import Question
from realmtable.games.magic_realm.flow.handlers import HANDLERS, MACHINE
from realmtable.games.magic_realm.flow.positions import decode
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.text import describe, news, notes, panels, prompts, refusals, scores, secrecy, topics
from realmtable.games.magic_realm.text.wording import name_clearing, name_monsters, spell_place
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.places import road_place
from realmtable.games.magic_realm.world.step_text import VERBS, format_step, parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.day_helpers import MONSTER, at_site, begin, box_without, day, goods, play, search
from tests.magic_realm.flow_helpers import CATALOG, VALLEYS
from tests.magic_realm.test_evening import one
from tests.magic_realm.test_looting import at_card
from tests.magic_realm.text_walks import (
    OPTIONS,
    Taken,
    check_news,
    check_panels,
    check_prompt,
    check_reasons,
    check_steps,
    random_steps,
    walk,
)
from tests.seeds import list_seeds


def check_all(taken: Taken, viewers: list[Seat | None], rng: Random) -> None:
    for viewer in viewers:
        check_prompt(taken.before, viewer)
        check_panels(taken.before, viewer)
    check_steps(taken.before, taken.seat)
    if taken.seat != CHANCE:
        check_reasons(taken.before, taken.seat, rng)
    check_news(taken, viewers)


@pytest.mark.parametrize(("seats", "options"), [*zip((3, 2, 1, 2), OPTIONS, strict=True)])
def test_every_state_of_a_random_game_has_its_words(seats: int, options: MagicOptions) -> None:
    rng = Random(seats)
    for number, taken in enumerate(random_steps(seats, options, 5, 200)):
        if number % 5 == 0:
            check_all(taken, [None, *range(seats)], rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_every_state_of_many_random_games_has_its_words(seed: int) -> None:
    rng, seats = Random(seed), 1 + seed % 8
    for taken in random_steps(seats, OPTIONS[seed % len(OPTIONS)], seed, 2000):
        check_all(taken, [None, *range(seats)], rng)


TELESCOPE = "boxes=Hoard:large,large,large,large,large,small,small,small"
SITUATIONS: Mapping[str, Callable[[], World]] = {
    "a closed Vault": lambda: at_site("Vault", heroes="Berserker"),
    "the Cairns": lambda: at_site("Cairns", "1.tired=1"),
    "the Pool": lambda: at_site("Pool"),
    "two at the Hoard": lambda: at_site("Hoard", "2.at=CN6", heroes="Elf;Dwarf"),
    "a mountain": lambda: search("CG2"),
    "Magic Sight": lambda: at_site("Hoard", heroes="Witch_King"),
    "a pile": lambda: search("CN6", "piles=CN6:Spear-1,Pony-1"),
    "a telescope": lambda: begin(day("1.at=CG2", "1.plan=P_CG5;H", goods("Ancient Telescope+"), TELESCOPE)),
    "a circle of toadstools": lambda: at_card("Toadstool Circle"),
    "followers": lambda: begin(
        day("1.plan=M_BV2;R", "2.guide=1", "2.plan=F_Elf", "2.orders=follow:ask", heroes="Elf;Dwarf",
            options="follow=may_stop")
    ),
    "an attack": lambda: one(monsters="Wolf-1:B2;Giant-1:B2"),
    "a crowd": lambda: one("2.at=B2", "2.unhidden", hero="Elf;Dwarf"),
}  # fmt: skip


@pytest.mark.parametrize("title", SITUATIONS)
@pytest.mark.parametrize("seed", list_seeds(3, traced=2))
def test_rare_situations_have_their_words(seed: int, title: str) -> None:
    world, rng = SITUATIONS[title](), Random(seed)
    for taken in walk(world, rng, 10):
        check_all(taken, [None, *range(len(world.heroes))], rng)


# ---- reasons


@pytest.mark.parametrize(
    ("world", "verb"),
    [
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS}"), "M"),
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Dwarf {VALLEYS} 1.at=CN6 1.plan=H;H"), "M"),
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS} 1.plan=M_BV2;H;H;H"), "M"),
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS} 1.at=BV2-BV5 1.plan=M_BV2"), "M"),
        (lambda: begin(day("1.goods=-", options="recording=as_you_go")), "M"),
        (lambda: begin(day("1.goods=-", "1.used=basic,basic,sunlight,sunlight", "1.plan=H;H;R;R", "1.phase=4",
                           options="recording=as_you_go")), "M"),
        (lambda: begin(day("1.goods=-", "1.at=B2-B3", options="recording=as_you_go")), "M"),
        (lambda: search("CG2"), "peer"),
        (lambda: search("CN6"), "peer"),
        (one, "run"),
        (lambda: one("1.came=B2-B3"), "run"),
        (lambda: one(monsters="Octopus:B2"), "run"),
        (lambda: one("1.came=B2-B3", monsters="Octopus:B2"), "run"),
    ],
)  # fmt: skip
def test_x4_a_click_on_a_clearing_is_refused_with_the_clause_of_the_step_that_it_means(
    world: Callable[[], World], verb: str
) -> None:
    state = world()
    seen = view(state, MACHINE, 0)
    clearings = [*CATALOG.names.by_name("clearing")]
    at = seen["players"][0]["at"]
    compared = 0
    for clearing in clearings:
        found = refusals.reason(seen, (), clearing)
        road = "-".join(sorted((at, clearing), key=lambda end: clearings.index(end) if end in clearings else 0))
        text = f"run {road} with Move M4" if verb == "run" else f"{verb} {clearing}"
        if found is not None and clearing != at:
            with pytest.raises(IllegalMove) as refused:
                MACHINE.check(state, 0, parse_step(text))
            assert refused.value.clause == found.clause, (clearing, found)
            compared += 1
    assert compared > 50


def reason_of(world: World, handle: str, *path: str, seat: Seat = 0) -> str:
    """Return the clause of the reason for a click, or nothing."""
    found = refusals.reason(view(world, MACHINE, seat), path, handle)
    return found.clause if found else ""


def test_x4_reasons_for_the_days_of_followers_ponies_and_telescopes() -> None:
    morning = f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS}"
    assert reason_of(decode(MACHINE, f"{morning} 1.plan=F_Dwarf"), "BV2") == "B4"
    as_you_go = decode(MACHINE, morning.replace("stock1", "stock1,recording=as_you_go"))
    assert reason_of(as_you_go, "BV2") == "B2"
    written = decode(MACHINE, morning)
    assert reason_of(written, "CG2", "P") == "T1"
    assert reason_of(written, "BV2", "pony") == "D6"
    assert reason_of(written, "Dwarf") == "B2"
    assert reason_of(written, "BV2") == ""
    assert reason_of(written, "BV2", seat=1) == ""
    assert refusals.reason(view(written, MACHINE, None), (), "BV2") is None


def test_x4_reasons_in_the_turn() -> None:
    choosing = begin(day("1.goods=-", options="recording=as_you_go"))
    assert (reason_of(choosing, "Elf"), reason_of(choosing, "phase:H")) == ("D28", "")
    assert reason_of(search("CG2"), "Elf") == "D16"
    assert reason_of(at_site("Hoard", heroes="Witch_King"), "CG2") == "D22"
    assert reason_of(one(), "Elf") == "A3"


def test_x4_reasons_in_the_secret_choices() -> None:
    setup = "options=days=7,map=stock1 heroes=Captain day=0 part=setup agenda=secrets"
    assert reason_of(decode(MACHINE, setup), "ready") == "M10"
    chosen = refusals.reason(view(decode(MACHINE, f"{setup} 1.points=fame,fame"), MACHINE, 0), (), "ready")
    assert chosen is not None
    assert chosen.sentence == "Choose one of your character's starting places."
    done = refusals.reason(view(decode(MACHINE, f"{setup} 1.points=fame,fame 1.start=Inn"), MACHINE, 0), (), "BV2")
    assert done is not None
    assert done.sentence == "Say that you are ready, or take a choice back."


# ---- prompts


def prompt_of(world: World, seat: Seat = 0) -> str:
    found = prompts.prompt(view(world, MACHINE, seat))
    assert found is not None
    return f"{found.title} | {found.text} | {found.clause}"


def test_d16_the_prompt_of_a_search_names_phase_and_tables() -> None:
    assert prompt_of(search("CN6")) == "Phase 1 of 2: Search | Choose the table: Peer or Locate. | D16"
    assert prompt_of(at_site("Hoard")) == "Phase 1 of 3: Search | Choose the table: Peer, Locate or Loot. | D16"
    far = "Choose the table: Peer or Locate here, or a clearing to peer at."
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
        == "Day 1 of 28, birdsong | Choose your next phase (1 written), or Done when the day is written. | B3"
    )
    following = decode(MACHINE, f"{morning} 1.plan=F_Dwarf")
    assert prompt_of(following) == "Day 1 of 28, birdsong | Choose Done, or take back that you follow. | B4"


def test_d28_a_phase_that_is_chosen_when_it_comes_has_a_number_alone() -> None:
    """How many follow is open: a pony gives more, a cave takes some away."""
    choosing = begin(day("1.goods=-", "1.used=basic,basic", "1.plan=H;H", "1.phase=2", options="recording=as_you_go"))
    assert prompt_of(choosing).startswith("Phase 3 | ")
    assert prompt_of(play(choosing, "S")).startswith("Phase 3: Search | ")


def test_l3_the_prompt_says_what_blocking_costs() -> None:
    world = begin(day("1.plan=A;A", "1.goods=-", "2.goods=-", "2.unhidden", heroes="Elf;Dwarf"))
    whom = "Choose whether to block the Dwarf, which ends the turn of both."
    assert prompt_of(world) == f"Phase 2 of 2: Alert | {whom} | L3"
    pass_on = play(world, "pass")
    assert prompt_of(pass_on, 1).startswith("The turn of the Elf | Choose whether to block the Elf")


def test_d18_the_prompt_asks_to_exchange_only_what_can_be_exchanged() -> None:
    world = play(search("LW5"), "peer", "d 5 5")
    assert prompt_of(play(world, "chit LW Bones")).split(" | ")[1] == "Put the chits back."
    fire = prompt_of(play(world, "chit LW Stink")).split(" | ")[1]
    assert fire == "Choose whether to show everyone the chit that you found and exchange it."


def test_a3_prompts_of_the_evening() -> None:
    run = "Choose where to run, or stay and be wounded: 1 monster attacks."
    assert prompt_of(one()) == f"Day 1 of 28, evening | {run} | A3"
    assert "you cannot run from 1 monster" in prompt_of(one(monsters="Octopus:B2"))
    two = play(one(monsters="Wolf-1:B2;Wolf-2:B2"), "stay")
    assert "Choose a chit to be wounded (2 wounds to take)." in prompt_of(two)


ROAD = "the roadway between Deep Woods 3 and Deep Woods 6"
WORTH = next(found.worth for found in CATALOG.characters if found.name == "Elf")
STARTS = ("Inn", "Inn", "House")


def test_every_frame_that_asks_has_a_prompt_and_a_usual_reason() -> None:
    asking = {kind for kind, handler in HANDLERS.items() if isinstance(handler, Question)}
    assert {*prompts._QUESTIONS} == {*refusals.USUAL} == asking


def test_prompts_of_the_set_up() -> None:
    setup = "options=days=7,map=stock1 heroes=Captain day=0 part=setup"
    gear = decode(MACHINE, f"{setup} agenda=gear:1:1 1.goods=Short_Sword-1+")
    assert prompt_of(gear) == "Set-up | Choose the group that gives you the Helmet. | M9"
    (_, group) = MACHINE.legal_moves(gear, 0)[0].args
    name = CATALOG.boxes[group].name
    assert news_of(gear, f"gear Helmet {name}").startswith(f"You take the Helmet from the {name}")
    secret = decode(MACHINE, f"{setup} agenda=secrets 1.points=fame")
    assert prompt_of(secret) == "Set-up | Choose what to aim for: 1 victory point left to assign. | M10"
    assert prompt_of(play(secret, "want gold")) == "Set-up | Choose where you start. | M10"
    ready = play(secret, "want gold", "start Inn")
    assert prompt_of(ready) == "Set-up | Choose Ready if this is what you want: 1 fame, 1 gold. | M10"


def test_prompts_and_news_of_the_turn() -> None:
    any_result = play(search("CG2"), "peer", "d 1 1")
    assert prompt_of(any_result).endswith("Choose a result for Crag 2. | D18")
    chosen = "You choose to look at the map chits of the tile and discover hidden paths"
    assert news_of(any_result, "choose clues+paths").startswith(chosen)
    several = begin(day("1.plan=A;A", "1.goods=-", "2.goods=-", "2.unhidden", "3.goods=-", "3.unhidden",
                        heroes="Elf;Amazon;Captain"))  # fmt: skip
    assert "Choose whom to block, which ends both turns, or block no one." in prompt_of(several)
    tired = begin(day("1.plan=R;H", "1.goods=-", "1.tired=2;3"))
    assert prompt_of(tired) == "Phase 1 of 2: Rest | Choose a chit to rest. | D15"
    rested = MACHINE.legal_moves(tired, 0)[0]
    assert news.news(MACHINE, tired, 0, rested, 0).startswith(f"You rest {format_step(rested).removeprefix('rest ')}")
    choosing = begin(day("1.goods=-", options="recording=as_you_go"))
    assert news_of(choosing, "done").startswith("You end your turn")
    assert news_of(choosing, "S") == "You choose “Search”"
    sight = play(at_site("Hoard", heroes="Witch_King"), "sight", "d 3 3")
    assert news_of(sight, "take card Hoard").startswith("You take the top treasure card of the Hoard")


def test_m8_news_call_players_without_a_character_by_their_seats() -> None:
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


# ---- news


def news_of(world: World, text: str, viewer: Seat | None = 0) -> str:
    (seat,) = MACHINE.to_move(world)
    return news.news(MACHINE, world, seat, parse_step(text), viewer)


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
    assert active.rolled is not None


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
    world = begin(day("1.at=CN6", "1.plan=A", "1.goods=-", chits="CN:Dank;CN:Lost_City"))
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


def test_w3_news_of_a_death_and_of_the_end() -> None:
    wounded = ";".join(map(str, range(2, 13)))
    assert news_of(one(f"1.wounded={wounded}", monsters="Octopus:B2"), "stay").startswith("You stay; you die")


def test_a5_news_of_someone_who_runs() -> None:
    told = news_of(one(), "run B2-B3 with Move L2*")
    assert told.startswith("You run onto the roadway between Borderland 2 and Borderland 3 with Move L2*")


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
    assert topic_of(one(), "stay") == "dangers"
    assert topic_of(decode(MACHINE, "options=map=stock1 heroes=- day=0 part=setup agenda=be:1"), "be Elf") == "setup"


def test_m3_the_draws_of_the_set_up_share_a_line() -> None:
    world = decode(MACHINE, "options=days=7 heroes=- day=0 part=setup map=B:0,0,0 agenda=draw")
    assert news.fold_label(world, parse_step("draw Crag")) == "The map is dealt"
    assert news.fold_label(world, parse_step("chit BV Stink")) == "The valleys are turned up"
    assert news.fold_label(search("CG2"), parse_step("die 3")) == ""


# ---- labels, panels and scores


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
        ("peer", "Peer"),
        ("be Elf", "Characters/Play the Elf"),
        ("activate Shield-1", "Activate/Activate Shield 1"),
        ("force Gloves of Strength", "Open it with the Gloves of Strength"),
        ("force Fight T5*", "Open it with Fight T5*"),
        ("block Giant-1", "Block/Block the Giant 1"),
        ("rest Fight H4** with Move M3*", "Rest/Rest Fight H4**; Move M3* becomes fatigued"),
        ("M BV4 pony", "Ride the pony to Bad Valley 4"),
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
    "rest wounded Move M3* with Fight M4*", "enough", "to CN3", "run B2-B3 with Move L2*", "stay", "wound Fight M5",
    "attack Wolf-2 Elf",
)  # fmt: skip


def test_z13_steps_of_every_verb_have_their_own_descriptions() -> None:
    steps = [parse_step(text) for text in SAMPLES]
    assert {step.verb for step in steps} == {*VERBS}
    words = [describe.describe_step(step) for step in steps]
    assert len({*words}) == len(words)
    assert all(text[0].isupper() and not text.endswith(".") for text in words)
    assert words[SAMPLES.index("tire Fight H4** for Fight M4*")] == "Fatigue Fight H4**; Fight M4* becomes active"
    assert words[SAMPLES.index("attack Wolf-2 Elf")] == "The Wolf 2 attacks the Elf"
    assert words[SAMPLES.index("take card Hoard")] == "Take the top treasure card of the Hoard"


def note_on(world: World, handle: str, viewer: Seat | None = 0) -> str:
    return notes.note(view(world, MACHINE, viewer), handle)


def test_notes_say_what_choices_do() -> None:
    morning = decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS}")
    assert note_on(morning, "CG2") == "Two Moves in a row lead into a mountain clearing."
    assert note_on(morning, "CN6") == "On a day that leads into a cave, you have no sunlight phases."
    assert [note_on(morning, handle) for handle in ("BV2", "Elf", "want love")] == ["", "", ""]
    assert note_on(morning, "phase:R") == "A fatigued chit becomes active again, or a wounded one gets better."
    assert note_on(morning, "phase:R", None) == ""
    assert note_on(search("CG2"), "CG5") == ""
    assert note_on(morning, "want gold").startswith("This point needs 30 gold, besides")
    assert note_on(morning, "want treasures") == "This point needs 1 great treasure."
    assert note_on(one(monsters="Wolf-1:B2;Wolf-2:B2"), "stay") == "You take 2 wounds."
    assert note_on(morning, "block Elf") == "You both become unhidden and lose what is left of your turns."
    assert all(text.endswith(".") and text.count(".") == 1 for text in notes.NOTES.values())


def test_places_and_monsters_have_whole_names() -> None:
    assert spell_place("BV2-BV5") == "the roadway between Bad Valley 2 and Bad Valley 5"
    assert spell_place("nowhere") == "nowhere"
    assert name_clearing(road_place(1, 2)) == "the roadway between Awful Valley 1 and Awful Valley 2"
    kinds = ("Wolf-1", "Wolf-2", "Imp", "H Spider-1", "T Troll-1")
    assert name_monsters([MONSTER[name] for name in kinds]) == "2 Wolves, an Imp, a heavy Spider and a tremendous Troll"


def rows_of(world: World, panel: str, seat: Seat | None = 0) -> dict[str, str]:
    found = next(one for one in panels.panels(view(world, MACHINE, seat)) if one.id == panel)
    return {row.label: row.value for row in found.rows}


def test_panels_show_the_character_the_plan_and_what_is_known() -> None:
    world = search("CN6", "1.tired=1", "1.wounded=2", "2.at=B2", "2.wounded=3", "2.goods=Spear-1", heroes="Elf;Dwarf")
    character = rows_of(world, "character")
    assert character["You are the Elf"] == "Cavern 6"
    assert character["The Dwarf"] == "Borderland 2, hidden; 1 wounded; fame 0, notoriety 0; Spear 1"
    assert rows_of(world, "plan")["→ Phase 1"] == "Search"
    assert rows_of(world, "plan")["Phase 2"] == "Hide"
    rolled = play(world, "peer", "d 6 6")
    assert rows_of(rolled, "plan")["Last roll"] == "Elf, Peer: 6 and 6, 6: nothing"
    assert rows_of(rolled, "plan")["✓ Phase 1"] == "Search"
    sites = rows_of(at_site("Hoard"), "places")
    assert sites["Discovered"] == "Hoard"
    assert sites["Hoard"] == "5 large treasures, 4 small treasures"
    assert rows_of(search("DW3", "1.knows=DW3-DW6"), "places")["Secret roads"] == ROAD
    assert rows_of(search("DW3", heroes="Wizard"), "places")["Secret roads"] == "all hidden paths and secret passages"
    pile = rows_of(search("CN6", "piles=CN6:Spear-1"), "places")
    assert pile["Pile in Cavern 6"] == "Spear 1"
    hoof = rows_of(play(search("CG2", cards=("Cloven Hoof+",)), "peer", "d 5 2"), "plan")
    assert hoof["Last roll"] == "Elf, Peer: 5 and 2 +1, 6: nothing"
    assert "Cloven Hoof" in rows_of(search("CG2", cards=("Cloven Hoof+",)), "belongings")
    open_gold = decode(MACHINE, f"options=map=stock1,secret_gold=off heroes=Elf;Dwarf {VALLEYS}")
    assert "10 gold" in rows_of(open_gold, "character")["The Dwarf"]
    pony = decode(MACHINE, f"options=map=stock1 heroes=Amazon {VALLEYS} 1.goods=Pony-1+")
    assert rows_of(pony, "plan")["Phases of a day"].endswith("1 extra Move; a pony's Move behind each other Move")


def test_panels_say_in_words_who_prowls_what_was_rolled_and_who_follows() -> None:
    world = search("CG2", "2.guide=1", "2.plan=F_Elf", "2.at=CG2", "2.goods=-", "rows=5", heroes="Elf;Dwarf")
    assert rows_of(world, "character")["The Dwarf"].startswith("Crag 2, follows the Elf; ")
    assert rows_of(world, "character", 1)["You are the Dwarf"].endswith("follows the Elf")
    assert rows_of(world, "plan")["Prowling today"] == "the tremendous Spider, heavy Spiders, the Imp and Ghosts"
    rolled = rows_of(play(world, "peer", "d 3 2"), "plan")
    assert rolled["Last roll"] == "Elf, Peer: 3 and 2, 3: hidden enemies and hidden paths"
    morning = decode(MACHINE, f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS}")
    assert "Standing order" in rows_of(morning, "plan")


def test_a5_news_of_a_rider_name_the_horse_without_a_hyphen() -> None:
    world = one("1.goods=Pony-1+")
    told = news_of(world, "run B2-B3 with Pony-1")
    assert "with Pony 1" in told


@pytest.mark.parametrize("text", ["later", "now", "pass", "run on"])
def test_a_step_is_called_the_same_on_its_button_and_in_the_list(text: str) -> None:
    assert describe.label(text) == describe.describe_step(parse_step(text))


def test_q7_the_score_of_the_present_leaves_out_what_is_too_heavy() -> None:
    goals = "1.points=fame,fame"
    heavy = rows_of(search("CN6", goals, "1.goods=Suit_of_Armor-1;Spear-1"), "character")
    assert heavy["Too heavy to count"] == "Suit of Armor 1"
    assert "Too heavy to count" not in rows_of(search("CN6", goals), "character")
    jewel = ("1.goods=Blasted_Jewel", "boxes=Hoard:large,large,large,large,small,small,small,small")
    carried = view(search("CN6", goals, *jewel), MACHINE, 0)
    assert carried["own"]["dropped"] == ["Blasted Jewel"]
    rows = {row["kind"]: row["owned"] for row in carried["own"]["score"]}
    assert (rows["treasures"], rows["fame"], rows["notoriety"]) == (0, 0, 0)


def test_q8_the_panel_says_what_gold_is_needed_and_what_the_dead_score() -> None:
    world = ended("1.points=fame,fame", "1.fame=12", "2.points=fame,gold", "2.dead")
    living = rows_of(world, "character")
    assert (living["Goal: fame"], living["Gold"], living["Notoriety"]) == ("12 of 20", f"10 of {WORTH}", "0")
    dead = rows_of(world, "character", 1)
    assert dead["Score if the game ended now"] == "−100; 0 reaches the goal"
    assert "Gold" not in dead


def ended(*fields: str, heroes: str = "Elf;Dwarf") -> World:
    bare = " ".join(
        f"{seat}.goods=-" for seat in range(1, heroes.count(";") + 2) if f"{seat}.goods" not in " ".join(fields)
    )
    head = f"options=days=7,map=stock1 heroes={heroes} {VALLEYS} day=7 part=over"
    return decode(MACHINE, f"{head} {bare} {' '.join(fields)}")


def test_q8_scores_are_explained_line_by_line() -> None:
    world = ended("1.points=fame,gold", "1.fame=12", "1.gold=80", "2.points=gold,gold", "2.dead")
    first, second = scores.score_breakdowns(view(world, MACHINE, None))
    assert (first.seat, first.rank, first.total) == (0, 1, 2.0)
    assert [(line.title, line.points) for line in first.lines] == [
        ("Great treasures", 0.0), ("Fame", 0.0), ("Notoriety", 0.0), ("Gold", 2.0),
    ]  # fmt: skip
    assert first.lines[1].reason == "Has 12; 1 point assigned needs 10. The 2 beyond that give 0, at 10 a point (Q8)."
    assert (second.rank, second.total, second.lines[0].title) == (2, -100.0, "Dead at the end")
    assert scores.score_breakdowns(view(search("CG2"), MACHINE, 0)) == []


def test_q7_what_is_too_heavy_is_named() -> None:
    world = ended("1.goods=Suit_of_Armor-1", "1.points=fame,fame", heroes="Elf")
    (only,) = scores.score_breakdowns(view(world, MACHINE, 0))
    assert only.lines[-1].struck
    assert only.lines[-1].reason == "Left behind, because too heavy to carry: Suit of Armor 1 (Q7)."
    missing = "The 20 that are missing count three times: −6, at 10 a point, and −12 more for the points assigned (Q8)."
    assert only.lines[1].reason == f"Has 0; 2 points assigned need 20. {missing}"
