"""A game of two files outside the repository, installed as a package, is listed, checked and found by workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from realmtable.cli.new_game import write_skeleton

ROOT = Path(__file__).resolve().parents[2]
NAME = "three_in_a_row"
ON_CLUSTER = f"""
from distributed import LocalCluster
from realmtable.lab.matches.match import play_match

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        result = play_match("{NAME}", ["random", "random"], games=4, cluster=cluster.scheduler_address)
        print(len(result.games))
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the packages installed in a folder."""
    paths = os.pathsep.join(map(str, (folder, ROOT / "src")))
    env = {**os.environ, "PYTHONPATH": paths, "REALMTABLE_COMPILE": "0", "NO_COLOR": "1", "PYTEST_ADDOPTS": ""}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def run_command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "-m", "realmtable", *arguments)


def install_by_hand(folder: Path, name: str, source: str) -> None:
    """Install a module with a game as an installer would."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    facts = folder / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(f"[realmtable.games]\n{name} = {name}\n", encoding="utf-8")


@pytest.fixture(scope="module")
def game_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the game is installed from its two files."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    files = write_skeleton(NAME)
    for file in ("pyproject.toml", f"{NAME}.py"):
        (source / file).write_text(files[file], encoding="utf-8")
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--quiet", "--target", str(target))
    done = run(source, "-m", "pip", "install", *options, str(source))
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.long
def test_the_game_is_listed(game_packages: Path) -> None:
    games = json.loads(run_command(game_packages, "games", "--json").stdout)
    assert [(game["id"], game["tier"]) for game in games if game["tier"] == "playable"] == [(NAME, "playable")]


@pytest.mark.long
def test_the_game_passes_its_checks(game_packages: Path) -> None:
    done = run_command(game_packages, "check-game", NAME)
    assert (done.returncode, done.stderr) == (0, "")
    first, *_, last = done.stdout.splitlines()
    assert first == "Three In A Row, as a playable game"
    count = last.split()[0]
    assert last == f"{count} of {count} checks passed."
    assert "  passed  legal moves are sorted and unique" in done.stdout


@pytest.mark.long
def test_what_the_game_lacks_to_be_complete_is_listed(game_packages: Path) -> None:
    done = run_command(game_packages, "check-game", NAME, "--tier", "complete")
    assert done.returncode == 1
    assert "  FAILED  it has a summary a lesson and records" in done.stdout
    assert "  passed  a move is its text" in done.stdout


@pytest.mark.long
def test_the_tests_that_were_written_with_the_game_pass(game_packages: Path, tmp_path: Path) -> None:
    test = f"test_{NAME}.py"
    (tmp_path / test).write_text(write_skeleton(NAME)[test], encoding="utf-8")
    done = run(game_packages, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(tmp_path / test))
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_a_worker_of_a_cluster_finds_the_game(game_packages: Path, tmp_path: Path) -> None:
    script = tmp_path / "play.py"
    script.write_text(ON_CLUSTER, encoding="utf-8")
    done = run(game_packages, str(script))
    assert done.stdout == "4\n", done.stderr


@pytest.mark.long
def test_a_package_that_cannot_be_loaded_is_reported_and_stops_nothing(tmp_path: Path) -> None:
    install_by_hand(tmp_path, "broken_game", "import no_such_module\n")
    done = run_command(tmp_path, "games", "realm")
    assert done.returncode == 0
    assert "Realm" in done.stdout
    assert done.stderr == (
        "The game broken_game of broken_game is left out: ModuleNotFoundError: No module named 'no_such_module'\n"
    )


@pytest.mark.long
def test_a_check_that_fails_says_why(tmp_path: Path) -> None:
    source = write_skeleton("forgetful")["forgetful.py"]
    move = "return State(state.grid[:index] + MARKS[seat] + state.grid[index + 1 :])"
    assert move in source
    install_by_hand(tmp_path, "forgetful", source.replace(move, "return State() if index else state"))
    done = run_command(tmp_path, "check-game", "forgetful")
    assert done.returncode == 1
    assert "  FAILED  every game ends" in done.stdout
    assert "assert game.outcome(play.last) is not None" in done.stdout
    assert "  passed  a move is its text" in done.stdout


@pytest.mark.long
def test_a_check_that_never_ends_can_be_interrupted_and_is_named(tmp_path: Path) -> None:
    source = write_skeleton("endless")["endless.py"]
    start = "        index = CELLS.index(move)\n"
    assert start in source
    interrupt = "        print('a move'); import os; os.kill(os.getpid(), 2)\n        while True: pass\n"
    install_by_hand(tmp_path, "endless", source.replace(start, interrupt + start))
    done = run_command(tmp_path, "check-game", "endless")
    assert (done.returncode, done.stderr) == (2, "Interrupted in the check: play leaves the old state alone.\n")
    assert done.stdout == "Endless, as a playable game\n"


@pytest.mark.long
def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['hypothesis'] = None; from realmtable.cli.main import main; main()"
    done = run(tmp_path, "-c", code, "check-game", "realm")
    assert done.returncode == 2
    assert done.stderr == "Checking a game needs more packages: pip install 'realmtable[check]'.\n"
