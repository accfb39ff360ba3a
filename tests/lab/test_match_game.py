"""Games of a match: equal openings, reproducible seeds, and bots that plan, cheat, fail or die."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.lab.jobs.job_runner import WorkersLost
from realmtable.lab.matches import match_game
from realmtable.lab.matches.match import play_match
from realmtable.lab.matches.match_game import BotFailed, PlayedGame, is_in_setup, play_game, play_opening
from realmtable.lab.matches.match_plan import Entrant, GameTask, Plan, make_entrants
from realmtable.search.baselines import RandomBot
from tests.lab.helpers import RANDOMS, CheatingBot, FailingBot, PlanningBot, crashing_entrant
from tests.toys import add_games
from tests.toys.dice_duel import DiceDuel
from tests.toys.secret_cards import SecretCards

SHORT = realmtable.game("realm").options(None, max_turns=20, no_progress=10)
CLASSIC = realmtable.game("classic_realm")


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    add_games(monkeypatch, DiceDuel(), SecretCards())


@pytest.fixture
def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "0")  # so that new processes start at once


def plan(game_id: str = "classic_realm", **more: Any) -> Plan:  # noqa: ANN401 - the plan's own
    return Plan(game_id, make_entrants(RANDOMS), **{"games": 4, **more})


def without_times(games: tuple[PlayedGame, ...]) -> list[tuple[Any, ...]]:
    return [(game.pair, game.bots, game.points, game.turns, game.steps) for game in games]


# ---- openings


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("realm", {}),
        ("realm", {"choose_seat": "both"}),
        ("classic_realm", {"free_setup": True}),
        ("oriental_realm", {"free_setup": True}),
        ("oriental_realm", {"emperor": "choose"}),
        ("modern_realm", {"counter_agent": "choose"}),
    ],
    ids=str,
)
def test_an_opening_is_the_whole_set_up(game_id: str, options: dict[str, Any]) -> None:
    game = realmtable.game(game_id)
    chosen = game.options(None, **options)
    assert is_in_setup(game, game.initial(2, chosen))
    for pair in range(3):
        match = play_opening(plan(game_id, options=chosen), pair)
        assert game.view(match.state, None)["phase"] == "turn"
        assert match.parent is not None
        assert is_in_setup(game, match.parent.state), "it ends with the set-up"


@pytest.mark.parametrize("game_id", ["classic_realm", "medieval_realm", "oriental_realm", "modern_realm"])
def test_without_a_set_up_it_is_four_turns(game_id: str) -> None:
    match = play_opening(plan(game_id), 0)
    assert len(match.turns()) == 4
    assert not match.is_turn_running()


@pytest.mark.parametrize("turns", [0, 1, 5])
def test_an_opening_has_the_turns_that_are_asked_for(turns: int) -> None:
    for game_id in ("realm", "classic_realm"):
        assert len(play_opening(plan(game_id, opening_turns=turns), 0).turns()) == turns


def test_pairs_have_openings_of_their_own() -> None:
    states = [CLASSIC.encode(play_opening(plan(seed=seed), pair).state) for seed in (1, 2) for pair in range(5)]
    assert len(set(states)) == 10


def test_nothing_is_proposed_in_an_opening() -> None:
    game = realmtable.game("realm")
    for pair in range(5):
        log = play_opening(plan("realm", opening_turns=40), pair).log()
        assert not any(game.is_proposal(entry.move) for entry in log)  # type: ignore[attr-defined] # Realm has it


@pytest.mark.usefixtures("toys")
def test_an_opening_that_ends_the_game_is_drawn_again() -> None:
    duel = plan("dice_duel", options=DiceDuel().options(target=5), opening_turns=3)
    attempts = set()
    for pair in range(20):
        match = play_opening(duel, pair)
        assert match.game.to_move(match.state)
        attempts.add(match.seed == str(duel.derive_seed(pair, "opening", 0)))
    assert attempts == {True, False}


def test_an_opening_that_no_game_survives_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_game, "MAX_REDRAWS", 3)
    with pytest.raises(BadInput, match="choose fewer opening turns"):
        play_opening(plan("realm", options=SHORT, opening_turns=200), 0)


def test_positions_to_begin_from_take_turns() -> None:
    starts = tuple(CLASSIC.encode(play_opening(plan(), pair).state) for pair in range(2))
    result = play_match("classic_realm", RANDOMS, games=6, starts=starts, workers=1)
    assert {game.opening for game in result.games} == {0}
    for game in result.games:
        state = CLASSIC.decode(starts[game.pair % 2])
        assert CLASSIC.parse_move(state, game.steps[0]) in CLASSIC.legal_moves(state, CLASSIC.to_move(state)[0])


def test_the_seed_of_a_pair_is_the_hash_that_the_docs_name() -> None:
    digest = hashlib.sha256(b"realmtable match 7 pair 3").digest()
    assert plan(seed=7).derive_seed(3) == int.from_bytes(digest[:8], "big")
    page = Path(__file__).parents[2] / "docs/study/strength.md"
    assert "realmtable match SEED pair PAIR" in page.read_text(encoding="utf-8")


# ---- games


def test_a_pair_has_one_opening_and_swapped_seats() -> None:
    games = play_match("classic_realm", RANDOMS, games=6, workers=1).games
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.pair, one.bots, other.bots) == (other.pair, (0, 1), (1, 0))
        assert one.steps[: one.opening] == other.steps[: other.opening]
        assert one.steps != other.steps
        assert one.first == other.first


def test_the_steps_replay_to_the_result() -> None:
    for game_id, options in (("classic_realm", None), ("realm", SHORT)):
        game = realmtable.game(game_id)
        for played in play_match(game_id, RANDOMS, games=2, options=options, workers=1).games:
            state = game.initial(2, options)
            for text in played.steps:
                state = game.play(state, game.to_move(state)[0], game.parse_move(state, text))
            outcome = game.outcome(state)
            assert outcome is not None
            assert outcome.reason == played.reason
            assert played.points == {None: (0.5, 0.5), 0: (1, 0), 1: (0, 1)}[outcome.winner]


@pytest.mark.long
@pytest.mark.usefixtures("without_compiler")
def test_a_seed_settles_every_game_on_any_number_of_workers() -> None:
    here, there = (play_match("classic_realm", RANDOMS, games=8, workers=workers) for workers in (1, 2))
    other = play_match("classic_realm", RANDOMS, games=8, seed=2, workers=1)
    assert without_times(here.games) == without_times(there.games)
    assert len(here.games) == 8
    assert not set(without_times(here.games)) & set(without_times(other.games))


def test_equal_bots_of_a_round_robin_do_not_play_the_same_games() -> None:
    games = play_match("classic_realm", ["random"] * 3, games=2, workers=1).games
    assert len({game.steps for game in games}) == 6
    assert len({game.steps[: game.opening] for game in games}) == 1


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("game_id", ["dice_duel", "secret_cards"])
def test_games_with_dice_and_secrets_can_be_played(game_id: str) -> None:
    one, same = (play_match(game_id, ["random", Entrant("planner", PlanningBot)], games=6, workers=1) for _ in range(2))
    assert len(one.games) == 6
    assert without_times(one.games) == without_times(same.games)


def test_a_bot_that_plans_is_asked_once_a_turn() -> None:
    planner = PlanningBot()
    plan_of_two = Plan("realm", (Entrant("one", lambda: planner), Entrant("two", RandomBot)), 2, options=SHORT)
    play_game(plan_of_two, GameTask(0, (0, 1)))
    planner.asked.clear()
    game = play_game(plan_of_two, GameTask(0, (0, 1)))
    assert len(planner.asked) == len(set(planner.asked)) == game.bot_turns[0]
    assert sum(game.bot_turns) + len(play_opening(plan("realm", options=SHORT), 0).turns()) == game.turns


class SlowBot(RandomBot):
    """A bot that takes a while to get ready, as one that must be compiled does."""

    ready = False

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        if not SlowBot.ready:
            time.sleep(2)
            SlowBot.ready = True
        return super().choose(game, state, seat, rng)


@pytest.mark.long
def test_getting_ready_is_not_thinking() -> None:
    result = play_match("classic_realm", ["random", Entrant("slow", SlowBot)], games=2, workers=1)
    assert SlowBot.ready
    assert result.thinking[1].seconds < 2


def test_time_is_kept_for_each_bot() -> None:
    (game,) = play_match("classic_realm", RANDOMS, games=2, workers=1).games[:1]
    assert all(0 < seconds < 5 for seconds in game.seconds)
    assert sum(game.bot_turns) + 4 == game.turns


# ---- what goes wrong


@pytest.mark.parametrize(
    ("kind", "expected"), [(CheatingBot, "The bot wicked failed: .+"), (FailingBot, r".*ZeroDivisionError\(.*")]
)
def test_a_bot_that_fails_is_named_with_its_reason(kind: type[RandomBot], expected: str) -> None:
    with pytest.raises(BotFailed, match=expected) as failure:
        play_match("classic_realm", ["random", Entrant("wicked", kind)], games=2, workers=1)
    assert "Traceback" in failure.value.__notes__[0]


@pytest.mark.long
@pytest.mark.usefixtures("without_compiler")
def test_a_bot_that_fails_elsewhere_is_named_here() -> None:
    with pytest.raises(BotFailed, match=r"The bot wicked failed: .*division by zero"):
        play_match("classic_realm", ["random", Entrant("wicked", FailingBot)], games=4, workers=2)


@pytest.mark.long
@pytest.mark.usefixtures("without_compiler")
def test_a_worker_that_dies_is_replaced_and_its_game_played_again(tmp_path: Path) -> None:
    result = play_match("classic_realm", ["random", crashing_entrant(tmp_path / "mark")], games=6, workers=2)
    assert (tmp_path / "mark").exists()
    assert len(result.games) == 6


@pytest.mark.long
@pytest.mark.usefixtures("without_compiler")
def test_a_bot_that_kills_every_worker_ends_the_match() -> None:
    with pytest.raises(WorkersLost, match=r"The process working on pair 1 of bot . against bot . died 3 times\."):
        play_match("classic_realm", ["random", crashing_entrant(None)], games=2, workers=2)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"bots": ["random"]}, "at least two bots"),
        ({"bots": ["random", "rndom"]}, "There is no bot rndom"),
        ({"games": 3}, "an even number from 2"),
        ({"games": 0}, "an even number from 2"),
        ({"opening_turns": -1}, "An opening may have 0 to"),
        ({"workers": 0}, "At least one worker"),
        ({"game_id": "chess"}, "There is no game"),
        ({"starts": ["nonsense"]}, "nonsense"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused(arguments: dict[str, Any], expected: str) -> None:
    asked: dict[str, Any] = {"game_id": "classic_realm", "bots": RANDOMS, "games": 2, "workers": 1}
    with pytest.raises(BadInput, match=expected):
        play_match(**{**asked, **arguments})
