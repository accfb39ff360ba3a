"""`realmtable admin`: sign-in links, people, backups, migrations and table checks, on a real database."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from realmtable.server.storage.database import Database
from realmtable.server.storage.moderation import ChatReport, ReportStore
from realmtable.server.tables.scenes.changes import read_scene
from tests.cli.command_line import expect_refusal, run_cli
from tests.server.support.live_server import hash_cheaply, make_app, make_settings

Request = tuple[str, str, dict[str, Any] | None, dict[str, str]]

COMMANDS = ["sign-in-link", "players", "sign-out", "reports", "backup", "restore", "expire", "migrate", "check"]


def database_url(folder: Path, name: str = "tables.sqlite3") -> str:
    return f"sqlite:///{folder / name}"


class Visitor:
    """A browser that talks directly to the app."""

    def __init__(self, app: Any) -> None:  # noqa: ANN401 - FastAPI's
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://table.test")

    async def post(self, path: str, **body: Any) -> Any:  # noqa: ANN401 - JSON
        answer = await self.http.post(path, json=body)
        assert answer.is_success, answer.text
        self.http.headers["X-CSRF-Token"] = answer.headers.get(
            "X-CSRF-Token", self.http.headers.get("X-CSRF-Token", "")
        )
        return answer.json()


async def _fill_database(url: str) -> dict[str, Any]:
    """Fill a database as people do: a member with a token and a table at which some steps were played."""
    app = make_app(make_settings(Path(), database_url=url, public_url="http://table.test"))
    async with app.router.lifespan_context(app):
        ada = Visitor(app)
        await ada.post("/api/me/claim", name="Ada Lovelace", password="correct horse")  # noqa: S106 - not a real password
        token = await ada.post("/api/me/tokens", label="bot")
        table = (await ada.post("/api/tables", game="realm", seats=["me", "me"]))["table"]
        for _ in range(3):
            scene = read_scene((await ada.http.get(f"/api/tables/{table}")).json())
            move = scene["choices"][0]["move"]
            await ada.post(f"/api/tables/{table}/moves", version=scene["version"], move=move)
        version = (await ada.http.get(f"/api/tables/{table}")).json()["version"]
        me = (await ada.http.get("/api/me")).json()["player"]
        await Visitor(app).post("/api/tables", game="realm", seats=["me", "open"])
        return {"table": table, "token": token["token"], "id": me["id"], "version": version}


@pytest.fixture(scope="module", autouse=True)
def fast_passwords() -> Iterator[None]:
    with hash_cheaply():
        yield


@pytest.fixture(scope="module")
def filled_database(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return a database that people have used, and what is in it."""
    folder = tmp_path_factory.mktemp("filled")
    return folder / "tables.sqlite3", asyncio.run(_fill_database(database_url(folder)))


@pytest.fixture
def contents(
    filled_database: tuple[Path, dict[str, Any]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """Copy it to where the commands look for it."""
    shutil.copy(filled_database[0], folder)
    monkeypatch.setenv("REALMTABLE_DATABASE_URL", database_url(folder))
    monkeypatch.setenv("REALMTABLE_PUBLIC_URL", "http://table.test")
    return filled_database[1]


async def _request_statuses(url: str, *requests: Request) -> list[int]:
    """Send each request from a new client and return the statuses of the answers."""
    app = make_app(make_settings(Path(), database_url=url, public_url="http://table.test"))
    async with app.router.lifespan_context(app):
        return [
            (await Visitor(app).http.request(method, path, json=body, headers=headers)).status_code
            for method, path, body, headers in requests
        ]


def execute(folder: Path, statement: str, *values: object) -> list[Any]:
    with sqlite3.connect(folder / "tables.sqlite3") as connection:
        rows = connection.execute(statement, values).fetchall()
    connection.close()
    return rows


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(name: str) -> None:
    assert f"realmtable admin {name} [OPTIONS]" in run_cli("admin", name, "--help").out
    assert name in run_cli("admin", "--help").out


@pytest.mark.long
@pytest.mark.parametrize("name", ["Ada Lovelace", "ADA LOVELACE", "id"])
def test_a_sign_in_link_works_once(folder: Path, contents: dict[str, Any], name: str) -> None:
    done = run_cli("admin", "sign-in-link", contents["id"] if name == "id" else name)
    assert done.code == 0
    url, token = done.out.strip().rsplit("/", 1)
    assert url == "http://table.test/sign-in"
    request: Request = ("POST", "/api/session/link", {"token": token}, {})
    assert asyncio.run(_request_statuses(database_url(folder), request, request)) == [200, 401]


def test_a_link_for_an_unknown_name_is_refused(contents: dict[str, Any]) -> None:
    assert contents
    assert expect_refusal("admin", "sign-in-link", "Nobody") == "No player has this name or id."


def test_people_are_listed(contents: dict[str, Any]) -> None:
    (line,) = run_cli("admin", "players").out.splitlines()
    assert line.startswith(f"{contents['id']}  member")
    assert line.endswith("1 tables    1 sessions  Ada Lovelace")
    assert len(run_cli("admin", "players", "--guests").out.splitlines()) == 2
    assert len(run_cli("admin", "players", "--guests", "--limit", "1").out.splitlines()) == 1


def test_signing_out_ends_sessions_and_if_asked_tokens(folder: Path, contents: dict[str, Any]) -> None:
    request: Request = ("GET", "/api/tables/mine", None, {"Authorization": f"Bearer {contents['token']}"})
    assert run_cli("admin", "sign-out", "ada lovelace").out == "Ada Lovelace: 1 session ended, 0 tokens revoked.\n"
    assert asyncio.run(_request_statuses(database_url(folder), request)) == [200]
    done = run_cli("admin", "sign-out", contents["id"], "--tokens")
    assert done.out == "Ada Lovelace: 0 sessions ended, 1 token revoked.\n"
    assert asyncio.run(_request_statuses(database_url(folder), request)) == [401]
    assert expect_refusal("admin", "sign-out", "Nobody") == "There is no person with that name or id."


@pytest.mark.long
def test_a_backup_is_restored_whole_elsewhere(folder: Path, contents: dict[str, Any]) -> None:
    done = run_cli("admin", "backup", "evening.backup")
    assert done.code == 0
    assert done.out.startswith("Backed up to evening.backup: 2 players, 2 tables, ")
    assert "already exists" in expect_refusal("admin", "backup", "evening.backup")
    other = database_url(folder, "other.sqlite3")
    assert run_cli("admin", "restore", "evening.backup", "--database-url", other).code == 0
    request: Request = ("GET", f"/api/tables/{contents['table']}", None, {})
    assert asyncio.run(_request_statuses(other, request)) == [200]
    assert "not empty" in expect_refusal("admin", "restore", "evening.backup")
    assert run_cli("admin", "restore", "evening.backup", "--replace").code == 0


def test_what_is_no_backup_is_refused(folder: Path, contents: dict[str, Any]) -> None:
    (folder / "letter").write_text("Dear Ada", encoding="utf-8")
    assert contents
    assert "is not a complete backup" in expect_refusal("admin", "restore", "letter", "--replace")
    assert len(run_cli("admin", "players").out.splitlines()) == 1


def test_migrating_makes_a_database_and_may_be_repeated(folder: Path) -> None:
    for _ in range(2):
        done = run_cli("admin", "migrate", "--database-url", database_url(folder, "new.sqlite3"))
        assert (done.code, done.out) == (0, "The database has the latest schema.\n")
    assert (folder / "new.sqlite3").exists()


@pytest.mark.parametrize("arguments", [["players"], ["check"], ["backup", "x"], ["sign-in-link", "Ada"]], ids=str)
def test_a_database_that_is_not_there_is_not_made(folder: Path, arguments: list[str]) -> None:
    assert "There is no database at" in expect_refusal(
        "admin", *arguments, "--database-url", database_url(folder, "none.sqlite3")
    )
    assert not (folder / "none.sqlite3").exists()


def test_tables_that_replay_are_well(contents: dict[str, Any]) -> None:
    assert contents
    done = run_cli("admin", "check")
    assert (done.code, done.out) == (0, "1 running tables replayed, 0 differ.\n")


def test_a_step_that_the_rules_no_longer_allow_is_reported(folder: Path, contents: dict[str, Any]) -> None:
    change = "UPDATE events SET data = ? WHERE table_id = ? AND version = ?"
    execute(folder, change, json.dumps({"move": "Pa1a2"}), contents["table"], contents["version"])
    done = run_cli("admin", "check")
    assert done.code == 1
    assert done.out.startswith(
        f"{contents['table']}: The rules were corrected after this game began; step 3 is now illegal: "
    )
    assert done.out.endswith("1 running tables replayed, 1 differ.\n")


def test_a_turn_or_position_that_differs_from_the_stored_one_is_reported(
    folder: Path, contents: dict[str, Any]
) -> None:
    execute(folder, "UPDATE tables SET turn = 99, acting = '[1, 0]' WHERE id = ?", contents["table"])
    statement = "INSERT INTO snapshots (table_id, version, data) VALUES (?, ?, ?)"
    execute(folder, statement, contents["table"], contents["version"], json.dumps({"state": "another"}))
    done = run_cli("admin", "check")
    assert done.code == 1
    lines = [line.removeprefix(f"{contents['table']}: ") for line in done.out.splitlines()]
    assert lines[0].startswith("Turn: 99 is stored, but the log replays to ")
    assert lines[1].startswith("Seats to move: (1, 0) is stored, but the log replays to (")
    assert lines[2].startswith(f"The position at version {contents['version']} differs from the one that players saw.")
    assert lines[3] == "1 running tables replayed, 1 differ."


def test_reports_are_listed_and_resolved(folder: Path, contents: dict[str, Any]) -> None:
    assert run_cli("admin", "reports").out == "There are no reports.\n"
    line = {"name": "Bob", "player": "b", "text": "bad", "at": 60.0}
    report = ChatReport("t", 5, "realm", contents["id"], "Ada", "b", "Bob", "bad", [line], 60.0, id="r1")

    async def add() -> None:
        database = Database(database_url(folder))
        await ReportStore(database).add(report)
        await database.close()

    asyncio.run(add())
    listed = run_cli("admin", "reports").out
    assert f"r1  1970-01-01 00:01  Ada ({contents['id']}) reported Bob (b) at /tables/t (realm)\n" in listed
    assert listed.endswith("  1970-01-01 00:01  Bob: bad\n")
    (found,) = json.loads(run_cli("admin", "reports", "--json").out)
    assert (found["id"], found["text"], found["lines"]) == ("r1", "bad", [line])
    assert run_cli("admin", "reports", "resolve", "r1").out == "Report r1 is resolved.\n"
    assert "no unresolved report r1" in expect_refusal("admin", "reports", "resolve", "r1")
    assert run_cli("admin", "reports").out == "There are no reports.\n"
    assert "(resolved " in run_cli("admin", "reports", "--all").out


def test_what_guests_left_behind_is_counted_first_and_removed_then(folder: Path, contents: dict[str, Any]) -> None:
    execute(folder, "UPDATE tables SET updated_at = 1, created_at = 1")
    dry = run_cli("admin", "expire", "--dry-run")
    assert dry.out == "1 tables, 0 records, 0 guests would be removed.\n"
    kept = run_cli("admin", "expire", "--abandoned-days", "0")
    assert kept.out == "0 tables, 0 records, 0 guests were removed.\n"
    assert run_cli("admin", "expire").out == "1 tables, 0 records, 0 guests were removed.\n"
    assert execute(folder, "SELECT id FROM tables") == [(contents["table"],)], "that of the member stays"
