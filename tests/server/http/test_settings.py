"""Settings: what is accepted, the errors for the rest, and that pages and help list every setting."""

from __future__ import annotations

import socket
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from realmtable.engine.errors import BadInput
from realmtable.server import settings as module
from realmtable.server.settings import Settings, default_url, flag_name, label, own_address, variable_name
from tests.cli.command_line import run_cli

DEPLOY = Path(__file__).resolve().parents[3] / "docs" / "host" / "deploy.md"
NAMES = [item.name for item in fields(Settings)]
POSTGRESQL = "postgresql://ann:hunter2@db/realmtable"


def test_the_defaults_are_one_small_machine() -> None:
    settings = Settings.read({})
    assert settings.database_url.startswith("sqlite:////")
    assert settings.database_url.endswith("tables.sqlite3")
    assert (settings.host, settings.port, settings.public_url) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert settings.redis_url is None
    assert not settings.trust_proxy
    assert settings == Settings()


def test_variables_are_read_and_flags_go_before() -> None:
    found = {"REALMTABLE_PORT": " 9000 ", "REALMTABLE_TRUST_PROXY": "on", "REALMTABLE_BOT_PACE_S": "0", "HOME": "x"}
    settings = Settings.read(found, {"port": "9100", "host": None, "log_format": "json"})
    assert (settings.port, settings.trust_proxy, settings.bot_pace_s, settings.log_format) == (9100, True, 0.0, "json")
    assert settings.host == "127.0.0.1"
    assert Settings.read({"REALMTABLE_PORT": "http"}, {"port": 9200}).port == 9200  # the flag corrects the variable


@pytest.mark.parametrize(("text", "value"), [("1", True), ("TRUE", True), ("no", False), ("off", False)])
def test_flags_in_variables_are_words(text: str, value: bool) -> None:
    assert Settings.read({"REALMTABLE_TRUST_PROXY": text}).trust_proxy is value


def test_an_empty_variable_is_none() -> None:
    assert Settings.read({"REALMTABLE_REDIS_URL": "", "REALMTABLE_PORT": ""}) == Settings()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("port", "http", "must be a whole number."),
        ("port", "70000", "must be between 0 and 65,535, not 70000."),
        ("port", "80.5", "must be a whole number."),
        ("bot_limit_s", "soon", "must be a number."),
        ("bot_limit_s", "nan", "must be between 0.1 and 3,600, not nan."),
        ("bot_pace_s", "-1", "must be between 0 and 60, not -1.0."),
        ("limits_factor", "inf", "must be between 0 and 1,000,000, not inf."),
        ("bot_workers", "0", "must be between 1 and 64, not 0."),
        ("trust_proxy", "perhaps", "must be on or off."),
        ("log_format", "xml", "must be text or json."),
        ("log_level", "loud", "must be debug or info or warning or error."),
        ("metrics_token", "short", "must have at least 16 characters."),
        ("database_url", "mysql://ann:hunter2@db/x", "must begin with sqlite:/// or postgresql://."),
        ("redis_url", "http://:hunter2@cache", "must begin with redis://, rediss:// or unix://."),
        *[
            ("public_url", url, "must be http:// or https:// with a host and no path, like https://example.org.")
            for url in ("example.org", "ftp://example.org", "https://", "http://a/b", "http://a:x", "http://ann@a?q=1")
        ],
    ],
)
def test_a_bad_value_is_refused_in_one_sentence_without_repeating_secrets(name: str, value: str, words: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Settings.read({variable_name(name): value})
    assert str(refusal.value) == f"{label(name)} {words}"
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("REALMTABLE_DATABSE_URL", "; did you mean REALMTABLE_DATABASE_URL?"), ("REALMTABLE_XYZZY", ".")],
)
def test_a_variable_nobody_knows_is_refused(name: str, hint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Settings.read({name: "1"})
    assert str(refusal.value) == f"There is no setting {name}{hint}"


def test_the_compile_switch_and_what_tests_say_are_no_settings() -> None:
    assert Settings.read({"REALMTABLE_COMPILE": "0", "REALMTABLE_TEST_DATABASE_URL": "x"}) == Settings()


@pytest.mark.parametrize("given", [{}, {"database_url": POSTGRESQL}, {"redis_url": "redis://cache"}])
def test_several_processes_need_a_shared_database_and_redis(given: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"More than one process requires PostgreSQL.* and Redis"):
        Settings(processes=2, **given)
    assert Settings(processes=2, database_url=POSTGRESQL, redis_url="redis://cache").uses_postgresql


@pytest.mark.parametrize(
    ("url", "choice", "limited"),
    [
        ("", "auto", False),  # this machine
        ("http://192.168.1.20:8000", "auto", False),
        ("http://[fd00::1]:8000", "auto", False),
        ("http://realm.local", "auto", False),
        ("https://example.org", "auto", True),  # also if it listens on this machine, behind a proxy
        ("http://203.0.114.7", "auto", True),
        ("https://example.org", "off", False),
        ("", "on", True),
    ],
)
def test_people_at_one_address_are_limited_on_public_servers(url: str, choice: str, limited: bool) -> None:
    assert Settings(public_url=url, address_limits=choice).limits_addresses is limited


def test_another_process_reads_the_same_settings() -> None:
    settings = Settings(
        database_url=POSTGRESQL,
        redis_url="redis://cache",
        port=0,
        trust_proxy=True,
        processes=3,
        bot_limit_s=2.5,
        metrics_token="t" * 16,
        public_url="https://example.org/",
    )
    assert Settings.read(settings.to_environment()) == settings
    assert settings.public_url == "https://example.org"


def test_secrets_are_not_shown() -> None:
    settings = Settings(database_url=POSTGRESQL, redis_url="redis://:hunter2@cache", metrics_token="hunter2" * 3)
    assert "hunter2" not in repr(settings)


def test_the_public_address_follows_the_port_unless_it_was_given() -> None:
    assert Settings(port=0).with_port(8123).public_url == "http://127.0.0.1:8123"
    assert Settings(public_url="https://example.org").with_port(8123).public_url == "https://example.org"
    assert Settings().with_port(8123).port == 8123


def test_the_whole_network_is_told_an_address_it_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "own_address", lambda: "192.0.2.7")
    assert Settings(host="0.0.0.0").public_url == "http://192.0.2.7:8000"  # noqa: S104 - that is what is tested
    assert default_url("::", 80) == "http://192.0.2.7"


def test_the_own_address_is_an_address_also_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    assert socket.inet_aton(own_address())

    class Alone(socket.socket):
        def connect(self, *_: object) -> None:
            raise OSError

    monkeypatch.setattr(socket, "socket", Alone)
    assert own_address() == "127.0.0.1"


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_in_the_help_and_in_the_pages(name: str) -> None:
    shown = " ".join(run_cli("serve", "--help").out.split())
    page = DEPLOY.read_text(encoding="utf-8")
    for word in (flag_name(name), variable_name(name)):
        assert word in shown
        assert f"`{word}`" in page
    item = next(item for item in fields(Settings) if item.name == name)
    assert " ".join(item.metadata["help"].split()) in shown
    assert item.metadata["help"].endswith(".")
