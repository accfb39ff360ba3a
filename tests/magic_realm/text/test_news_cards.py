"""Steps as cards: what each viewer is shown of rolls, finds, monsters, blocks, combat, deaths and days."""

from __future__ import annotations

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.engine.table_parts import NewsCard
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text.news_cards import news_card
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.combat_evenings import meet, skip_to
from tests.magic_realm.helpers.day_helpers import at_site, begin, day, play, search
from tests.magic_realm.helpers.evening_helpers import sunset
from tests.magic_realm.helpers.flow_helpers import position


def card_of(world: World, text: str, viewer: Seat | None = 0) -> NewsCard:
    found = news_card(MACHINE, world, MACHINE.to_move(world)[0], parse_step(text), viewer)
    assert found is not None
    return found


def test_a_roll_shows_the_die_that_counts_what_is_added_and_the_row() -> None:
    hoof = card_of(play(search("CG2", cards=("Cloven Hoof+",)), "peer"), "d 5 2")
    assert hoof.roll is not None
    assert hoof.roll.dice == (5, 2)
    assert hoof.roll.counts == (True, False)
    assert hoof.roll.additions == (("Cloven Hoof", "+1"),)
    assert (hoof.roll.row, hoof.roll.result) == (5, "nothing")
    assert len(hoof.roll.rows) == 6
    charm = card_of(play(search("CG2", cards=("Lucky Charm+",)), "locate"), "die 6")
    assert charm.roll is not None
    assert charm.roll.additions == (("Lucky Charm", "one die"),)
    assert charm.concerns == (0,)


def test_others_read_the_character_and_never_you() -> None:
    world = play(search("CG2"), "peer")
    assert card_of(world, "d 6 6").title == "Your roll on Peer: nothing"
    assert card_of(world, "d 6 6", None).title == "Elf rolls on Peer: nothing"


def test_hiding_says_whether_it_worked() -> None:
    world = begin(day("1.at=CG2", "1.plan=H", "1.unhidden", "1.goods=-"))
    assert card_of(world, "d 3 2").title == "You are hidden"
    assert card_of(world, "d 6 2").title == "You are not hidden"
    assert card_of(world, "d 3 2", None).title == "Elf is hidden"


def test_only_the_finder_sees_which_treasure_was_found() -> None:
    world = play(at_site("Hoard", "2.at=B2", heroes="Elf;Dwarf"), "loot Hoard", "d 3 2")
    own, other, all_see = (card_of(world, "card Hoard 3 Golden Crown", viewer) for viewer in (0, 1, None))
    assert own.title == "You find the Golden Crown"
    assert "Great treasure" in own.text
    assert "Golden Crown" in own.svg
    assert other == all_see
    assert (other.title, other.text, other.svg) == ("Elf takes a large treasure", "", "")
    assert own.weight > other.weight


def test_a_roll_beyond_what_is_left_says_so() -> None:
    world = play(search("CN6", "piles=CN6:Spear-1,Spear-2"), "loot pile")
    assert card_of(world, "d 5 2").text.startswith("Only 2 things are left.")
    assert "left" not in card_of(world, "d 2 1").text


def test_dawn_shows_the_die_and_warns_only_those_who_are_near() -> None:
    morning = position("1.at=CG2 2.at=B2 denizens=Wolf-1:CG6", heroes="Elf;Dwarf")
    world = MACHINE.play(MACHINE.play(morning, 0, Step("done")), 1, Step("done"))
    near, far, spectator = (card_of(world, "die 3", viewer) for viewer in (0, 1, None))
    assert {card.title for card in (near, far, spectator)} == {"Dawn: Octopus, Ogres, Goblins and Wolves prowl"}
    assert near.text == "If your turn ends in Crag 2, you meet a Wolf."
    assert near.concerns == (0,)
    assert "a Wolf." not in far.text
    assert (spectator.text, spectator.concerns) == ("", ())
    assert near.roll is not None
    assert near.roll.rows[near.roll.row or 0] == near.roll.result
    assert "you meet" not in card_of(world, "die 4").text


def test_secret_steps_and_the_setup_have_no_cards() -> None:
    morning = position(heroes="Elf;Dwarf")
    assert [news_card(MACHINE, morning, 0, Step("H"), viewer) for viewer in (1, None)] == [None, None]
    setup = decode(MACHINE, "options=map=stock1 heroes=-;- day=0 part=setup agenda=be:1")
    assert news_card(MACHINE, setup, 1, parse_step("be Elf"), 1) is None


def test_an_evening_says_who_meets_whom() -> None:
    world = sunset("1.at=CG2", "2.at=B2", "denizens=Wolf-1:CG2;Wolf-2:CG2", heroes="Elf;Dwarf")
    own, other = (card_of(world, "clearing CG2", viewer) for viewer in (0, 1))
    assert (own.title, own.text) == ("Evening in Crag 2", "Elf and 2 Wolves meet.")
    assert own.concerns == (0,)
    assert own.handles == ("CG2",)
    assert own.weight > other.weight
    assert news_card(MACHINE, world, CHANCE, parse_step("clearing B2"), 1) is None  # nobody else is there


def test_attacks_concern_those_whom_they_hit() -> None:
    world = meet(heroes="Elf", monsters="Wolf-1;Wolf-2")
    card, others = (card_of(world, "pass", viewer) for viewer in (0, None))
    assert card.title == "The Wolf 1 and the Wolf 2 attack you"
    assert others.title == "The Wolf 1 and the Wolf 2 attack Elf"
    assert card.concerns == others.concerns == (0,)


def test_a_melee_says_first_what_it_did_to_the_viewer() -> None:
    world = skip_to(meet(heroes="Elf;Amazon", monsters="Wolf-1;Wolf-2;Wolf-3"), "turn over")
    found = []
    while MACHINE.to_move(world) == (CHANCE,):
        outcome = MACHINE.chance(world)[0].move
        found += [news_card(MACHINE, world, CHANCE, outcome, viewer) for viewer in (0, 1)]
        world = MACHINE.play(world, CHANCE, outcome)
    shown = [card for card in found if card is not None]
    assert any(card.title == "Attackers may turn over" for card in shown)
    assert [card.title for card in shown if card.icon == "wound"] == ["Amazon is wounded", "You take 3 wounds"]
    assert shown[-1].concerns == (1,)
