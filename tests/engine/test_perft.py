"""Counting sequences: through the protocol, inside the kernels, and split by the first step."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.perft import HasPerft, count_sequences, divide, legal_steps, perft
from realmtable.engine.protocol import CHANCE, AnyGame
from tests.conformance.random_games import GAMES, game_id, play_randomly
from tests.toys.dice_duel import DiceDuel
from tests.toys.secret_cards import SecretCards

DUEL, CARDS = DiceDuel(), SecretCards()


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ({}, [1, 1, 6, 11, 41]),  # a 1 passes the turn, the other five faces leave roll and hold
        ({"die": "coin"}, [1, 1, 2, 3, 5]),
        ({"die": "coin", "rounds": 1, "safe_first": True}, [1, 1, 2, 4]),
    ],
)
def test_dice_are_counted(options: dict[str, str | int | bool], numbers: list[int]) -> None:
    state = DUEL.initial(2, DUEL.options(None, **options))
    assert [perft(DUEL, state, depth) for depth in range(len(numbers))] == numbers


def test_simultaneous_choices_are_counted_for_every_seat() -> None:
    state = CARDS.decode("1::12//0+12//0:hand=2,rounds=1")
    assert [perft(CARDS, state, depth) for depth in range(4)] == [1, 4, 8, 0]


@pytest.mark.parametrize("game", GAMES, ids=game_id)
@pytest.mark.parametrize("played", [0, 8, 25])
def test_the_parts_add_up(game: AnyGame, played: int) -> None:
    state = play_randomly(game, game.initial(), 5, played).last
    wide = sum(len(game.legal_moves(state, seat)) for seat in game.to_move(state)) > 100
    for depth in (1,) if wide else (1, 2):
        parts = divide(game, state, depth)
        assert sum(parts.values()) == perft(game, state, depth) == count_sequences(game, state, depth)


def test_nothing_follows_the_end() -> None:
    over = play_randomly(DUEL, DUEL.initial(), 1, 10_000).last
    assert (perft(DUEL, over, 0), perft(DUEL, over, 3), divide(DUEL, over, 2)) == (1, 0, {})


def test_steps_are_anybodys() -> None:
    start = DUEL.initial()
    assert legal_steps(DUEL, start) == [(0, "roll")]
    assert legal_steps(DUEL, DUEL.play(start, 0, "roll")) == [(CHANCE, str(face)) for face in range(1, 7)]


def test_realm_counts_in_its_kernels() -> None:
    realm = realmtable.game("realm")
    assert isinstance(realm, HasPerft)
    assert not isinstance(DUEL, HasPerft)
    assert [perft(realm, realm.initial(), depth) for depth in range(4)] == [1, 16, 240, 2016]
