"""Games between bots inside compiled code: the same games as through Python, and what they report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import numpy as np
import pytest

import realmtable
from realmtable.engine.bots import plan_steps
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import CHANCE
from realmtable.kit.random_kernels import next_random, random_below
from realmtable.kit.specialise import specialise
from realmtable.search.bot_levels import make_bot
from realmtable.search.compiled_matches import MATCH_SOURCE, SeatPolicy, make_seat_policy, play_games
from tests.toys.share_tree import TREE, make_position, make_rules

GAME: Any = realmtable.game("realms_of_etherium")
SEEDS = [Random(game).getrandbits(60) for game in range(200)]  # small numbers would give similar first draws
# The last Round of a game of two, in which one Mage each is yet to act.
LAST_TURNS = (
    "tiles=Portal@0,0;Quicken@1,0;Affinity@0,1;Displace@-1,1;Channel@1,-1 mages=0,1;portalx/1,-1;portalx"
    " etherium=4.3/5.4 reserve=Draw;Shift;Lessen;Accord;Bond;Network turn=25 round=5 options=max_rounds=5"
)


class StreamRandom(Random):
    """A random generator that returns the numbers that the kernels would draw."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - an array of one number
        super().__init__(0)
        self.stream = stream

    def random(self) -> float:
        return float(int(next_random(self.stream)) >> 11) / 2.0**53

    def getrandbits(self, k: int, /) -> int:
        assert k == 62
        return int(next_random(self.stream)) >> 2

    def choice(self, seq: Any) -> Any:  # noqa: ANN401 - as the overridden method
        return seq[random_below(self.stream, len(seq))]


def play_in_python(start: Any, names: Sequence[str], seed: int) -> Any:  # noqa: ANN401 - a state
    state = start
    stream = np.array([seed + 1], dtype=np.uint64)
    rng, bots = StreamRandom(stream), [make_bot(name) for name in names]
    kernels = specialise(MATCH_SOURCE, "realmtable.search", GAME.rules)
    out = np.empty(GAME.rules.step_capacity, dtype=np.int64)
    while acting := GAME.to_move(state):
        seat = acting[0]
        if seat == CHANCE:
            count = kernels.legal_steps(state.position, out)
            state = state.after(kernels.pick_result(state.position, stream, out, count))
            continue
        for step in plan_steps(bots[seat], GAME, state, seat, rng):
            state = GAME.play(state, seat, step)
    return state


def play_in_kernels(start: Any, names: Sequence[str], seeds: Sequence[int], threads: int = 1) -> Any:  # noqa: ANN401
    policies = [make_seat_policy(name, GAME.rules) for name in names]
    return play_games(GAME.rules, [start.position] * len(seeds), policies, seeds, threads)


class FrozenClock:
    """A stand-in for the module `time` in which no time passes, so that only nodes limit a search."""

    @staticmethod
    def monotonic() -> float:
        return 0.0


@pytest.fixture(autouse=True)
def _frozen_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realmtable.search.mcts.search.time", FrozenClock)
    monkeypatch.setattr("realmtable.search.mcts.parallel_search.time", FrozenClock)
    monkeypatch.setattr("realmtable.search.mcts.bot.time", FrozenClock)


@pytest.mark.long
@pytest.mark.parametrize("names", [("level2", "mcts:nodes=3"), ("random", "mcts:nodes=2")])
def test_bots_play_the_same_steps_in_kernels_as_in_python(names: tuple[str, str]) -> None:
    start = GAME.decode(LAST_TURNS)
    played = play_in_kernels(start, names, [5])
    assert played.finals[0].tolist() == play_in_python(start, names, 5).position.tolist()
    assert played.steps > 3


@pytest.mark.compiled
@pytest.mark.parametrize(
    "names", [("greedy", "greedy"), ("greedy", "mcts:nodes=40", "level3"), ("level3", "random", "greedy", "level2")]
)
def test_whole_games_are_the_same(names: tuple[str, ...]) -> None:
    start = GAME.initial(len(names), GAME.options(max_rounds=8))
    played = play_in_kernels(start, names, [8, 9])
    for seed, final in zip((8, 9), played.finals, strict=True):
        assert final.tolist() == play_in_python(start, names, seed).position.tolist()


@pytest.mark.long
def test_results_do_not_depend_on_the_number_of_threads() -> None:
    start = GAME.decode(LAST_TURNS)
    one, two = (play_in_kernels(start, ("random", "random"), SEEDS[:40], threads) for threads in (1, 2))
    assert one.finals.tolist() == two.finals.tolist()
    assert one.tallies.tolist() == two.tallies.tolist()
    assert one.steps == two.steps
    assert (one.shares.sum(axis=1) == 1).all()
    assert len({tuple(final) for final in one.finals.tolist()}) > 30


def test_a_seat_plays_by_its_own_settings() -> None:
    rules = make_rules(TREE, "share_tree_matches")
    start = make_position(TREE, 0)
    trusting = SeatPolicy(50)
    paranoid = SeatPolicy(50, replace(rules.search_parameters, paranoid=True))
    looks = [play_games(rules, [start], [policy, trusting, trusting], [1]) for policy in (trusting, paranoid)]
    assert looks[0].shares.tolist() == [[0.5, 0.5, 0.0]]  # Ann trusts Bob
    assert looks[1].shares[0, 1] == 0.0  # she draws
    assert looks[1].tallies.shape == (1, 0)


def test_a_random_rate_replaces_steps() -> None:
    rules = make_rules(TREE, "share_tree_random_rates")
    start = make_position(TREE, 0)
    policy = SeatPolicy(50, random_rate=0.5)
    played = play_games(rules, [start] * 200, [policy, SeatPolicy(50), SeatPolicy(50)], SEEDS)
    shared = (played.shares[:, 1] == 0.5).mean()
    assert 0.5 < shared < 0.75  # half of the steps, and a quarter of the other half


@pytest.mark.parametrize("name", ["level8", "mcts:seconds=1", "alphabeta", "mcts:nodes=10:threads=2"])
def test_bots_with_a_clock_cannot_play(name: str) -> None:
    with pytest.raises(BadInput, match="cannot play inside compiled code"):
        make_seat_policy(name, cast("Any", GAME).rules)


def test_nodes_replace_a_time_limit() -> None:
    assert make_seat_policy("level8", GAME.rules, nodes=500).nodes == 500
    assert make_seat_policy("level7", GAME.rules, nodes=500).nodes == 4000
    assert make_seat_policy("level2", GAME.rules).random_rate == 0.45
