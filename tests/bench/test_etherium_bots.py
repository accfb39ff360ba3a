"""The measurements of Realms of Etherium: matches from every seat, the ladder of levels, and rates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bench import etherium_bots
from bench.etherium_batches import GAME, GAMES, BatchFile
from bench.etherium_bots import (
    ROUNDS,
    WON,
    Matchup,
    describe_others,
    format_rows,
    format_stalls,
    is_decided,
    list_ladder,
    list_matches,
    list_stalls,
    main,
    play_batch,
)
from bench.etherium_search import rates
from bench.fantasy_bots import play_deal
from realmtable.games.realms_of_etherium.kernels.tally import MOST_IDLE, TALLY_SIZE
from realmtable.kit.rules import Position, Rules
from realmtable.search.bot_levels import LEVELS
from realmtable.search.compiled_matches import GameResults, SeatPolicy


def test_the_ladder_pairs_each_level_with_the_one_two_below() -> None:
    pairs = list_ladder(4)
    assert (pairs[0].bots, pairs[-1].bots) == (("level3", *["level1"] * 3), ("level8", *["level6"] * 3))
    assert len(pairs) == len(LEVELS) - 2
    assert {match.claim for match in pairs} == {0.25}


def test_all_matches_of_the_page_have_different_names() -> None:
    names = [match.name for match in list_matches()]
    assert len(set(names)) == len(names)
    assert {"level8,greedy", "level8,greedy,greedy,greedy", "level8,level6", "greedy,random"} <= set(names)


def test_a_match_is_decided_once_a_wide_interval_excludes_the_claim() -> None:
    match = Matchup(("level8", "greedy"), 0.75)
    assert not is_decided(match, {})
    assert not is_decided(match, {GAMES: 10, WON: 0})  # too few
    assert not is_decided(match, {GAMES: 100, WON: 83})  # only the 95% interval excludes it
    assert is_decided(match, {GAMES: 100, WON: 90})
    assert is_decided(match, {GAMES: 100, WON: 50})


def test_rows_name_the_bots_and_their_interval() -> None:
    match = Matchup(("level8", "greedy", "greedy", "greedy"), 0.45)
    file = BatchFile()
    file.add(match.name, {GAMES: 80, WON: 60, ROUNDS: 800})
    rows = format_rows(file, [match, Matchup(("a", "b"), 0.5)])
    assert rows.splitlines()[2:] == ["| `level8` | three `greedy` | 80 | 75.0% | 64.5 to 83.2% | 25% | 10.0 |"]
    assert describe_others(Matchup(("a", "b", "c"), 0.5)) == "`b`, `c`"


def test_bots_move_on_by_one_seat_and_the_first_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(etherium_bots, "QUICK_BATCH", 1)
    seats: list[int] = []

    def play(_rules: Rules, starts: Sequence[Position], policies: Sequence[SeatPolicy], *_: object) -> GameResults:
        seats.append([policy.nodes for policy in policies].index(3))
        shares = np.array([[float(seat == seats[-1]) for seat in range(len(policies))]])
        tallies = np.zeros((1, TALLY_SIZE), dtype=np.int64)
        tallies[0, MOST_IDLE] = seats[-1] // 2
        return GameResults(shares, np.array(starts), tallies, 1)

    monkeypatch.setattr(etherium_bots, "play_games", play)
    sums = play_batch(Matchup(("mcts:nodes=3", "random", "random"), 0.5), 0, top_nodes=1, threads=1, preset=None)
    assert seats == [0, 1, 2]
    assert sums == {GAMES: 3, WON: 3, ROUNDS: 3, "idle 0": 2, "idle 1": 1}


def test_stalls_are_counted_by_game() -> None:
    matches = list_stalls()
    assert [match.bots for match in matches[:2]] == [("greedy", "greedy"), ("level1", "level1")]
    assert (len(matches), matches[-1].bots) == (len(LEVELS) + 2, ("level5", "greedy"))
    file = BatchFile()
    for runs in ({"idle 3": 30, "idle 19": 9, "idle 20": 1}, {"idle 3": 39, "idle 177": 1}):
        file.add("greedy,greedy", {GAMES: 40, WON: 20, ROUNDS: 400, **runs})
    rows = format_stalls(file, matches)
    assert rows.splitlines()[2:] == ["| `greedy` | `greedy` | 80 | 177 | 2 | 50.0% | 39.3 to 60.7% | 10.0 |"]


def test_a_match_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    results = tmp_path / "games.jsonl"
    monkeypatch.setattr(etherium_bots, "play_batch", lambda *_, **__: {GAMES: 16, WON: 12, ROUNDS: 160})
    for games in (1, 17):
        main(["--bots", "random,random", "--games", str(games), "--results", str(results)])
        out = capsys.readouterr().out
        assert "| `random` | `random` |" in out
        assert f"| {16 if games == 1 else 32} |" in out
    assert len(results.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize("other", [["--top-nodes", "9"], ["--preset", "printed_powers"]])
def test_games_with_other_settings_are_not_added_to_a_file(
    other: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "games.jsonl"
    monkeypatch.setattr(etherium_bots, "play_batch", lambda *_, **__: {GAMES: 16, WON: 12, ROUNDS: 160})
    command = ["--bots", "random,random", "--games", "1", "--results", str(results)]
    main(command)
    before = results.read_bytes()
    with pytest.raises(SystemExit) as ended:
        main([*command, *other])
    assert ended.value.code == 2
    assert "has games with preset=standard, top_nodes=8000, not with" in capsys.readouterr().err
    assert results.read_bytes() == before
    main([*command, "--preset", "standard"])  # the default


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
