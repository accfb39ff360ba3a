"""The games of an experiment: the same task gives the same game, and its facts are right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from time import sleep
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, Move, Outcome, State, Turn
from realmtable.lab.balance import game_facts
from realmtable.lab.balance.experiment import BalanceTask
from realmtable.lab.balance.game_facts import (
    LeadFacts,
    describe_lead,
    facts_from_dict,
    name_use,
    play_balance_game,
    rate_seats,
)
from realmtable.lab.matches.match_game import BotFailed
from realmtable.search.baselines import RandomBot
from tests.lab.helpers import FailingBot, PlanningBot
from tests.toys import add_games
from tests.toys.dice_duel import DiceDuel
from tests.toys.gold_quest import GoldQuest

CLASSIC = BalanceTask("classic_realm", 2, (), "random", 7, None)


def without_time(facts: dict[str, Any]) -> dict[str, Any]:
    return {**facts, "seconds": 0}


def test_the_same_task_gives_the_same_game() -> None:
    one, again, other = (play_balance_game(task) for task in (CLASSIC, CLASSIC, CLASSIC._replace(seed=8)))
    assert without_time(one) == without_time(again) != without_time(other)
    assert one["seconds"] > 0


@pytest.mark.long
def test_what_a_process_does_only_once_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot may compile something when it first acts."""
    compiled: list[int] = []

    class SlowStart(RandomBot):
        def choose(self, game: AnyGame, state: State, seat: int, rng: Random) -> Move:
            if not compiled:
                compiled.append(1)
                sleep(1.5)
            return super().choose(game, state, seat, rng)

    fast = play_balance_game(CLASSIC)
    monkeypatch.setattr(game_facts, "WARMED_UP", set())
    monkeypatch.setattr(game_facts, "make_bot", lambda _: SlowStart())
    slow = play_balance_game(CLASSIC)
    assert compiled
    assert without_time(slow) == without_time(fast)
    assert slow["seconds"] < 1.5


def test_facts_survive_json() -> None:
    facts = play_balance_game(CLASSIC)
    restored = facts_from_dict(json.loads(json.dumps(facts)))
    assert restored.as_dict() == facts
    assert restored == facts_from_dict(facts)


@pytest.mark.long
def test_the_facts_of_a_game_fit_together() -> None:
    for seed in range(5):
        facts = facts_from_dict(play_balance_game(CLASSIC._replace(seed=seed)))
        assert sum(facts.shares) == 1
        assert facts.is_decided == (facts.lead is not None)
        assert sum(map(sum, facts.used.values())) == facts.steps >= facts.turns > 0
        assert set(facts.used) == {"F"}
        assert facts.first == 0, "both seats have had two turns"
        assert set(facts.firsts) <= {"capture", "lead"}
        if facts.is_decided and facts.reason == "all_in_water":
            assert facts.scores[facts.shares.index(0)] == 0


def test_games_of_several_seats_with_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    add_games(monkeypatch, DiceDuel(), GoldQuest())
    duel = facts_from_dict(play_balance_game(BalanceTask("dice_duel", 3, (), "random", 1, None)))
    assert len(duel.shares) == len(duel.scores) == 3
    alone = facts_from_dict(play_balance_game(BalanceTask("gold_quest", 1, (), "random", 1, None)))
    assert (alone.shares, alone.lead, alone.firsts) == ((1.0,), None, {})


def test_a_bot_that_plans_turns_plays_them(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = PlanningBot()
    monkeypatch.setattr(game_facts, "make_bot", lambda _: bot)
    facts = facts_from_dict(play_balance_game(CLASSIC._replace(options=("double_moves=on",))))
    assert len(bot.asked) == facts.turns < facts.steps


def test_a_bot_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat(FailingBot):
        def choose(self, game: AnyGame, state: Any, seat: int, rng: Random) -> Any:  # noqa: ANN401, ARG002 - a state and a step
            return game.parse_move(state, "Fa1a1")

    monkeypatch.setattr(game_facts, "make_bot", lambda _: Cheat())
    with pytest.raises(BotFailed, match="The bot random failed: "):
        play_balance_game(CLASSIC)


def test_the_first_gain_is_noted_once() -> None:
    class Counting(DiceDuel):
        """Each seat gains what it has thrown."""

        counts: Sequence[int] = (0, 0)

        def gains(self, state: Any) -> dict[str, Sequence[int]]:  # noqa: ANN401, ARG002 - any state
            return {"throw": self.counts}

    game = Counting()
    observer = object.__new__(game_facts._Observer)
    observer.game, observer.seats, observer.firsts, observer._gains = game, 2, {}, {"throw": (0, 0)}
    for counts, firsts in [((0, 0), {}), ((1, 1), {}), ((1, 2), {"throw": 1}), ((2, 2), {"throw": 1})]:
        game.counts = counts
        observer._note_gains(None)
        assert observer.firsts == firsts


class Ranked(DiceDuel):
    """A duel that says who is ahead."""

    worths: Sequence[float] = (0, 0)
    seat = 0

    def standings(self, state: Any) -> Sequence[float]:  # noqa: ANN401, ARG002 - any state
        return self.worths

    def turn(self, state: Any) -> Turn:  # noqa: ANN401, ARG002 - any state
        return Turn(1, self.seat)


def test_the_standings_say_who_leads() -> None:
    game = Ranked()
    assert rate_seats(game, None, 2) == [0, 0]
    assert rate_seats(game, None, 1) == []
    assert rate_seats(DiceDuel(), None, 2) == []
    classic = registry.game("classic_realm")
    assert rate_seats(classic, classic.initial(), 2) == [0.1, -0.1], "the evaluation likes the move"


@pytest.mark.parametrize(("seat", "noted"), [(CHANCE, [0, None, 1]), (0, [])])
def test_only_changes_count_while_all_act_at_once(seat: int, noted: list[int | None]) -> None:
    game = Ranked()
    game.seat = seat
    match = Match.start(game, game.initial(2), "1")
    observer = game_facts._Observer(game, 2, match)
    for worths in [(0, 0), (2, 1), (2, 1), (2, 2), (2, 3), (2, 3)]:
        game.worths = worths
        observer.watch(match, match)
    assert observer.leaders == noted
    assert observer.turns == 0


def test_a_game_names_what_is_used_and_held() -> None:
    class Named(DiceDuel):
        def name_uses(self, state: Any, seat: int, move: Any) -> list[str]:  # noqa: ANN401, ARG002 - any state and step
            return ["die", f"seat {seat}"]

        def name_holdings(self, state: Any) -> list[list[str]]:  # noqa: ANN401, ARG002 - any state
            return [["cup"], []]

    game = Named()
    begin = Match.start(game, game.initial(2), "1")
    seat = game.to_move(begin.state)[0]
    after = begin.play(seat, game.legal_moves(begin.state, seat)[0])
    observer = game_facts._Observer(game, 2, begin)
    observer.watch(begin, after)
    facts = observer.finish(Outcome((1, 0), (1, 2), "won", "Won."), after.state)
    assert facts.used == {"cup": (1, 0), "die": (1 - seat, seat), f"seat {seat}": (1 - seat, seat)}
    assert facts.steps == 1


@pytest.mark.parametrize(
    ("leaders", "winner", "expected"),
    [
        ([0, 0, 0, 0], 0, LeadFacts(0, 0, comeback=False, settled=0)),
        ([0, 0, 0, 0], 1, LeadFacts(1, 0, comeback=True, settled=1)),
        ([1, None, None, 0], 0, LeadFacts(0.25, 1, comeback=False, settled=0.75)),
        ([None], 0, LeadFacts(0, 0, comeback=False, settled=1)),
    ],
    ids=str,
)
def test_the_lead_is_described(leaders: list[int | None], winner: int, expected: LeadFacts) -> None:
    assert describe_lead(leaders, winner) == expected


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("Fe2b8(xFb8)", "F"),
        ("end", "end"),
        ("take Elven Longbow", "take Elven Longbow"),
        ("summon -1,1", "summon"),
        ("12", "1"),
        ("", "step"),
    ],
)
def test_a_step_names_what_it_uses(text: str, use: str) -> None:
    class Writes(DiceDuel):
        def format_move(self, state: Any, move: Any) -> str:  # noqa: ANN401, ARG002 - any state and step
            return text

    assert name_use(Writes(), None, None, {"F": "x"}) == use


@pytest.mark.parametrize("info", registry.infos(), ids=lambda info: info.id)
def test_every_game_says_who_leads(info: Any) -> None:  # noqa: ANN401 - a game's facts
    game = registry.game(info.id)
    assert len(rate_seats(game, game.initial(2), 2)) == 2
