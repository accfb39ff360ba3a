"""The examples of the page on research, the notebooks and the training script run as they are."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import realmtable

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs/study/environments.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SLOW_GAMES = {"magic_realm", "realms_of_etherium", "modern_realm", "oriental_realm"}


def run_code(code: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "example", "exec"), {"__name__": "example"})  # noqa: S102 - our own examples
    return printed.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_the_programs_of_the_page_run(number: int) -> None:
    run_code(PROGRAMS[number])


def test_the_page_has_the_numbers_of_actions_and_the_shapes() -> None:
    from realmtable.rl.episode import GameSetup  # noqa: PLC0415 - takes a while

    for info in realmtable.infos():
        setting = GameSetup(info.id)
        assert f"| {info.title} | {setting.action_count:,} |" in PAGE
        shape = setting.observer.shape
        size = "×".join(map(str, shape)) if len(shape) > 1 else f"{shape[0]:,} for two"
        assert f"| {info.title} | {size}" in PAGE


def load_generator() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "make_notebooks.py"))


def test_the_notebooks_are_those_that_the_script_writes() -> None:
    write_notebook = load_generator()["write_notebook"]
    for info in realmtable.infos():
        written = (EXAMPLES / f"notebooks/{info.id}.ipynb").read_text(encoding="utf-8")
        assert json.loads(written) == json.loads(write_notebook(info)), "run examples/make_notebooks.py"


@pytest.mark.parametrize(
    "game_id",
    [
        pytest.param(info.id, marks=pytest.mark.slow) if info.id in SLOW_GAMES else info.id
        for info in realmtable.infos()
    ],
)
def test_notebooks_run(game_id: str) -> None:
    notebook = json.loads((EXAMPLES / f"notebooks/{game_id}.ipynb").read_text(encoding="utf-8"))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    printed = run_code("\n".join(code))
    assert "level1: " in printed


@pytest.mark.long
def test_the_training_script_is_short_and_asks_for_pytorch() -> None:
    script = EXAMPLES / "train_classic_realm.py"
    assert len(script.read_text(encoding="utf-8").splitlines()) < 150
    block = "import sys; sys.modules['torch'] = None; sys.argv = ['train']; import runpy; runpy.run_path({!r})"
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", block.format(str(script))], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "This example needs PyTorch: pip install torch."


@pytest.mark.long
def test_cfr_solves_small_realms() -> None:
    module = runpy.run_path(str(EXAMPLES / "solve_small_realms.py"))
    done = CliRunner().invoke(module["main"], ["--turns", "1", "--iterations", "4", "--every", "2"])
    assert done.exit_code == 0, done.output
    found = re.findall(r"^ +(\d+) iterations, .* s: exploitability (\d\.\d{4})$", done.output, re.MULTILINE)
    assert [number for number, _ in found] == ["0", "2", "4"]
    first, *_, last = (float(value) for _, value in found)
    assert last < first / 5


def test_players_of_small_realms_know_only_their_own_cards() -> None:
    module = runpy.run_path(str(EXAMPLES / "solve_small_realms.py"))
    deals = module["DEALS"]
    known: dict[str, set[frozenset[int]]] = {}
    for number, (first, _) in enumerate(deals):
        state = module["SmallRealms"]().new_initial_state()
        state.apply_action(number)
        known.setdefault(state.information_state_string(0), set()).add(first)
        state.apply_action(module["DECK"])
        drawn, *_ = state.legal_actions()
        state.apply_action(drawn)
        assert state.information_state_string(1).endswith("d"), "the drawn card is secret"
        discarded, *_ = state.legal_actions()
        state.apply_action(discarded)
        assert state.legal_actions() == [discarded, module["DECK"]]
        assert state.current_player() == 1
    assert all(len(hands) == 1 for hands in known.values())
    assert len(known) == 15 < len(deals) == 90


def test_small_realms_ends_with_the_better_hand() -> None:
    module = runpy.run_path(str(EXAMPLES / "solve_small_realms.py"))
    rng, lengths = Random(1), set()
    for _ in range(50):
        state = module["SmallRealms"]({"turns": 4}).new_initial_state()
        while not state.is_terminal():
            assert state.returns() == [0, 0]
            state.action_to_string(state.current_player(), state.legal_actions()[0])
            state.apply_action(rng.choice(state.legal_actions()))
        worths = [*map(module["worth"], state.at.hands)]
        first = (worths[0] > worths[1]) - (worths[0] < worths[1])
        assert state.returns() == [first, -first]
        lengths.add(state.at.turn)
        assert len(state.at.area) == 2 or state.at.turn == 4
        assert "Position" in str(state)
    assert lengths == {2, 3, 4}
