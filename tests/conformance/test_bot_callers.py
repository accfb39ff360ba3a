"""Every caller of a bot has a test with a spy, or a reason why nothing can be hidden there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import realmtable

SOURCES = Path(realmtable.__file__).parent
TESTS = Path(__file__).parents[1]

# Callers for which a spy shows that the bot receives a resampled state.
SPY_TESTS = {
    "cli/terminal_game.py": "cli/test_bot_secrets.py",
    "lab/balance/game_facts.py": "lab/test_bot_secrets.py",
    "lab/matches/match_game.py": "lab/test_bot_secrets.py",
    "rl/opponents.py": "rl/test_bot_secrets.py",
    "server/site/game_pictures.py": "server/hidden_information/test_secret_steps.py",
    "server/workers/bot_workers.py": "server/hidden_information/test_secret_steps.py",
}
# Callers where nothing is hidden, or that receive a resampled state.
EXEMPT = {
    "engine/bots.py": "passes on the state that its caller was given",
    "lab/goal_mining.py": "makes puzzles of games in which everything is seen",
    "lab/puzzle_mining.py": "makes puzzles of games in which everything is seen",
    "lab/openings/opening_study.py": "plays Realm alone",
    "server/tables/live/table_driver.py": "passes the true state to our own workers, which resample it",
    "server/workers/warming_pool.py": "passes it on to them",
}


def asks_a_bot(path: Path) -> bool:
    """Whether a module calls `plan_steps`, or a method `choose` or `plan`."""
    text = path.read_text(encoding="utf-8")
    if not re.search(r"\b(plan_steps|choose|plan)\(", text):  # which is faster than reading it as code
        return False
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            called = node.func
            name = (
                called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            )
            if name in {"plan_steps", "choose", "plan"}:
                return True
    return False


def test_every_place_that_asks_a_bot_is_known() -> None:
    """Bots also call each other in `search` and in games, but with states that were resampled before."""
    paths = {path.relative_to(SOURCES).as_posix(): path for path in SOURCES.rglob("*.py")}
    asking = {name for name, path in paths.items() if not name.startswith(("search/", "games/")) and asks_a_bot(path)}
    assert asking == {*SPY_TESTS, *EXEMPT}


def test_the_places_with_secrets_have_a_spy() -> None:
    for test in set(SPY_TESTS.values()):
        assert "assert_saw_no_secret(" in (TESTS / test).read_text(encoding="utf-8")
