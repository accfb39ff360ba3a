"""What experiments ask of Magic Realm: who is ahead, who killed or found something first, what is used."""

from __future__ import annotations

from fractions import Fraction

import pytest

import realmtable
from realmtable.engine.protocol import CountsGains, HasStandings, NamesUses
from realmtable.games.magic_realm import standings
from realmtable.games.magic_realm.flow.score import score_seat, total_of
from realmtable.games.magic_realm.world.entities import Hero
from realmtable.games.magic_realm.world.step_text import parse_step
from tests.conformance.random_games import play_randomly
from tests.magic_realm.flow.test_score import CATALOG, world_with

GAME = realmtable.game("magic_realm")
TREASURES = [card.name for card in CATALOG.treasures[:2]]


def test_the_standings_are_the_totals_if_the_game_ended_now() -> None:
    world = world_with("Amazon", {TREASURES[0]: False}, gold=70, fame=5)
    world.heroes.append(Hero(dead=True))
    assert standings.standings(world) == [0, 0], "the set-up is not over"
    world.part = "daylight"
    assert standings.standings(world) == [total_of(score_seat(world, 0)), CATALOG.numbers.victory.dead]


def test_the_last_standings_are_the_scores() -> None:
    last = play_randomly(GAME, GAME.initial(2, GAME.options("first_fights")), 3, 10_000).last
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert isinstance(GAME, HasStandings)
    assert tuple(GAME.standings(last)) == outcome.scores


def test_kills_and_treasures_are_gains() -> None:
    world = world_with("Amazon", dict.fromkeys([*TREASURES, "Shield-1"], False))
    world.heroes.append(Hero(fame=Fraction(1, 2), notoriety=2))
    assert isinstance(GAME, CountsGains)
    assert GAME.gains(world) == {"kill": [0, 3], "treasure": [2, 0]}


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("M BV4", ["Move"]),
        ("H", ["Hide"]),
        ("done", []),
        ("order block never", []),
        ("be Druid", ["be Druid"]),
        ("activate Shield-1", ["activate Shield"]),
        ("locate", ["locate"]),
    ],
)
def test_steps_name_what_they_use(text: str, uses: list[str]) -> None:
    assert isinstance(GAME, NamesUses)
    assert GAME.name_uses(GAME.initial(2), 0, parse_step(text)) == uses


def test_characters_and_treasures_are_held() -> None:
    world = world_with("Amazon", {TREASURES[0]: True, "Shield-1": True})
    world.heroes.append(Hero())
    assert isinstance(GAME, NamesUses)
    assert GAME.name_holdings(world) == [["end as Amazon", f"end with {TREASURES[0]}"], []]
