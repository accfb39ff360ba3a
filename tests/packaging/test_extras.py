"""The plain package is enough for everything except servers, research and clusters; an error names a missing extra."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import realmtable
from realmtable.cli.main import COMMANDS
from realmtable.engine import extras
from realmtable.server.settings import Settings, require_extras_for

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRA_MODULES = {module for modules in extras.EXTRA_MODULES.values() for module in modules}
# With what FastAPI, SQLAlchemy and Uvicorn bring, and without what Rich brings to every installation.
ABSENT = tuple(EXTRA_MODULES - {"markdown_it"} | {"anyio", "greenlet", "pydantic", "starlette", "uvloop"})
REALM = realmtable.game("realm")
RECORDS = ROOT / "src" / "realmtable" / "games" / "realm" / "records"
RUN = """
import sys
sys.modules.update(dict.fromkeys({blocked}))
from tests.cli.command_line import run_cli
for arguments in {commands}:
    done = run_cli(*arguments)
    print(done.code, (done.err or done.out).strip().replace("\\n", " | "))
"""


def run_without(blocked: tuple[str, ...], *commands: tuple[str, ...], **environment: str) -> list[str]:
    """The exit code and output of each command, on one line, in a process that cannot import some modules."""
    done = subprocess.run(  # our own code
        [sys.executable, "-c", RUN.format(blocked=blocked, commands=commands)],
        env={**os.environ, "REALMTABLE_COMPILE": "0", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def distribution_name(requirement: str) -> str:
    """The normalised name of the package that a requirement asks for."""
    return re.split(r"[\[<>=;! ]", requirement)[0].lower().replace("_", "-")


@pytest.mark.long
@pytest.mark.parametrize("extra", extras.EXTRA_MODULES)
def test_every_requirement_of_an_extra_is_looked_for(extra: extras.Extra) -> None:
    owners = packages_distributions()
    found = {distribution_name(owner) for module in extras.EXTRA_MODULES[extra] for owner in owners[module]}
    asked = {distribution_name(requirement) for requirement in PROJECT["optional-dependencies"][extra]}
    assert found == asked - {"uvloop"}


def test_importing_the_package_needs_no_extra() -> None:
    code = f"import sys; sys.modules.update(dict.fromkeys({ABSENT})); import realmtable; print(realmtable.infos())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert REALM.info.title in done.stdout


@pytest.mark.long
def test_help_needs_no_extra() -> None:
    commands = [(), *((name,) for name in COMMANDS), ("admin", "backup")]
    printed = run_without(ABSENT, *((*command, "--help") for command in commands))
    assert [line.split()[0] for line in printed] == ["0"] * len(commands)


@pytest.mark.long
def test_rules_bots_and_records_need_no_extra(tmp_path: Path) -> None:
    page, record = str(tmp_path / "match.html"), str(min(RECORDS.glob("*.record")))
    commands = [
        ("games", "--json"),
        ("check", record),
        ("replay", record, "--svg", str(tmp_path / "board.svg")),
        ("show", REALM.encode(REALM.initial())),
        ("perft", "realm", "--depth", "1"),
        ("bench", "playouts", "realm", "--seconds", "0.1"),
        ("score", "King, Queen, Knights, Rangers, Warlord, Sword of Keth, Shield of Keth"),
        ("match", "realm", "--bots", "random,random", "--games", "2", "--workers", "1", "--html", page),
        ("play", "realm", "--seats", "human,bot:random"),
    ]
    printed = run_without(ABSENT, *commands)
    assert [line for line in printed if not line.startswith("0 ")] == []


@pytest.mark.parametrize("module", extras.EXTRA_MODULES["server"])
def test_a_missing_package_of_the_server_is_named_in_one_sentence(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    with pytest.raises(
        extras.MissingExtra, match=r"^The server needs more packages: pip install 'realmtable\[server\]'\.$"
    ):
        require_extras_for(Settings())


@pytest.mark.long
def test_commands_of_the_server_say_what_to_install(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    commands = [("serve",), *(("admin", *rest) for rest in ADMIN)]
    printed = run_without(ABSENT, *commands, REALMTABLE_DATABASE_URL=address)
    assert printed == ["2 The server needs more packages: pip install 'realmtable[server]'."] * len(commands)
    assert not list(tmp_path.iterdir())


ADMIN = [
    ("sign-in-link", "Ada"),
    ("players",),
    ("sign-out", "Ada"),
    ("backup", "evening.backup"),
    ("restore", "evening.backup"),
    ("expire",),
    ("migrate",),
    ("check",),
]


@pytest.mark.long
def test_an_address_of_a_store_without_its_driver_names_the_extra(tmp_path: Path) -> None:
    postgres = ("--database-url", "postgresql://ada:hunter2@127.0.0.1:1/tables")
    redis = (
        "--database-url",
        f"sqlite:///{tmp_path / 'tables.sqlite3'}",
        "--redis-url",
        "redis://:hunter2@127.0.0.1:1/0",
    )
    commands = [
        ("serve", *postgres),
        ("admin", "migrate", *postgres),
        ("admin", "players", *postgres),
        ("serve", *redis),
    ]
    printed = run_without(("asyncpg", "redis"), *commands)
    assert printed == [
        *["2 PostgreSQL needs a driver: pip install 'realmtable[postgres]'."] * 3,
        "2 Redis needs a driver: pip install 'realmtable[redis]'.",
    ]
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_server_without_postgresql_and_redis_needs_no_driver(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    code = f"""
import asyncio, sys
sys.modules.update(dict.fromkeys(("asyncpg", "redis")))
from realmtable.server.app import create_app
from realmtable.server.settings import Settings
async def start():
    app = create_app(Settings(database_url={address!r}, compile_bots=False, replay_workers=0))
    async with app.router.lifespan_context(app):
        print("started")
if __name__ == "__main__":
    asyncio.run(start())
"""
    script = tmp_path / "start.py"
    script.write_text(code, encoding="utf-8")
    environment = {**os.environ, "REALMTABLE_COMPILE": "0"}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "started\n", done.stderr
