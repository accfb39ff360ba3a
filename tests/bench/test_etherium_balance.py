"""The balance of Realms of Etherium: settings, sums of games, files that continue, and the page."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bench import etherium_balance, etherium_balance_page, etherium_batches
from bench.etherium_balance import list_settings, play_batch, sum_games
from bench.etherium_balance_page import make_page
from bench.etherium_balance_tables import COLOURS, QUICK, SEARCH, Key
from bench.etherium_batches import GAMES, BatchFile, Sums, batch_seeds, play_batches
from realmtable.engine.errors import BadInput
from realmtable.games.realms_of_etherium.kernels import layout, tally
from realmtable.search.compiled_matches import GameResults, SeatPolicy

SHORT = 5


def make_played() -> GameResults:
    """Two games of two: seat 1 began the first and won it; the second was shared."""
    finals = np.zeros((2, layout.POSITION_SIZE), dtype=np.int64)
    tallies = np.zeros((2, tally.TALLY_SIZE), dtype=np.int64)
    finals[:, layout.SEATS] = 2
    finals[:, layout.ROUND] = (10, 20)
    finals[:, layout.REASON] = (layout.BY_POINTS, layout.BY_MAX_ROUNDS)
    finals[0, layout.POINTS : layout.POINTS + 2] = (3, 12)
    finals[0, layout.PLAYER_COLOUR : layout.PLAYER_COLOUR + 2] = (layout.GREEN, layout.ORANGE)
    finals[0, layout.TILE_OWNER + 5] = 2
    finals[0, layout.TILE_KIND + 5] = 4
    tallies[0, tally.STARTER] = 1
    tallies[0, tally.SUMMONED + layout.KIND_COUNT + 4] = 2
    tallies[0, tally.TAKEN + layout.KIND_COUNT + 4] = 1
    tallies[0, tally.EXHAUSTED_FIRST + 1] = 3
    return GameResults(np.array([[0.0, 1.0], [0.5, 0.5]]), finals, tallies, 99)


def test_sums_say_who_won_with_what() -> None:
    sums = sum_games(make_played())
    assert (sums[GAMES], sums["rounds"], sums["squared_rounds"], sums["shared"]) == (2, 30, 500, 1)
    assert (sums["end points"], sums["end max_rounds"]) == (1, 1)
    assert (sums["order 0 won"], sums["order 1 won"]) == (1.5, 0.5)
    assert sums[etherium_balance_page.WINNER_POINTS] == 12
    assert (sums["orange won"], sums["green won"], sums[f"green {GAMES}"]) == (1, 0, 1)
    assert (sums["orange exhausted all"], sums["green exhausted all"]) == (1, 0)
    assert (sums["tile 4 summoned"], sums["tile 4 taken"], sums["tile 4 won"]) == (2, 1, 1)
    assert (sums["tile 4 held"], sums["tile 4 held won"]) == (1, 1)


def test_a_file_continues_where_it_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    calls: list[tuple[str, int]] = []

    def play(name: str, batch: int) -> dict[str, float]:
        calls.append((name, batch))
        return {GAMES: 10, "won": batch}

    play_batches(BatchFile(path), {"a": 20, "b": 20}, play)
    assert calls == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]  # they grow together
    path.write_text(path.read_text(encoding="utf-8")[:-5], encoding="utf-8")
    cut_off = path.read_bytes()
    file = BatchFile(path)
    assert file.next_batch("b") == 1
    file.add("b", {GAMES: 10, "won": 5})
    file.add("b", {GAMES: 10, "won": 6})
    assert BatchFile(path).sums("b") == {GAMES: 30, "won": 11}  # the cut-off line is gone
    path.write_bytes(cut_off + b"\n")
    with pytest.raises(BadInput, match=r"Line 4 of .* is not the next batch of games"):
        BatchFile(path)  # damaged, not merely cut off


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x00",
        b"",
        b"[]",
        b"7",
        json.dumps({"name": "a", "batch": 1, "sums": {GAMES: 1}}).encode(),  # the one before it is missing
        json.dumps({"name": "a", "batch": -1, "sums": {GAMES: 1}}).encode(),
        json.dumps({"name": 7, "batch": 0, "sums": {GAMES: 1}}).encode(),
        json.dumps({"name": "a", "batch": 0, "sums": {"won": 1}}).encode(),
        json.dumps({"name": "a", "batch": 0, "sums": {GAMES: "many"}}).encode(),
        json.dumps({"name": "a", "batch": 0, "sums": [1]}).encode(),
        json.dumps({"name": "a", "batch": None, "sums": {GAMES: 1}}).encode(),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_and_left_alone(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(BadInput, match=r"Line 1 of .* is not the next batch of games: repair it or use another file"):
        BatchFile(path)
    assert path.read_bytes() == line + b"\n"


def test_games_of_other_settings_are_not_added_up(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    BatchFile(path, {"top_nodes": 8}).add("a", {GAMES: 1})
    assert BatchFile(path, {"top_nodes": 8}).sums("a")[GAMES] == 1
    with pytest.raises(BadInput, match="has games with top_nodes=8, not with top_nodes=9: use another file"):
        BatchFile(path, {"top_nodes": 9})
    with pytest.raises(BadInput, match="has games with top_nodes=8, not with no settings"):
        BatchFile(path)


def test_a_condensed_file_has_the_same_sums_and_continues(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    file = BatchFile(path)
    for name, won in (("a", 1), ("a", 2), ("b", 3), ("a", 4)):
        file.add(name, {GAMES: 10, "won": won})
    file.condense()
    assert len(path.read_text().splitlines()) == 2
    again = BatchFile(path)
    assert again.sums("a") == {GAMES: 30, "won": 7}
    assert (again.next_batch("a"), again.next_batch("b")) == (3, 1)
    again.add("a", {GAMES: 10})
    assert BatchFile(path).sums("a") == {GAMES: 40, "won": 7}
    path.write_text('{"name": "a", "batch": 0, "batches": 0, "sums": {"games": 1}}\n')
    with pytest.raises(BadInput, match="Line 1"):
        BatchFile(path)


@pytest.mark.parametrize("option", ["--results", "--write"])
def test_the_command_refuses_files_that_it_could_not_write(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, words in ((tmp_path, "is a folder"), (tmp_path / "none" / "file", "There is no folder")):
        with pytest.raises(SystemExit) as ended:
            etherium_balance.main(["--games", "1", option, str(path)])
        assert ended.value.code == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("given", [["--games", "-1"], ["--games", "0"], ["--topic", "nothing"], ["--seconds", "nan"]])
def test_the_command_refuses_nonsense(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        etherium_balance.main(given)
    assert ended.value.code == 2
    assert f"argument {given[0]}" in capsys.readouterr().err


def test_a_decided_match_and_a_finished_time_end_the_play() -> None:
    file = BatchFile()
    play_batches(file, {"a": 99, "b": 99}, lambda *_: {GAMES: 1}, is_decided=lambda name, _: name == "a", seconds=0)
    assert file.next_batch("a") == file.next_batch("b") == 0
    play_batches(file, {"a": 9, "b": 9}, lambda *_: {GAMES: 1}, is_decided=lambda name, _: name == "a")
    assert (file.sums("a")[GAMES], file.sums("b")[GAMES]) == (0, 9)


def test_seeds_differ_between_names_batches_and_games() -> None:
    seeds = [seed for name in "ab" for batch in range(3) for seed in batch_seeds(name, batch, 10)]
    assert len(set(seeds)) == 60
    assert batch_seeds("a", 1, 10) == batch_seeds("a", 1, 10)


def test_settings_have_different_names_and_are_accepted_by_the_rules() -> None:
    settings = list_settings()
    assert len({setting.name for setting in settings}) == len(settings)
    assert {(each.topic, each.seats) for each in settings} >= {("printed", seats) for seats in range(2, 7)}
    for setting in settings:
        etherium_batches.start_position(setting.seats, **dict(setting.options))


def test_games_of_a_setting_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(etherium_balance, "make_policies", lambda setting: [SeatPolicy()] * setting.seats)
    monkeypatch.setattr(etherium_balance, "QUICK_BATCH", 2)
    setting = etherium_balance.Setting("printed", 3, (("player_powers", True), ("max_rounds", SHORT)))
    sums = play_batch(setting, 0, 1)
    assert play_batch(setting, 0, 1) == sums != play_batch(setting, 1, 1)
    assert sums[GAMES] == 2
    assert sum(sums[f"order {order} won"] for order in range(3)) == pytest.approx(2)
    assert sum(sums[f"{colour} {GAMES}"] for colour in COLOURS) == 6
    assert sum(sums[f"{colour} won"] for colour in COLOURS) == pytest.approx(2)


def results_with(**changes: float) -> dict[Key, Sums]:
    """Results in which every setting has the same sums."""
    sums: Sums = defaultdict(float, sum_games(make_played()))
    sums.update(changes)
    return {(each.topic, each.seats, each.bot): sums for each in list_settings()}


def test_the_page_has_all_tables_and_says_what_is_clear() -> None:
    many = {GAMES: 1000.0, "order 0 won": 900.0, "order 1 won": 100.0}
    page = make_page(
        results_with(**many, **{f"orange {GAMES}": 400.0, "orange won": 380.0, "orange exhausted all": 40.0})
    )
    assert "with 2 players first won more than par and second won less than par" in page
    assert "| Orange | **95.0% (92.4–96.7)** |" in page
    assert "Orange won clearly more than par" in page
    assert "in 10.0% of its games with 2 players" in page
    assert all(line.count("|") > 3 for line in page.splitlines() if line.startswith("|"))
    assert all(tile in page for tile in ("| Accord |", "| Channel |"))


def test_the_page_of_few_games_claims_nothing() -> None:
    page = make_page(results_with())
    assert "No place in the turn order is clearly better" in page
    assert "no clear difference between the powers" in page
    empty = make_page({key: defaultdict(float) for key in results_with()})
    assert "NaN" not in empty


def test_the_page_can_say_that_places_are_only_better_or_only_worse() -> None:
    worse = make_page(results_with(**{GAMES: 100.0, "order 0 won": 1.0, "order 1 won": 50.0, "order 2 won": 20.0}))
    assert "with 2 players first won less than par;" in worse
    better = make_page(results_with(**{GAMES: 100.0, "order 0 won": 99.0, "order 1 won": 50.0}))
    assert "with 2 players first won more than par;" in better


def test_the_page_compares_changed_powers_with_the_printed_ones() -> None:
    powers = {f"{colour} {GAMES}": 100.0 for colour in COLOURS}
    far = {f"{colour} won": 100.0 for colour in COLOURS}
    all_closer = "that Red, Blue, Green, Purple, Orange and Yellow came closer to par than as printed"
    assert all_closer in make_page(results_with(**powers, **far))
    assert "that Red, Blue, Green, Purple and Orange came closer" in make_page(
        results_with(**powers, **(far | {"yellow won": 32.0}))
    )
    assert "that no power came closer to par" in make_page({key: defaultdict(float) for key in results_with()})


def results_by_bot(quick: Mapping[str, float], search: Mapping[str, float]) -> dict[Key, Sums]:
    """Results in which every power was played 1,000 times by each bot, with these wins in games of two."""
    results = results_with(**{f"{colour} {GAMES}": 1000.0 for colour in COLOURS})
    for bot, wins in ((QUICK, quick), (SEARCH, search)):
        won = {f"{colour} won": number for colour, number in wins.items()}
        results["printed", 2, bot] = defaultdict(float, results["printed", 2, bot] | won)
    return results


def test_the_page_says_which_powers_depend_on_the_bot() -> None:
    page = make_page(results_by_bot({"red": 300, "blue": 300, "green": 300}, {"red": 500, "blue": 100, "green": 345}))
    assert "Red (2 players) won clearly more often with `search` than with `quick`." in page
    assert "Blue (2 players) won clearly less often with `search` than with `quick`." in page
    assert "Green (2 players) may win more often with it (clear at 95%, not at 99.8%)." in page
    assert "No power won clearly" not in page
    page = make_page(results_by_bot({"red": 300, "green": 300}, {"red": 310, "green": 255}))
    assert "No power won clearly more or less often with `search` than with `quick`." in page
    assert "Green (2 players) may win less often with it" in page
    assert "Red (2 players)" not in page
    assert "with `search`" not in make_page({key: defaultdict(float) for key in results_with()})


def test_the_page_says_how_often_takers_of_network_won() -> None:
    network = f"tile {layout.KIND_NAMES.index('Network')}"
    page = make_page(results_with(**{f"{network} taken": 4.0, f"{network} won": 3.0}))
    assert "Those who took Network won 75% to 75% of their games" in page
    assert "Those who took Network" not in make_page(results_with())


def test_the_page_says_which_prices_change_the_length_of_games() -> None:
    results = results_with(**{GAMES: 100.0, "rounds": 1000.0, "squared_rounds": 10_900.0})  # 10 ± 3
    for topic, rounds in (("cheap", 800.0), ("dear", 1200.0), ("equal", 1040.0)):
        for seats in (2, 4):
            sums = {GAMES: 100.0, "rounds": rounds, "squared_rounds": rounds**2 / 100 + 900.0}
            results[topic, seats, QUICK] = defaultdict(float, sums)
    page = make_page(results)
    assert "1 Black cheaper, games are 20% shorter with 2 players and 20% shorter with 4 players." in page
    assert "1 Black dearer, games are 20% longer with 2 players" in page
    assert "With 1/2 for every Victory Realm, games are not clearly longer or shorter with 2 players" in page


def test_every_state_of_a_results_file_gives_a_page() -> None:
    """Settings with no games, one game, and many games in any combination."""
    rng = Random(3)
    amounts = [defaultdict(float), *(results_with(**{GAMES: 10.0**power}).popitem()[1] for power in range(4))]
    for sums in amounts[1:]:
        sums.update({f"order {order} won": rng.random() * sums[GAMES] for order in range(6)})
    for _ in range(30):
        page = make_page({key: rng.choice(amounts) for key in results_with()})
        assert "nan%" not in page
        assert page.count("## ") == 6


def test_the_command_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []

    def play(setting: etherium_balance.Setting, *_: object) -> Sums:
        played.append(setting.bot)
        return sum_games(make_played())

    monkeypatch.setattr(etherium_balance, "play_batch", play)
    page = tmp_path / "page.md"
    etherium_balance.main(["--games", "2", "--search-games", "1", "--topic", "standard", "--write", str(page)])
    assert (played.count(QUICK), played.count(SEARCH)) == (5, 2)
    assert page.read_text(encoding="utf-8").startswith("# Realms of Etherium: balance")
