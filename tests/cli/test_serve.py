"""`realmtable serve`: where it listens, what it prints, how it stops, and what it refuses."""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from realmtable.cli import serve
from realmtable.engine.errors import BadInput
from realmtable.server.settings import Settings
from tests.cli.command_line import expect_refusal, run_process
from tests.cli.serve_process import START_TIMEOUT_S, ServeProcess, run_serve

DATABASE = os.environ.get("REALMTABLE_TEST_DATABASE_URL", "")
REDIS = os.environ.get("REALMTABLE_TEST_REDIS_URL", "")


@pytest.fixture
def busy_port() -> Iterator[int]:
    """A port that is in use."""
    listener = socket.create_server(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    listener.listen()
    yield port
    listener.close()


# ---- where


def test_threads_delay_moves_only_briefly() -> None:
    before = sys.getswitchinterval()
    try:
        serve.warm_up(FastAPI())
        assert sys.getswitchinterval() < 0.001
    finally:
        sys.setswitchinterval(before)


def test_the_next_free_port_is_taken_and_named(busy_port: int, capsys: pytest.CaptureFixture[str]) -> None:
    with serve.open_listener(Settings(port=busy_port), is_port_set=False) as listener:
        port = listener.getsockname()[1]
        assert busy_port < port <= busy_port + serve.MAX_PORTS_TRIED
        assert capsys.readouterr().out == f"Port {busy_port} is in use; using port {port}.\n"


def test_a_port_that_was_asked_for_is_not_replaced(busy_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = f"Port {busy_port} is in use; choose another with --port (REALMTABLE_PORT), or 0 for any."
    assert expect_refusal("serve", "--port", str(busy_port)) == sentence
    monkeypatch.setenv("REALMTABLE_PORT", str(busy_port))
    assert expect_refusal("serve") == sentence


def test_there_is_an_end_to_looking_for_a_port(busy_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "MAX_PORTS_TRIED", 1)
    with pytest.raises(BadInput, match="are all in use; choose one"):
        serve.open_listener(Settings(port=busy_port), is_port_set=False)


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_that_is_not_here_is_refused(host: str) -> None:
    assert expect_refusal("serve", "--host", host, "--port", "0").startswith(f"Cannot listen on {host}, port 0: ")


def test_ipv6_is_served() -> None:
    try:
        listener = serve.open_listener(Settings(host="::1", port=0), is_port_set=True)
    except BadInput:
        pytest.skip("this machine has no IPv6")
    with listener:
        assert listener.family == socket.AF_INET6


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "http"], "--port (REALMTABLE_PORT) must be a whole number."),
        (["--log-format", "xml"], "--log-format (REALMTABLE_LOG_FORMAT) must be text or json."),
        (["--database-url", "mysql://x"], "must begin with sqlite:/// or postgresql://."),
        (["--processes", "2"], "More than one process requires PostgreSQL, --database-url (REALMTABLE_DATABASE_URL),"),
    ],
)
def test_a_bad_setting_is_one_sentence(arguments: list[str], sentence: str) -> None:
    assert sentence in expect_refusal("serve", *arguments)


@pytest.mark.long
def test_a_database_that_is_not_there_is_one_sentence_without_its_password() -> None:
    done = run_process("serve", "--port", "0", "--database-url", "postgresql://ann:hunter2@127.0.0.1:1/x")
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1, done.err
    assert done.err.strip().endswith(".")
    assert "hunter2" not in done.err + done.out


@pytest.mark.long
def test_a_folder_that_cannot_be_written_is_one_sentence(folder: Path) -> None:
    (folder / "file").touch()
    done = run_process("serve", "--port", "0", "--database-url", f"sqlite:///{folder}/file/tables.sqlite3")
    assert (done.code, len(done.err.strip().splitlines())) == (2, 1), done.err


# ---- serving


def get(url: str) -> httpx.Response:
    """Return an answer, however busy the machine is."""
    return httpx.get(url, timeout=START_TIMEOUT_S)


def listen(url: str, heard: list[str], begun: threading.Event) -> None:
    """Follow the lobby until the server ends the stream."""
    with httpx.stream("GET", f"{url}/api/lobby/events", timeout=START_TIMEOUT_S) as stream:
        for line in stream.iter_lines():
            heard.append(line)
            begun.set()
    heard.append("ended well")


def follow_lobby(server: ServeProcess) -> tuple[threading.Thread, list[str]]:
    heard: list[str] = []
    begun = threading.Event()
    thread = threading.Thread(target=listen, args=(server.url, heard, begun))
    thread.start()
    assert begun.wait(START_TIMEOUT_S)
    return thread, heard


@pytest.mark.parametrize(
    "compile_bots", [pytest.param("false", marks=pytest.mark.long), pytest.param("true", marks=pytest.mark.slow)]
)
def test_it_answers_and_ends_quietly_with_its_streams(folder: Path, compile_bots: str) -> None:
    with run_serve(folder, "--log-format", "json", REALMTABLE_COMPILE_BOTS=compile_bots) as server:
        health = get(f"{server.url}/healthz").json()
        assert (health["status"], health["reasons"]) == ("ok", {})
        assert get(server.url).status_code == 200
        assert "server" not in get(f"{server.url}/healthz").headers
        thread, heard = follow_lobby(server)
        begun = time.monotonic()
        assert server.stop(signal.SIGINT) == 0
        assert time.monotonic() - begun < serve.SHUTDOWN_TIMEOUT_S - 2, "streams were waited for"
    thread.join(10)
    assert heard[0].startswith("retry:")
    assert heard[-1] == "ended well"
    assert server.stdout == f"Realmtable is running at {server.url} (press Ctrl-C to stop).\n"
    assert '"route":"/"' in server.stderr
    assert "Traceback" not in server.stderr


@pytest.mark.slow
def test_a_service_manager_ends_it_too(folder: Path) -> None:
    with run_serve(folder, "--log-level", "warning", REALMTABLE_COMPILE_BOTS="false") as server:
        assert get(f"{server.url}/healthz").status_code == 200
        assert server.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
    assert server.stderr == ""


@pytest.mark.skipif(
    not (DATABASE and REDIS), reason='needs PostgreSQL and Redis: eval "$(.ci/services)" and run the tests again'
)
@pytest.mark.slow
def test_several_processes_share_a_port(folder: Path) -> None:
    shared = {"REALMTABLE_DATABASE_URL": DATABASE, "REALMTABLE_REDIS_URL": REDIS}
    with run_serve(folder, "--processes", "2", "--log-level", "warning", **shared) as server:
        assert get(f"{server.url}/healthz").json()["reasons"] == {}
        thread, heard = follow_lobby(server)
        route = 'realmtable_requests_total{method="GET",route="/healthz",status="200"}'
        for _ in range(5):
            get(f"{server.url}/healthz")
        assert f"{route} 6.0" in get(f"{server.url}/metrics").text
        assert server.stop(signal.SIGINT) == 0
        thread.join(10)
    assert heard[-1] == "ended well"
    assert "Traceback" not in server.stderr


# ---- around it


def test_the_limit_of_open_files_is_raised() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
        serve.raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize(("wanted", "screen", "opened"), [(True, True, 1), (True, False, 0), (False, True, 0)])
def test_the_browser_opens_when_wanted_and_possible(
    busy_port: int, monkeypatch: pytest.MonkeyPatch, wanted: bool, screen: bool, opened: int
) -> None:
    urls: list[str] = []
    monkeypatch.setattr("webbrowser.open", urls.append)
    monkeypatch.setattr(serve, "has_screen", lambda: screen)
    settings = Settings(port=busy_port, open_browser=wanted, public_url="http://localhost:8000")
    serve.announce(settings)
    assert urls == ["http://localhost:8000"] * opened


def test_a_server_that_does_not_answer_is_not_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "STARTUP_TIMEOUT_S", 0.1)
    with serve.open_listener(Settings(port=0), is_port_set=True) as bound:
        serve.announce(Settings(port=bound.getsockname()[1]))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "", "127.0.0.1"])  # noqa: S104 - that is what is tested
def test_a_server_for_the_whole_network_is_asked_here(busy_port: int, host: str) -> None:
    assert serve.wait_for_server(host, busy_port)


def test_a_terminal_without_windows_has_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert not serve.has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert serve.has_screen()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.setattr("sys.platform", "darwin")
    assert serve.has_screen()
