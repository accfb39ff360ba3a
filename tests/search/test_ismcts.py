"""The search with hidden information finds the best move for a player's knowledge, and never peeks."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.bots import Bot
from realmtable.engine.errors import BadInput
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, Seat, State
from realmtable.search import ismcts
from realmtable.search.baselines import RandomBot
from realmtable.search.ismcts import IsMctsBot, search, view_key
from realmtable.search.mcts_policies import SearchConfig, StepStats, expand_shuffled, outcome_values, ucb1
from realmtable.search.search_result import SearchLimits
from tests.toys.dice_duel import DiceDuel
from tests.toys.secret_cards import CardOptions, CardTable, SecretCards
from tests.toys.solvable_games import NIM, PENNIES, SHELL_GAME, Coins, Heaps, Shell

CARDS: AnyGame = SecretCards()
DUEL: AnyGame = DiceDuel()


def start_match(seats: int, seed: int, **options: int | bool) -> Match:
    match = Match.start(CARDS, CARDS.initial(seats, CARDS.options(None, **options)), str(seed))
    assert CARDS.to_move(match.state) != (CHANCE,)
    return match


def search_choices(game: AnyGame, state: State, seat: Seat = 0, nodes: int = 300, **more: Any) -> dict[Any, StepStats]:  # noqa: ANN401
    return search(game, state, seat, limits=SearchLimits(nodes=nodes), rng=Random(1), **more)


# ---- nothing leaks


class SealedGame:
    """A game that fails if anything but `resample` is given the true state."""

    def __init__(self, game: AnyGame, state: object) -> None:
        self.game = game
        self.state = state
        self.resampled = 0

    def resample(self, state: State, seat: Seat, rng: Random) -> State:
        assert state is self.state
        self.resampled += 1
        return self.game.resample(state, seat, rng)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the game has
        member = getattr(self.game, name)
        if not callable(member):
            return member

        def check_arguments(*given: Any) -> Any:  # noqa: ANN401 - whatever the member takes
            assert all(value is not self.state for value in given), f"{name} was asked about the true state"
            return member(*given)

        return check_arguments


def test_the_true_state_is_only_resampled() -> None:
    state = start_match(3, 4).state
    sealed: Any = SealedGame(CARDS, state)
    IsMctsBot(nodes=30).choose(sealed, state, 1, Random(1))
    assert sealed.resampled == 31


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_choice_is_the_same_whatever_the_others_hold(seats: int) -> None:
    match = start_match(seats, seats)
    for seat in range(seats):
        others = [CARDS.resample(match.state, seat, Random(number)) for number in range(6)]
        assert len(set(others)) > 1
        assert len({IsMctsBot(nodes=40).choose(CARDS, other, seat, Random(1)) for other in others}) == 1


def test_the_choice_is_the_same_whatever_another_has_committed() -> None:
    match = start_match(2, 8)
    hand = CARDS.legal_moves(match.state, 0)
    after = [CARDS.resample(CARDS.play(match.state, 0, card), 1, Random(number)) for number, card in enumerate(hand)]
    assert len({state.committed for state in after}) > 1
    assert len({IsMctsBot(nodes=40).choose(CARDS, state, 1, Random(1)) for state in after}) == 1


# ---- what is known to be best


@pytest.fixture
def cheating(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let searches tell states apart by what is hidden; `undo` ends that."""
    monkeypatch.setattr(ismcts, "view_key", reveal_everything)
    return monkeypatch


def reveal_everything(game: AnyGame, state: State, acting: Seat, searching: Seat) -> bytes:  # noqa: ARG001
    """Tell states apart by what is hidden, as a cheating search would."""
    return repr((acting, state)).encode()


def test_it_does_not_plan_as_if_it_saw_through_the_shells(cheating: pytest.MonkeyPatch) -> None:
    state = Shell(pea="2")
    assert next(iter(search_choices(SHELL_GAME, state))) == "look"
    cheating.undo()
    assert next(iter(search_choices(SHELL_GAME, state))) == "half"
    assert search_choices(SHELL_GAME, state)["look"].value < 0.5


def test_the_others_do_not_answer_a_secret_choice(cheating: pytest.MonkeyPatch) -> None:
    assert next(iter(search_choices(PENNIES, Coins(), nodes=600))) == "out", "against a player who sees the coin"
    cheating.undo()
    steps = search_choices(PENNIES, Coins(), nodes=600)
    assert steps["out"].visits < min(steps["head"].visits, steps["tail"].visits)
    assert steps["head"].value == pytest.approx(0.5, abs=0.12)


def test_a_seat_that_acts_simultaneously_gets_its_own_step() -> None:
    assert set(search_choices(PENNIES, Coins(), seat=1)) == {"head", "tail"}


def last_round(hand: str, others: tuple[str, ...], unseen: str = "") -> CardTable:
    """Return the last round: the first seat can choose a card, and the others hold one of the unseen cards each."""
    hidden = hand + "".join(others) + unseen
    played = "".join(rank * (4 - hidden.count(rank)) for rank in "123456")
    hands = (hand, *others)
    nothing = ("",) * len(hands)
    return CardTable(CardOptions(hand=2), hands, nothing, (0,) * len(hands), 2, played)


def test_it_counts_the_cards() -> None:
    """Both others must play a 6, so that only a 5 can be alone."""
    assert IsMctsBot(nodes=60).choose(CARDS, last_round("56", ("6", "6")), 0, Random(1)) == "5"
    assert search_choices(CARDS, last_round("56", ("6", "6")))["5"].value == 1
    assert IsMctsBot(nodes=60).choose(CARDS, last_round("56", ("4", "6"), "23444"), 0, Random(1)) == "6"


def test_values_are_those_of_the_unseen_cards() -> None:
    """Of the three cards that Bob may have, one beats a 5, and one is the same."""
    steps = search_choices(CARDS, last_round("15", ("6",), "45"), nodes=900)
    assert steps["5"].value == pytest.approx((0 + 0.5 + 1) / 3, abs=0.05)
    assert steps["1"].value == 0


def test_a_step_is_judged_by_the_times_it_was_available() -> None:
    """Bob holds one random card and plays it whenever it is available."""
    acting: list[Seat] = []
    of_bob: list[StepStats] = []

    def note_and_shuffle(game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        acting.append(seat)
        return expand_shuffled(game, state, seat, rng)

    def select(choice: StepStats) -> float:
        if acting[-1] == 1:
            of_bob.append(choice)
        return ucb1(choice)

    search_choices(
        CARDS, last_round("15", ("6",), "45"), nodes=60, config=SearchConfig(expand=note_and_shuffle, select=select)
    )
    assert max(choice.visits for choice in of_bob) > 10
    assert all(choice.opportunities == choice.visits + 1 for choice in of_bob)


def score_of(player: Bot, games: int) -> float:
    """Return a player's mean value against a random player when they alternate seats."""
    total = 0.0
    for seed in range(games):
        rng, match, own = Random(seed), start_match(2, seed), seed % 2
        while acting := CARDS.to_move(match.state):
            seat = acting[0]
            fitting = CARDS.resample(match.state, seat, rng)
            match = match.play(seat, (player if seat == own else RandomBot()).choose(CARDS, fitting, seat, rng))
        outcome = match.outcome()
        assert outcome is not None
        total += outcome_values(outcome)[own]
    return total / games


@pytest.mark.slow
def test_it_beats_random_play() -> None:
    assert score_of(IsMctsBot(nodes=60), 80) > 0.6
    assert 0.4 < score_of(RandomBot(), 80) < 0.6


# ---- limits and parts


def test_as_many_nodes_as_asked_for() -> None:
    for nodes in (1, 2, 33):
        assert (
            sum(choice.visits for choice in search_choices(CARDS, start_match(3, 1).state, nodes=nodes).values())
            == nodes
        )


def test_no_longer_than_asked_for() -> None:
    ticks = count()
    parts = SearchConfig(clock=lambda: float(next(ticks)))
    steps = search(CARDS, start_match(2, 1).state, 0, limits=SearchLimits(seconds=8), rng=Random(1), config=parts)
    assert sum(choice.visits for choice in steps.values()) == 8


def test_the_same_seed_finds_the_same() -> None:
    state = start_match(3, 2).state
    runs = [search(CARDS, state, 0, limits=SearchLimits(nodes=50), rng=Random(seed)) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_parts_can_be_replaced() -> None:
    def even(game: AnyGame, state: State, seats: int, policy: Any, rng: Random) -> tuple[float, ...]:  # noqa: ANN401, ARG001
        return (0.25,) * seats

    def last(game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:  # noqa: ARG001
        return game.legal_moves(state, seat)[-1:]

    state = start_match(2, 1).state
    assert {
        step.value for step in search_choices(CARDS, state, nodes=2, config=SearchConfig(evaluate=even)).values()
    } == {0.25}
    assert (
        list(search_choices(CARDS, state, nodes=20, config=SearchConfig(expand=last)))
        == CARDS.legal_moves(state, 0)[-1:]
    )


def test_states_with_different_knowledge_are_distinguished() -> None:
    state = start_match(2, 1).state
    other = CARDS.resample(state, 0, Random(3))
    assert other != state
    assert view_key(CARDS, state, 0, 0) == view_key(CARDS, other, 0, 0)
    assert view_key(CARDS, state, 1, 1) != view_key(CARDS, other, 1, 1)
    assert view_key(CARDS, state, 1, 0) == view_key(CARDS, other, 1, 0) != view_key(CARDS, state, 0, 0)


def test_the_only_step_is_taken_without_a_search() -> None:
    class Refuse(Exception):
        pass

    def refuse(*_: object) -> bool:
        raise Refuse

    bot = IsMctsBot(nodes=9, config=SearchConfig(should_continue=refuse))
    assert bot.choose(CARDS, last_round("4", ("6",)), 0, Random(1)) == "4"
    with pytest.raises(Refuse):
        bot.choose(CARDS, last_round("45", ("6",)), 0, Random(1))


def test_a_seat_that_does_not_act_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^It is not this seat's turn; there is nothing to decide\.$"):
        search_choices(NIM, Heaps((1, 2)), seat=1)


# ---- other games


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", [CARDS, DUEL], ids=["cards", "duel"])
def test_whole_games_are_legal_with_any_number_of_seats(game: AnyGame, seats: int) -> None:
    rng, match = Random(seats), Match.start(game, game.initial(seats), "7")
    while acting := game.to_move(match.state):
        seat = rng.choice(acting)
        move = IsMctsBot(nodes=8).choose(game, game.resample(match.state, seat, rng), seat, rng)
        assert move in game.legal_moves(match.state, seat)
        match = match.play(seat, move)
    assert match.outcome() is not None


def test_a_game_without_secrets_is_played_too() -> None:
    assert IsMctsBot(nodes=400).choose(NIM, Heaps((3,), chosen=3), 0, Random(1)) == "leave 0"
    realm = realmtable.game("realm")
    state = realm.initial()
    assert IsMctsBot(nodes=3).choose(realm, state, 0, Random(1)) in realm.legal_moves(state, 0)
