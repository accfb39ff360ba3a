"""Every state of a game has its words: prompts, reasons, panels, and news for every viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.combat_evenings import fight_on, meet, skip_to
from tests.magic_realm.helpers.day_helpers import MACHINE, at_card, at_site, begin, day, goods, search
from tests.magic_realm.helpers.evening_helpers import midnight
from tests.magic_realm.helpers.random_states import OPTIONS
from tests.magic_realm.helpers.text_checks import (
    PlayedStep,
    check_news,
    check_panels,
    check_prompt,
    check_reasons,
    check_steps,
    random_steps,
    walk,
)


def check_all(taken: PlayedStep, viewers: list[Seat | None], rng: Random) -> None:
    views = {viewer: view(taken.before, MACHINE, viewer) for viewer in viewers}
    for viewer, seen in views.items():
        check_prompt(taken.before, viewer, seen)
        check_panels(seen)
    if taken.seat != CHANCE:
        check_reasons(taken.before, taken.seat, views[taken.seat], rng)
    check_steps(taken.before, taken.seat, views[None if taken.seat == CHANCE else taken.seat])
    check_news(taken, views)


@pytest.mark.long
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
    "a new life": lambda: midnight(dying=[0], heroes="Elf;Dwarf"),
    "combat": lambda: meet("1.goods=Light_Bow-1+", heroes="Elf;Amazon", monsters="Wolf-1;Giant-1;Imp"),
    "combat with armour and a horse": lambda: meet(
        "1.goods=Short_Sword-1+;Shield-1+;Pony-1+", heroes="Amazon;Berserker", monsters="T_Troll-1;Demon"
    ),
    "counters to lay": lambda: fight_on(
        skip_to(meet(monsters="Wolf-1;Wolf-2;Wolf-3;Wolf-4"), "play"), "evade duck Move M4"
    ),
    "secret plays": lambda: skip_to(meet(heroes="Elf;Amazon", monsters="Wolf-1"), "play"),
}  # fmt: skip


@pytest.mark.parametrize("title", SITUATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_rare_situations_have_their_words(seed: int, title: str) -> None:
    world, rng = SITUATIONS[title](), Random(seed)
    for taken in walk(world, rng, 10):
        check_all(taken, [None, *range(len(world.heroes))], rng)
