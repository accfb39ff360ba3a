"""What the page of a table shows of a view: seat chips, the moment, the parts of a turn and the choices."""

from __future__ import annotations

from realmtable.engine.table_parts import ChoiceCard
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text.choice_cards import choice_cards
from realmtable.games.magic_realm.text.moment import moment
from realmtable.games.magic_realm.text.seat_chips import seat_chips
from realmtable.games.magic_realm.text.turn_steps import turn_steps
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.combat_evenings import fight_on, meet, skip_to
from tests.magic_realm.helpers.day_helpers import at_site, begin, day, play, search
from tests.magic_realm.helpers.flow_helpers import position
from tests.magic_realm.helpers.text_helpers import view_of


def cards_of(world: World, seat: int = 0) -> dict[str, ChoiceCard]:
    return {card.title: card for card in choice_cards(view_of(world, seat))}


def steps_of(world: World, seat: int = 0) -> list[tuple[str, str, str]]:
    return [(step.title, step.note, step.state) for step in turn_steps(view_of(world, seat))]


# ---- seats


def test_chips_show_who_is_hidden_what_they_have_earned_and_how_wounded_they_are() -> None:
    world = search("CN6", "1.wounded=2;3", "2.at=B2", "2.fame=3", heroes="Elf;Dwarf")
    own, other = seat_chips(view_of(world))
    assert [fact.value for fact in own.facts] == ["seen", "0", "0", "10"]
    assert [fact.value for fact in other.facts] == ["hidden", "3", "0"]
    assert own.icon == "hero-elf"


def test_only_the_own_goals_are_counted() -> None:
    world = search("CN6", "1.points=fame,gold", "1.fame=10", "2.points=fame,fame", heroes="Elf;Dwarf", cards=())
    own, other = seat_chips(view_of(world))
    assert own.total is not None
    assert (own.total.value, own.total.of) == ("1", "2")
    assert other.total is None
    assert all(chip.total is None for chip in seat_chips(view_of(world, None)))


# ---- the moment


def test_the_moment_names_the_day_its_part_and_who_is_awaited() -> None:
    morning = position(heroes="Elf;Dwarf")
    assert moment(view_of(morning)).title == "Day 1 of 28 · Birdsong"
    assert moment(view_of(morning)).text == "It is your turn"
    ready = MACHINE.play(morning, 1, Step("done"))
    assert moment(view_of(ready)).text == "Dwarf is ready"
    assert moment(view_of(ready, 1)).text == "Waiting for Elf"
    shown = moment(view_of(search("CN6")))
    assert [icon for icon, _ in shown.parts][shown.at] == shown.icon == "daylight"


# ---- the day


def test_a_plan_shows_its_phases_and_what_is_free_or_lost() -> None:
    assert steps_of(position("1.at=CG2")) == [
        ("Choose", "basic", "now"),
        ("Free", "basic", "later"),
        ("Free", "sunlight", "later"),
        ("Free", "sunlight", "later"),
        ("Hide", "extra", "later"),
    ]
    cave = position("1.at=CG2 1.plan=H;M_CS2;S")
    assert steps_of(cave) == [
        ("Hide", "extra", "done"),
        ("Caves 2", "basic", "done"),
        ("Search", "basic", "done"),
        ("Lost", "in a cave", "lost"),
        ("Lost", "in a cave", "lost"),
    ]


def test_what_has_no_phase_stays_visible_with_its_reason() -> None:
    cards = cards_of(position("1.at=CG2 1.plan=H;M_CS2;S"))
    assert cards["Hide"].off == "You have no phase left for this."
    assert not cards["Hide"].handles
    assert cards["My day is ready"].is_main
    free = cards_of(position("1.at=CG2"))
    assert free["Hide"].note == "69%"
    assert free["Rest"].note == "not tired"
    assert not free["My day is ready"].is_main


def test_phases_of_a_turn_are_done_now_or_to_come() -> None:
    world = begin(day("1.at=CG2", "1.plan=H;S;H", "1.unhidden", "1.goods=-"))
    assert steps_of(play(world, "d 3 2")) == [
        ("Hide", "extra", "done"),
        ("Search", "basic", "now"),
        ("Hide", "later", "later"),
    ]


def test_harmless_answers_are_the_main_choice() -> None:
    world = begin(day("1.at=CG2", "1.plan=H;H"))
    assert [card.title for card in choice_cards(view_of(world)) if card.is_main] == ["Continue"]


def test_a_find_shows_its_worth_and_weight() -> None:
    world = play(at_site("Hoard"), "loot Hoard", "d 3 2", "card Hoard 3 Golden Crown")
    cards = cards_of(world)
    assert cards["Carry it"].gain == "great treasure · notoriety −15"
    assert cards["Carry it"].is_main
    assert cards["Leave it here"].handles == ("leave",)


# ---- combat


def test_a_round_of_combat_has_five_parts() -> None:
    world = meet(heroes="Elf", monsters="Wolf-1")
    assert [state for _, _, state in steps_of(world)] == ["now", "later", "later", "later", "later"]
    aim = skip_to(world, "aim")
    assert steps_of(aim)[0] == ("Lure", "Wolf 1", "done")
    assert steps_of(aim)[2][2] == "now"
    assert cards_of(aim)["Attack Wolf 1"].is_main
    assert steps_of(fight_on(aim, "aim Wolf-1"))[2] == ("Aim", "Wolf 1", "done")


def test_running_that_is_impossible_stays_visible_with_its_reason() -> None:
    world = skip_to(meet(heroes="Dwarf", monsters="Wolf-1"), "act")
    cards = cards_of(world)
    assert cards["Stay and fight"].is_main
    runs = [card for title, card in cards.items() if title.startswith("Run")]
    assert runs
    assert all(bool(card.handles) != bool(card.off) for card in runs)
