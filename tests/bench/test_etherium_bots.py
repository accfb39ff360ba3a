"""The measurements of Realms of Etherium: matches from every seat, the ladder of levels, and rates."""

from __future__ import annotations

import pytest

from bench.etherium_bots import GAME, list_pairings, main
from bench.etherium_search import rates
from bench.fantasy_bots import play_deal


def test_the_ladder_pairs_each_level_with_the_one_two_below() -> None:
    assert list_pairings("a,b", ladder=False) == [["a", "b"]]
    pairs = list_pairings("", ladder=True)
    assert (pairs[0], pairs[-1], len(pairs)) == (["level3", "level1"], ["level8", "level6"], 6)


@pytest.mark.slow
def test_a_start_is_played_from_every_seat_and_again_the_same() -> None:
    games = play_deal(["random", "level1"], None, 7, 1, GAME)
    assert [each.bots for each in games] == [("random", "level1"), ("level1", "random")]
    assert all(sum(each.wins) == 1 for each in games)
    assert games == play_deal(["random", "level1"], None, 7, 1, GAME)


@pytest.mark.parametrize(("given", "words"), [("level1,nobody", "There is no bot nobody"), ("level1", "not 1")])
def test_what_cannot_be_measured_is_refused(given: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--bots", given])
    assert ended.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.slow
def test_rates_are_measured() -> None:
    found = rates(2, 0.1)
    assert len(found) == 3
    assert all(rate > 0 for rate in found.values())
