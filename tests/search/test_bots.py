"""Bots play legally, again the same with the same seed, and the better one wins."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, Outcome, Seat
from realmtable.search.bots import (
    BOTS,
    Bot,
    GreedyBot,
    HasEvaluation,
    HasProposals,
    RandomBot,
    bot,
    levels,
    plain_moves,
)
from tests.conformance.plays import GAMES, TOYS, game_id, play_on

REALM = realmtable.game("realm")
DUEL, CARDS = TOYS
SHORT = REALM.options(None, max_turns=20, no_progress=10)

every_bot = pytest.mark.parametrize("name", BOTS)


def start_of(game: AnyGame) -> Any:  # noqa: ANN401 - the game's own state
    return game.initial(game.info.seats[0], SHORT if game is REALM else None)


def contest(game: AnyGame, state: Any, players: list[Bot], seed: int) -> Match:  # noqa: ANN401 - the game's own state
    """A whole game between bots, each choosing on a state that fits what its seat knows."""
    rng = Random(seed)
    match = Match.start(game, state, str(seed))
    while acting := game.to_move(match.state):
        seat = acting[0]
        known = game.resample(match.state, seat, rng)
        move = players[seat].choose(game, known, seat, rng)
        assert move in game.legal_moves(match.state, seat)
        match = match.play(seat, move)
    return match


def test_names() -> None:
    assert {name: bot(name).name for name in BOTS} == {"random": "random", "casual": "casual", "greedy": "greedy"}
    for wrong in ("", "Random", "x" * 99):
        with pytest.raises(BadInput, match=rf"^There is no bot {wrong[:40]}; the bots are random, casual, greedy\.$"):
            bot(wrong)


@pytest.mark.compiled
@every_bot
@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_every_bot_plays_every_game_legally_and_again_the_same(game: AnyGame, name: str) -> None:
    matches = [contest(game, start_of(game), [bot(name)] * 4, seed) for seed in (1, 1, 2)]
    first, same, other = ([(entry.seat, entry.move) for entry in match.log()] for match in matches)
    assert first == same
    assert first != other
    assert matches[0].outcome() is not None


@every_bot
def test_a_bot_knows_only_its_own_hand(name: str) -> None:
    state = play_on(CARDS, CARDS.initial(3), 4, 9).last
    for seat in range(3):
        others = [CARDS.resample(state, seat, Random(number)) for number in range(8)]
        assert len({bot(name).choose(CARDS, other, seat, Random(1)) for other in others}) == 1


def outcome_of(players: list[Bot], seed: int) -> Outcome:
    outcome = contest(REALM, REALM.initial(), players, seed).outcome()
    assert outcome is not None
    return outcome


@pytest.mark.compiled
def test_greedy_beats_random() -> None:
    wins = 0
    for seed in range(10):
        greedy: Seat = seed % 2
        players: list[Bot] = [RandomBot(), RandomBot()]
        players[greedy] = GreedyBot()
        wins += outcome_of(players, seed).winner == greedy
    assert wins >= 9


# ---- levels


def test_a_level_says_what_it_is() -> None:
    names = [level.name for level in levels()]
    assert names == ["random", "casual", "greedy"]
    assert [bot(name).name for name in names] == names
    for number, level in enumerate(levels(), 1):
        assert level.label.startswith(f"Level {number} · ")
        assert level.help.endswith(".")


def wins_of(upper: str, lower: str, game: AnyGame, games: int) -> int:
    """How often one bot wins against another, with changing seats."""
    wins = 0
    for seed in range(games):
        better: Seat = seed % 2
        players = [bot(lower), bot(lower)]
        players[better] = bot(upper)
        outcome = contest(game, game.initial(), players, seed).outcome()
        wins += outcome is not None and outcome.winner == better
    return wins


@pytest.mark.parametrize(("lower", "upper"), [*pairwise(BOTS)])
def test_every_level_beats_the_one_below(lower: str, upper: str) -> None:
    classic = realmtable.game("classic_realm")
    assert wins_of(upper, lower, classic, 16) >= 12
    assert wins_of(lower, upper, classic, 16) <= 4


@pytest.mark.compiled
def test_every_level_beats_the_one_below_in_realm_too() -> None:
    assert wins_of("casual", "random", REALM, 4) == wins_of("greedy", "casual", REALM, 4) == 4


# ---- proposals


def test_only_some_games_have_proposals_and_evaluations() -> None:
    assert isinstance(REALM, HasProposals)
    assert isinstance(REALM, HasEvaluation)
    assert not isinstance(DUEL, HasProposals)
    assert not isinstance(DUEL, HasEvaluation)
    assert plain_moves(DUEL, DUEL.initial(), 0) == ["roll"]


@every_bot
def test_no_bot_proposes(name: str) -> None:
    match = contest(REALM, start_of(REALM), [bot(name)] * 2, 3)
    texts = {REALM.format_move(entry.before, entry.move) for entry in match.log()}
    assert not texts & {"offer", "accept"}
    state = play_on(REALM, REALM.initial(), 1, 12).last
    assert "offer" in {REALM.format_move(state, move) for move in REALM.legal_moves(state, REALM.to_move(state)[0])}
    assert all(REALM.format_move(state, move) != "offer" for move in plain_moves(REALM, state, 0))


def offers() -> list[tuple[Any, Seat, Any, Seat | None]]:
    """States in which an end was offered: with the seat asked, its step that accepts, and who would win."""
    found = []
    for seed in range(30):
        rng = Random(seed)
        state = play_on(REALM, REALM.initial(), seed, 60 + 3 * seed).last
        offer = REALM.parse_move(state, "offer")
        accept = REALM.parse_move(state, "accept")
        for _ in range(40):
            acting = REALM.to_move(state)
            if not acting:
                break
            moves = REALM.legal_moves(state, acting[0])
            if accept in moves:
                outcome = REALM.outcome(REALM.play(state, acting[0], accept))
                assert outcome is not None
                found.append((state, acting[0], accept, outcome.winner))
                break
            state = REALM.play(state, acting[0], offer if offer in moves else rng.choice(moves))
    return found


def test_greedy_accepts_an_offer_that_wins_and_none_that_loses() -> None:
    """A draw it may take or leave."""
    asked = [(state, seat, accept, winner == seat) for state, seat, accept, winner in offers() if winner is not None]
    assert {wins for *_, wins in asked} == {True, False}
    for state, seat, accept, wins in asked:
        assert (GreedyBot().choose(REALM, state, seat, Random(1)) == accept) == wins
        assert RandomBot().choose(REALM, state, seat, Random(1)) != accept


# ---- how greedy searches


def test_a_single_step_is_taken_without_a_search() -> None:
    state = REALM.decode("W:Bh11,Pg10 B:Bh2,Pg3 move=W")
    moves = REALM.legal_moves(state, 0)
    assert GreedyBot().choose(REALM, state, 0, Random(1)) in moves
    assert GreedyBot(width=1, length=1).choose(REALM, state, 0, Random(1)) in moves


def test_without_an_evaluation_greedy_plays_at_random() -> None:
    match = contest(DUEL, DUEL.initial(), [GreedyBot(), GreedyBot()], 2)
    assert {entry.move for entry in match.log() if entry.seat != CHANCE} == {"roll", "hold"}
