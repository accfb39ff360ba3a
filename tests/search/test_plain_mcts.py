"""The plain Python search finds known best moves, keeps its limits, and has replaceable parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, Outcome, Seat, State
from realmtable.search import mcts_policies as standard
from realmtable.search.baselines import RandomBot
from realmtable.search.mcts_policies import Policy, SearchConfig, SearchUsage, StepStats, Values
from realmtable.search.plain_mcts import MctsBot, MctsResult, search, think_generic
from realmtable.search.search_result import SearchLimits, SearchLine
from tests.toys.dice_duel import DiceDuel, Duel, DuelOptions
from tests.toys.secret_cards import SecretCards
from tests.toys.solvable_games import NIM, THREE, TUG, Grid, Heaps, Rope, solve

DUEL: AnyGame = DiceDuel()
CARDS: AnyGame = SecretCards()
every_board_game = pytest.mark.parametrize(
    "name",
    [
        pytest.param(info.id, marks=pytest.mark.slow if info.id == "modern_realm" else ())
        for info in realmtable.infos()
        if not info.hidden and not info.chance
    ],
)


def run_search(game: AnyGame, state: Any, nodes: int, seed: int = 1, **parts: Any) -> MctsResult:  # noqa: ANN401 - any part
    return search(game, state, limits=SearchLimits(nodes=nodes), rng=Random(seed), config=SearchConfig(**parts))


def after(game: AnyGame, state: State, moves: tuple[Any, ...]) -> State:
    for move in moves:
        state = game.play(state, game.to_move(state)[0], move)
    return state


def random_grid(seed: int, stones: int) -> Grid:
    """Return a random unfinished grid with this many stones."""
    rng = Random(seed)
    while True:
        state = THREE.initial()
        while THREE.to_move(state) and state.cells.count(".") > 9 - stones:
            seat = THREE.to_move(state)[0]
            state = THREE.play(state, seat, rng.choice(THREE.legal_moves(state, seat)))
        if THREE.to_move(state):
            assert isinstance(state, Grid)
            return state


# ---- what is known to be best


def perfect_value(game: AnyGame, state: State, seat: Seat) -> float:
    return abs(seat - solve(game, state))


@pytest.mark.parametrize("heaps", [(1, 1), (1, 2, 3), (1, 3, 5), (2, 2, 3), (4, 4), (3, 4, 5)])
def test_nim_is_solved(heaps: tuple[int, ...]) -> None:
    state = Heaps(heaps)
    thought = think_generic(NIM, state, SearchLimits(nodes=4000), 1, 1)
    assert thought.proven
    assert thought.value == thought.lines[0].value == solve(NIM, state)
    assert solve(NIM, after(NIM, state, thought.lines[0].moves[:2])) == thought.value
    assert thought.nodes < 4000, "a proof ends the search"


@pytest.mark.parametrize("seed", range(12))
def test_three_in_a_row_is_solved_from_the_fourth_stone_on(seed: int) -> None:
    state = random_grid(seed, 4 + seed % 3)
    seat = THREE.to_move(state)[0]
    thought = think_generic(THREE, state, SearchLimits(nodes=6000), 9, seed)
    assert thought.proven
    assert thought.value == perfect_value(THREE, state, seat)
    assert sorted(line.moves[0] for line in thought.lines) == THREE.legal_moves(state, seat)
    for line in thought.lines:
        assert line.proven
        assert line.value == perfect_value(THREE, after(THREE, state, line.moves[:1]), seat)


def test_a_forced_win_is_proven_and_played_out_in_the_line() -> None:
    """The edge is the wrong answer to the corner: x wins with the third stone to come."""
    state = Grid("xo.......")
    thought = think_generic(THREE, state, SearchLimits(nodes=5000), 1, 1)
    assert thought.proven
    outcome = THREE.outcome(after(THREE, state, thought.lines[0].moves))
    assert outcome is not None
    assert outcome.winner == 0


def test_a_step_that_loses_for_sure_is_left_alone() -> None:
    """Whatever else x does, o completes the middle column."""
    result = run_search(THREE, Grid("xo..o...x"), 150, evaluate=counting_evaluate([]))
    (best, choice), *others = result.steps()
    assert best == 7
    assert {other.value for _, other in others} == {0.0}
    assert 3 * max(other.visits for _, other in others) < choice.visits


@pytest.mark.long
def test_the_bot_holds_three_in_a_row_against_perfect_play() -> None:
    for seed in range(4):
        rng, state, seat = Random(seed), THREE.initial(), seed % 2
        while acting := THREE.to_move(state):
            if acting == (seat,):
                move = MctsBot(nodes=400).choose(THREE, state, seat, rng)
            else:
                moves = THREE.legal_moves(state, acting[0])
                rng.shuffle(moves)
                now = state
                move = max(moves, key=lambda move: perfect_value(THREE, THREE.play(now, acting[0], move), acting[0]))
            state = THREE.play(state, acting[0], move)
        assert solve(THREE, state) == 0.5


def play(game: AnyGame, players: list[Bot], seed: int) -> Outcome:
    """Play a whole game; bots that plan play whole turns."""
    rng = Random(seed)
    state = game.initial(len(players))
    while acting := game.to_move(state):
        seat = acting[0]
        if seat < 0:
            state = game.play(state, seat, standard.sample_chance(game, state, rng))
            continue
        for move in plan_steps(players[seat], game, state, seat, rng):
            assert move in game.legal_moves(state, seat)
            state = game.play(state, seat, move)
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats", "least"), [(THREE, 2, 9), (DUEL, 2, 8)])
def test_the_bot_beats_random_play(game: AnyGame, seats: int, least: int) -> None:
    wins = 0
    for seed in range(12):
        players: list[Bot] = [RandomBot() for _ in range(seats)]
        players[seed % seats] = MctsBot(nodes=30)
        wins += play(game, players, seed).winner == seed % seats
    assert wins >= least


# ---- lines


def test_turns_that_lead_to_the_same_state_are_one_line() -> None:
    """Either of two equal heaps can be taken, and both choices lead to the same state."""
    lines = think_generic(NIM, Heaps((1, 1, 2)), SearchLimits(nodes=2000), 9, 1).lines
    ends = {after(NIM, Heaps((1, 1, 2)), line.moves[:2]) for line in lines}
    assert len(ends) == len(lines) == 3
    assert all(line.proven for line in lines), "a broad search continues after the first proof"


def test_lines_are_legal_the_best_first_and_no_more_than_asked_for() -> None:
    state = Heaps((3, 4, 5))
    thought = think_generic(NIM, state, SearchLimits(nodes=300), 3, 1)
    assert len(thought.lines) == 3
    assert thought.lines[0].value == thought.value
    for line in thought.lines:
        end = after(NIM, state, line.moves)
        assert NIM.turn(end).number >= 2, "the first turn is complete"


def test_a_line_covers_several_turns() -> None:
    line: SearchLine = think_generic(THREE, Grid("x........"), SearchLimits(nodes=2000), 1, 2).lines[0]
    assert len(line.moves) >= 4


def test_even_one_node_gives_a_line() -> None:
    thought = think_generic(NIM, Heaps((3, 4, 5)), SearchLimits(nodes=1), 3, 1)
    assert (thought.nodes, len(thought.lines), len(thought.lines[0].moves)) == (1, 1, 1)


def test_the_same_seed_finds_the_same() -> None:
    def facts(seed: int) -> object:
        thought = think_generic(THREE, Grid(), SearchLimits(nodes=200), 4, seed)
        return thought.value, thought.nodes, thought.lines

    assert facts(1) == facts(1)
    assert facts(1) != facts(2)


def test_a_game_that_goes_round_in_circles_is_searched_all_the_same() -> None:
    even = think_generic(TUG, Rope(3, 0), SearchLimits(nodes=400), 2, 1)
    assert not even.proven
    assert [line.moves[0] for line in even.lines] == [1, -1]
    assert max(line.visits for line in even.lines) <= 400
    won = think_generic(TUG, Rope(5, 0), SearchLimits(nodes=400), 1, 1)
    assert (won.proven, won.value, won.lines[0].moves) == (True, 1.0, (1,))


# ---- limits


def counting_evaluate(calls: list[Any]) -> Callable[..., Values]:
    def evaluate(game: AnyGame, state: State, seats: int, policy: Policy, rng: Random) -> Values:  # noqa: ARG001
        calls.append(state)
        return (0.5,) * seats

    return evaluate


@pytest.mark.parametrize("nodes", [1, 2, 57])
def test_as_many_nodes_as_asked_for(nodes: int) -> None:
    calls: list[Any] = []
    result = run_search(THREE, Grid(), nodes, evaluate=counting_evaluate(calls))
    assert result.spent.nodes == result.root.visits == len(calls) == nodes


def test_no_longer_than_asked_for() -> None:
    ticks = count()
    limits = SearchLimits(seconds=10)
    parts = SearchConfig(clock=lambda: float(next(ticks)))
    result = search(THREE, Grid(), limits=limits, rng=Random(1), config=parts)
    assert result.spent == SearchUsage(nodes=10, seconds=10.0)


# ---- chance and more seats


def duel(pot: int, scores: tuple[int, ...] = (10, 0)) -> Duel:
    """Return the last turn of the last round, after a roll."""
    return Duel(DuelOptions(rounds=1, target=40), scores, seat=len(scores) - 1, rolls=1, pot=pot)


def test_dice_are_weighed() -> None:
    """Every face but 1 gives the missing points."""
    result = run_search(DUEL, duel(pot=9), 600)
    steps = dict(result.steps())
    assert steps["hold"] == StepStats(0.0, 1, 600), "a proven loss is not looked at again"
    assert steps["roll"].value == pytest.approx(5 / 6, abs=0.06)
    assert result.root.proven is None


def test_points_in_the_hand_are_kept() -> None:
    assert MctsBot(nodes=50).plan(DUEL, duel(pot=11), 1, Random(1)) == ["hold"]
    assert MctsBot(nodes=50).choose(DUEL, duel(pot=11, scores=(10, 3, 0)), 2, Random(1)) == "hold"
    assert MctsBot(nodes=50).plan(DUEL, duel(pot=2, scores=(10, 3, 0)), 2, Random(1)) == ["roll"]


def test_every_seat_has_a_value() -> None:
    root = run_search(NIM, Heaps((2, 3), seats=3), 300).root
    assert sum(root.totals) == pytest.approx(1.5 * 300), "they share what three seats have to share"
    assert root.proven is None


def test_with_three_seats_each_looks_after_itself() -> None:
    """Leaving three heaps of one brings the turn back for the last; every other turn lets an opponent win."""
    state = Heaps((1, 1, 2), seats=3)
    assert MctsBot(nodes=300).plan(NIM, state, 0, Random(1)) == ["heap 2", "leave 1"]
    assert run_search(NIM, state, 300).value == 1


# ---- parts


def test_equal_steps_are_visited_equally_often() -> None:
    steps = run_search(THREE, Grid(), 45, evaluate=counting_evaluate([])).steps()
    assert [choice.visits for _, choice in steps] == [5] * 9


def test_only_as_wide_as_wanted() -> None:
    assert len(run_search(THREE, Grid(), 50, widen=lambda visits: 2 + visits // 25).steps()) == 3


def test_time_can_be_kept_otherwise() -> None:
    result = run_search(THREE, Grid(), 1000, should_continue=lambda _, spent: spent.nodes < 7)
    assert result.spent.nodes == 7


# ---- the bot


def test_a_plan_is_a_whole_turn() -> None:
    for nodes in (1, 5, 200):
        moves = MctsBot(nodes=nodes).plan(NIM, Heaps((3, 4, 5)), 0, Random(1))
        assert NIM.turn(after(NIM, Heaps((3, 4, 5)), tuple(moves))).number == 2
    assert MctsBot(nodes=800).plan(NIM, Heaps((3, 4, 5)), 0, Random(1)) == ["heap 3", "leave 1"]


def test_the_only_step_is_taken_without_a_search() -> None:
    calls: list[Any] = []
    bot = MctsBot(nodes=50, config=SearchConfig(evaluate=counting_evaluate(calls)))
    assert bot.choose(NIM, Heaps((4,)), 0, Random(1)) == "heap 4"
    assert not calls
    assert bot.plan(NIM, Heaps((1,)), 0, Random(1)) == ["heap 1", "leave 0"]
    assert not calls
    assert bot.plan(NIM, Heaps((4,)), 0, Random(1)) == ["heap 4", "leave 0"]


def test_a_game_with_secrets_is_searched_by_what_is_known() -> None:
    state = after_deal(3)
    bot = MctsBot(nodes=40)
    others = [CARDS.resample(state, 1, Random(number)) for number in range(6)]
    assert len({bot.choose(CARDS, other, 1, Random(1)) for other in others}) == 1
    assert len(bot.plan(CARDS, state, 1, Random(1))) == 1


def after_deal(seats: int) -> State:
    rng, state = Random(5), CARDS.initial(seats)
    while CARDS.to_move(state)[0] < 0:
        state = CARDS.play(state, -1, standard.sample_chance(CARDS, state, rng))
    return state


@pytest.mark.long
@every_board_game
def test_the_board_games_are_played_too(name: str) -> None:
    game = realmtable.game(name)
    state, rng = game.initial(), Random(1)
    for turn in range(4):
        seat = game.to_move(state)[0]
        number = game.turn(state).number
        for move in MctsBot(nodes=6).plan(game, state, seat, rng):
            assert move in game.legal_moves(state, seat)
            state = game.play(state, seat, move)
        assert game.turn(state).number > number or game.to_move(state) != (seat,), turn


@pytest.mark.long
@every_board_game
def test_the_board_games_are_thought_about_too(name: str) -> None:
    game = realmtable.game(name)
    thought = think_generic(game, game.initial(), SearchLimits(nodes=12), 3, 1)
    assert thought.nodes == 12
    assert 0 <= thought.value <= 1
    assert len(thought.lines) == len({after(game, game.initial(), line.moves) for line in thought.lines}) == 3


# ---- what cannot be searched


def refusals() -> Iterator[Any]:
    over = Heaps((), turns=3)
    yield pytest.param(NIM, over, "The game is over; there is nothing to search.", id="over")
    rolling = DUEL.play(DUEL.initial(), 0, "roll")
    yield pytest.param(DUEL, rolling, "Chance is to act; there is nothing to decide.", id="chance")
    secrets = "Secret Cards has hidden information; this search needs a game without it."
    yield pytest.param(CARDS, CARDS.initial(), secrets, id="hidden")


@pytest.mark.parametrize(("game", "state", "message"), [*refusals()])
def test_what_cannot_be_searched_is_refused(game: AnyGame, state: State, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        run_search(game, state, 10)
    assert str(caught.value) == message


def test_dice_cannot_be_analysed() -> None:
    with pytest.raises(BadInput, match=r"^Dice Duel cannot be analysed: it has dice or draws\.$"):
        think_generic(DUEL, DUEL.initial(), SearchLimits(nodes=5), 1, 1)
