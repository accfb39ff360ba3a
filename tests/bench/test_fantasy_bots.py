"""The strength measurement of Fantasy Realms bots: deals from every seat, shares, intervals and refusals."""

from __future__ import annotations

import json

import pytest

from bench.fantasy_bots import GameResult, compute_figures, main, play_deal


def make_game(bots: str, points: str, wins: str) -> GameResult:
    """Build a game from three lists of words."""
    numbers = [tuple(map(float, text.split())) for text in (points, wins)]
    return GameResult(tuple(bots.split()), numbers[0], numbers[1], 20)


def test_figures_are_means_over_deals_with_their_intervals() -> None:
    deals = [
        [make_game("a b", "100 90", "1 0"), make_game("b a", "80 120", "0 1")],
        [make_game("a b", "60 90", "0 1"), make_game("b a", "100 100", "0.5 0.5")],
    ]
    found = compute_figures(deals, "a")
    assert (found.points, found.wins, found.par) == (95.0, 0.625, 0.5)
    assert found.points_error == pytest.approx(1.96 * 30 / 2, rel=0.01)
    assert 0 <= found.wins_low < 0.625 < found.wins_high <= 1


def test_a_deal_is_played_from_every_seat_and_again_the_same() -> None:
    games = play_deal(["level1", "random", "level1"], None, 7, 1)
    assert [each.bots for each in games] == [
        ("level1", "random", "level1"), ("random", "level1", "level1"), ("level1", "level1", "random"),
    ]  # fmt: skip
    assert all(sum(each.wins) == 1 and len(each.points) == 3 for each in games)
    assert games == play_deal(["level1", "random", "level1"], None, 7, 1)


def test_the_command_prints_figures(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--bots", "random,random,level1", "--games", "3", "--workers", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [row["bot"] for row in found] == ["random", "level1"]
    main(["--bots", "random,random,level1", "--games", "3", "--workers", "1"])
    assert "3 games (1 deals)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--bots", "level1,nobody"], "There is no bot nobody"),
        (["--bots", "level1"], "for 2 to 6 players, not 1"),
        (["--bots", "level1,level1", "--games", "none"], "none is not a positive number"),
        (["--bots", "level1,level1", "--preset", "none"], "none"),
    ],
)
def test_what_cannot_be_measured_is_refused(given: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == 2
    assert words in capsys.readouterr().err
