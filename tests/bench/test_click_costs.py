"""What a click costs: bytes on the wire and source files."""

from __future__ import annotations

from click.testing import CliRunner

from bench import click_costs
from bench.click_costs import FileCounter, GameCosts, list_usual_files, table_of
from realmtable.engine import registry


def test_the_files_of_a_call_are_those_of_the_server_and_of_the_game() -> None:
    counter = FileCounter()
    with counter.count():
        registry.infos()
        len([])
    ours, of_the_game = counter.take()
    assert "engine/registry.py" in of_the_game
    assert not any(name.startswith(("engine/", "kit/", "games/")) for name in ours)
    assert counter.take() == (frozenset(), frozenset())


def test_a_row_has_the_bytes_and_the_files() -> None:
    files = [frozenset({"api/a.py"}), frozenset({"api/a.py", "api/b.py", "c.py"}), frozenset({"api/a.py", "c.py"})]
    costs = GameCosts("realm", [400, 3_000, 500], files, [frozenset({"engine/x.py"})])
    assert table_of([costs], [costs]).splitlines()[-1] == "| realm | 3 | 500 | 3,000 | 3,000 | 33.3% | 2 | 1 |"
    assert list_usual_files([costs]) == ["api/a.py", "c.py"]


def test_clicks_of_a_real_game_are_measured() -> None:
    done = CliRunner().invoke(click_costs.main, ["classic_realm", "--clicks", "3", "--files"])
    assert done.exit_code == 0, done.output
    row = next(line for line in done.output.splitlines() if line.startswith("| classic_realm"))
    name, clicks, median = [cell.strip() for cell in row.split("|")[1:4]]
    assert (name, clicks) == ("classic_realm", "3")
    assert 0 < int(median) < click_costs.LIMIT
    assert "server/api/table_socket.py" in done.output


def test_an_unknown_game_is_named() -> None:
    done = CliRunner().invoke(click_costs.main, ["chess"])
    assert done.exit_code == 2
    assert "There is no game chess" in done.output
