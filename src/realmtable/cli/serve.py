"""`realmtable serve`: run the server, from a laptop to several processes behind a proxy."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import Field, fields
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from realmtable.cli.command_helpers import Command, describe_os_error, disable_compiling
from realmtable.engine.errors import BadInput
from realmtable.server.settings import ANY_HOST, Settings, flag_name, label, require_extras_for, variable_name

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

MAX_PORTS_TRIED = 50
SHUTDOWN_TIMEOUT_S = 10
KEEP_ALIVE_S = 75  # longer than a proxy's, so that it never reuses a connection that is being closed
SWITCH_INTERVAL_S = 0.0005  # how long a thread may keep the interpreter while another waits
BACKLOG = 4096
STARTUP_TIMEOUT_S = 60


def setting_flags(*names: str) -> Callable[[Command], Command]:
    """Add flags that override settings, by default all of them."""

    def add(command: Command) -> Command:
        for item in reversed([item for item in fields(Settings) if not names or item.name in names]):
            command = _flag(item)(command)
        return command

    return add


def _flag(item: Field[Any]) -> Callable[[Command], Command]:
    """Return the flag of one setting. It accepts any text, because `Settings` reports invalid values."""
    default = {"True": "on", "False": "off"}.get(str(item.default), item.default)
    shown = "" if default in ("", None) else f" [default: {default}]"
    text = f"{item.metadata['help']} [{variable_name(item.name)}]{shown}"
    if item.type == "bool":
        return click.option(
            f"{flag_name(item.name)}/--no{flag_name(item.name)[1:]}", item.name, default=None, help=text
        )
    kinds = {"int": "NUMBER", "float": "NUMBER", "str": "TEXT", "str | None": "TEXT"}
    metavar = "|".join(item.metadata.get("choices", ())) or kinds[str(item.type)]
    return click.option(flag_name(item.name), item.name, default=None, metavar=metavar, help=text)


HELP = """Start the server: people play in the browser, programs over HTTP.

\b
For example
  realmtable serve --open
  realmtable serve --host 0.0.0.0
  realmtable serve --public-url https://example.org --trust-proxy

Every setting has a flag and an environment variable, shown in brackets; the flag takes precedence. docs/host/deploy.md
explains how to run a public server: behind a proxy, with several processes and backups.
"""


@click.command("serve", help=HELP)
@setting_flags()
def command(**flags: object) -> None:
    """Serve until a signal ends it."""
    disable_compiling()
    is_port_set = flags["port"] is not None or bool(os.environ.get(variable_name("port")))
    settings = Settings.read(flags=flags)
    require_extras_for(settings)
    with suppress(KeyboardInterrupt), open_listener(settings, is_port_set=is_port_set) as listener:
        settings = settings.with_port(listener.getsockname()[1])
        serve(settings, listener)


def open_listener(settings: Settings, *, is_port_set: bool) -> socket.socket:
    """Open a socket on the port or, if the port is only the default, on the next free one."""
    ports = range(settings.port, settings.port + (1 if is_port_set else MAX_PORTS_TRIED))
    for port in ports:
        try:
            listener = _bind_socket(settings.host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise BadInput(f"Cannot listen on {settings.host}, port {port}: {describe_os_error(error)}.") from None
            continue
        if port != settings.port:
            click.echo(f"Port {settings.port} is in use; using port {port}.")
        return listener
    if is_port_set:
        raise BadInput(f"Port {settings.port} is in use; choose another with {label('port')}, or 0 for any.")
    raise BadInput(f"Ports {ports[0]} to {ports[-1]} are all in use; choose one with {label('port')}.")


def _bind_socket(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def serve(settings: Settings, listener: socket.socket) -> None:
    """Serve until a signal ends it."""
    import asyncio  # noqa: PLC0415 - keeps --help fast

    from realmtable.server.storage.database import migrate  # noqa: PLC0415
    from realmtable.server.storage.database_lock import lock_database  # noqa: PLC0415

    raise_file_limit()
    # Check before any process starts, so that an error is printed once. The serving process takes the lock again.
    with lock_database(settings.database_url):
        asyncio.run(migrate(settings.database_url))
    threading.Thread(target=announce, args=(settings,), daemon=True).start()
    if settings.processes == 1:
        serve_single_process(settings, listener)
    else:
        serve_multiple_processes(settings, listener)


def serve_single_process(settings: Settings, listener: socket.socket) -> None:
    """Serve in this process."""
    import uvicorn  # noqa: PLC0415 - as above

    server = uvicorn.Server(uvicorn_config(settings, make_application(settings)))
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(1)


def serve_multiple_processes(settings: Settings, listener: socket.socket) -> None:
    """Serve in several processes; this one starts them, replaces those that die, and ends them."""
    from uvicorn.supervisors import Multiprocess  # noqa: PLC0415 - as above

    from realmtable.server import logs  # noqa: PLC0415

    logs.configure(settings.log_format, settings.log_level)
    with tempfile.TemporaryDirectory(prefix="realmtable-metrics-") as folder:
        os.environ.update({**settings.to_environment(), "PROMETHEUS_MULTIPROC_DIR": folder})
        Multiprocess(uvicorn_config(settings, "realmtable.cli.serve:application"), sockets=[listener]).run()


def application() -> ASGIApp:
    """Create the application in one of several processes; its settings come from the environment."""
    return make_application(Settings.read())


def make_application(settings: Settings) -> ASGIApp:
    """Create the application, configure its logs, and close its streams on shutdown."""
    from realmtable.server import logs  # noqa: PLC0415 - as above
    from realmtable.server.app import create_app  # noqa: PLC0415

    logs.configure(settings.log_format, settings.log_level)
    app = create_app(settings, collects_garbage_itself=True)
    warm_up(app)

    def stop_streams() -> None:
        services = getattr(app.state, "services", None)  # None while it is starting
        if services is not None:
            services.stop_streams()

    return StreamShutdown(app, stop_streams)


def warm_up(app: FastAPI) -> None:
    """Build the routes now; FastAPI would build them during the first request and block all others.

    The thread that writes to SQLite needs the interpreter several times per transaction. While the event loop is busy,
    it would wait 5 ms each time, Python's default.
    """
    scope = {"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []}
    for route in app.routes:
        route.matches(scope)
    sys.setswitchinterval(SWITCH_INTERVAL_S)


def uvicorn_config(settings: Settings, app: ASGIApp | str) -> uvicorn.Config:
    """Return the Uvicorn configuration. The application does the logging and handles proxy headers itself."""
    from realmtable.server.http_protocol import LimitedConfig, LimitedProtocol  # noqa: PLC0415 - as above
    from realmtable.server.socket_protocol import PING_S, SocketProtocol  # noqa: PLC0415 - as above

    config = LimitedConfig(
        app,
        factory=isinstance(app, str),
        workers=settings.processes,
        http=LimitedProtocol,
        ws=SocketProtocol,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
    )
    config.request_limit_s = settings.request_limit_s
    return config


class StreamShutdown:
    """Closes open streams when the process is asked to stop: Uvicorn would wait for them, and they never end.

    Uvicorn's signal handlers are kept and called after ours, in a single process and in each of several.
    """

    def __init__(self, app: ASGIApp, stop_streams: Callable[[], None]) -> None:
        self.app = app
        self.stop_streams = stop_streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on. The lifespan request comes first, after Uvicorn has installed its signal handlers."""
        if scope["type"] == "lifespan" and threading.current_thread() is threading.main_thread():
            import asyncio  # noqa: PLC0415 - as above

            for number in (signal.SIGINT, signal.SIGTERM):
                self._chain_signal_handler(number, asyncio.get_running_loop().call_soon_threadsafe)
        await self.app(scope, receive, send)

    def _chain_signal_handler(self, number: signal.Signals, soon: Callable[[Callable[[], None]], object]) -> None:
        before = signal.getsignal(number)

        def handle(got: int, frame: FrameType | None) -> None:
            soon(self.stop_streams)
            if callable(before):
                before(got, frame)

        signal.signal(number, handle)


def raise_file_limit() -> None:
    """Raise the limit on open files, and so on connections, to the maximum that the system allows."""
    with suppress(ImportError, OSError, ValueError):  # not supported, or not permitted
        import resource  # noqa: PLC0415 - not on every platform

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def announce(settings: Settings) -> None:
    """Once the server answers, print its address and open the browser if requested."""
    if wait_for_server(settings.host, settings.port):
        click.echo(f"Realmtable is running at {settings.public_url} (press Ctrl-C to stop).")
        if settings.open_browser and has_screen():
            webbrowser.open(settings.public_url)


def wait_for_server(host: str, port: int) -> bool:
    """Wait until a port accepts connections; return False on timeout."""
    target = ("::1" if host == "::" else "127.0.0.1") if host in ANY_HOST else host
    until = time.monotonic() + STARTUP_TIMEOUT_S
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((target, port), timeout=1):
            return True
        time.sleep(0.05)
    return False


def has_screen() -> bool:
    """Whether a browser can open a window; without a screen, a text browser would take over the terminal."""
    if sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) or Path("/mnt/wslg").exists()
