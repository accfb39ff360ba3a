import random

import pytest
from click.testing import CliRunner

from bench import fantasy_scoring
from bench.fantasy_scoring import SIZE, disagreements, random_hands, rows, score_brute_force, score_pruned
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS
from realmtable.games.fantasy_realms.scoring.card_arrays import to_kernel_array

CHOOSERS = {BY_NAME[name].id for name in ("Doppelgänger", "Mirage", "Shapeshifter", "Book of Changes")}


def hands_with(name: str, number: int) -> list[int]:
    """Return hands of seven with this card and no other card with many choices."""
    rng, card = random.Random(name), BY_NAME[name].id
    others = [other for other in range(len(CARDS)) if other not in CHOOSERS and other != card]
    return [held for _ in range(number) for held in [card, *rng.sample(others, SIZE - 1)]]


@pytest.mark.parametrize("name", ["Doppelgänger", "Mirage", "Shapeshifter", "Book of Changes", "Island", "King"])
def test_trying_every_choice_finds_what_the_game_finds(name: str) -> None:
    hands = to_kernel_array(hands_with(name, 5))
    assert score_pruned(hands) == score_brute_force(hands)


def test_the_same_seed_gives_the_same_hands_of_seven_different_cards() -> None:
    hands = list(random_hands(20, 3))
    assert hands == list(random_hands(20, 3))
    assert hands != list(random_hands(20, 4))
    assert all(len(set(hands[start : start + SIZE])) == SIZE for start in range(0, len(hands), SIZE))


def test_a_disagreement_names_the_hand_and_the_totals() -> None:
    hands = to_kernel_array(range(2 * SIZE))
    assert disagreements(hands, [10, 20], [10, 20]) == []
    (difference,) = disagreements(hands, [10, 20], [10, 21])
    assert difference.endswith(": 20 and 21")
    assert CARDS[SIZE].name in difference


def test_a_disagreement_ends_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    def score_wrongly(hands: list[int]) -> list[int]:
        return [-1] * (len(hands) // SIZE)

    monkeypatch.setattr(fantasy_scoring, "score_brute_force", score_wrongly)
    monkeypatch.setattr(fantasy_scoring, "run_in_process", lambda *_, **__: (1.0, [-1] * 10))
    result = CliRunner().invoke(fantasy_scoring.main, ["--hands", "10", "--seconds", "0.2"])
    assert result.exit_code == 1
    assert "The scorers disagree." in result.output


def test_each_rate_is_shown_with_its_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fantasy_scoring, "run_in_process", lambda *_, **__: (0.5, score_pruned(random_hands(4, 1))))
    every, plain = rows(0, 4, 1)
    assert (every.peer, plain.peer) == ("trying every choice with the same kernels", "the same code interpreted")
    assert plain.peer_figure == "0.50"


@pytest.mark.slow
@pytest.mark.compiled
def test_a_small_run_agrees_on_every_hand() -> None:
    result = CliRunner().invoke(fantasy_scoring.main, ["--hands", "60", "--seconds", "0.2"])
    assert result.exit_code == 0, result.output
    assert "All agree on every hand." in result.output
