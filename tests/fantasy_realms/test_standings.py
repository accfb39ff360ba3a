"""What experiments ask of Fantasy Realms: who is ahead, who had a hundred points first, which cards are used."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.protocol import CountsGains, HasStandings, NamesUses
from realmtable.games.fantasy_realms import standings
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import State, Step
from tests.conformance.random_games import play_randomly
from tests.fantasy_realms.helpers import ids

GAME = realmtable.game("fantasy_realms")
RICH = ("King", "Queen", "Knights", "Elven Archers", "Light Cavalry", "Dwarvish Infantry", "Warlord")
POOR = ("Swamp", "Blizzard", "Smoke", "Warship", "War Dirigible", "Lightning", "Dragon")


def test_hands_count_as_they_are() -> None:
    state = State(FantasyOptions(), (ids(*RICH), ids(*POOR), ()), phase="draw", first=0)
    assert standings.standings(state) == [best_worth(hand) for hand in state.hands]
    assert state.hands[2] == ()
    assert standings.standings(state)[2] == 0


def test_the_cards_of_the_current_turn_do_not_count_yet() -> None:
    drawn = State(FantasyOptions(), (ids(*POOR, "Unicorn"), ids(*RICH), ()), phase="discard", first=0)
    before = State(FantasyOptions(), (ids(*POOR), ids(*RICH), ()), phase="draw", first=0)
    assert standings.standings(drawn) == standings.standings(before)


def test_the_last_standings_are_the_scores() -> None:
    for options, seats in ((None, 2), (None, 3), (GAME.options("chaos"), 3)):
        last = play_randomly(GAME, GAME.initial(seats, options), 5, 3000).last
        outcome = GAME.outcome(last)
        assert outcome is not None
        assert isinstance(GAME, HasStandings)
        assert tuple(GAME.standings(last)) == outcome.scores


def test_hundreds_are_gained() -> None:
    state = State(FantasyOptions(), (ids(*RICH), ids("Dragon"), ids(*POOR)), phase="over", first=0)
    worths = standings.standings(state)
    assert worths[0] > 200
    assert worths[1] < 0 < worths[2] < 100
    assert isinstance(GAME, CountsGains)
    assert GAME.gains(state) == {"hundred points": [worths[0] // 100, 0, 0]}


@pytest.mark.parametrize(
    ("step", "uses"),
    [
        (Step("take", *ids("Fountain of Life")), ["take Fountain of Life"]),
        (Step("deck"), ["deck"]),
        (Step("bid", *ids("King", "Queen")), ["bid"]),
        (Step("ready"), []),
    ],
)
def test_steps_name_their_ids(step: Step, uses: list[str]) -> None:
    assert isinstance(GAME, NamesUses)
    assert GAME.name_uses(GAME.initial(3), 0, step) == uses


def test_hands_are_held() -> None:
    assert isinstance(GAME, NamesUses)
    state = State(FantasyOptions(), (ids("King"), ids("Queen", "Smoke"), ()))
    assert GAME.name_holdings(state) == [["end with King"], ["end with Queen", "end with Smoke"], []]
